package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import io.rankwire.tools.options.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of one host whose ranks use TCP or UDP alone: what they do with shared memory they do here. */
@Timeout(300)
class TcpJobTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);
    private static final String SEED = System.getProperty("rankwire.soak.seed", "20261116");

    @TempDir
    Path jobs;

    @TempDir
    Path ready;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    private Result run(String fabric, int ranks, String program, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-n", "" + ranks, "--fabric"));
        words.addAll(List.of(fabric.split(" ")));
        words.addAll(List.of("-cp", CLASSES, program));
        words.addAll(List.of(arguments));
        return Command.run(jobs, words.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"tcp, 2, 12", "tcp --encrypt, 3, 12", "udp, 3, 6"})
    void shouldSurviveASoak(String fabric, int ranks, String rounds) throws Exception {
        Result result = run(fabric, ranks, LargeSoak.class.getName(), SEED, rounds);
        assertEquals(0, result.status(), () -> "seed " + SEED + ": " + result.out() + result.err());
        assertEquals(ranks, result.lines().stream().filter(line -> line.endsWith("soaked true")).count());
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, io.rankwire.tools.CollectivePrograms$Everything",
        "tcp --encrypt, io.rankwire.tools.WindowPrograms$Everything",
        "udp, io.rankwire.tools.CollectivePrograms$Everything",
    })
    void shouldDoEverything(String fabric, String program) throws Exception {
        Result result = run(fabric, 3, program);
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void shouldJoinOneWorldAfterAnother(String fabric) throws Exception {
        Result result = run(fabric, 2, Programs.name("ManyWorlds"), "5");
        assertEquals(0, result.status(), () -> result.out() + result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void shouldLetVirtualThreadsRunWhileOthersSleepInCalls(String fabric) throws Exception {
        Result result = run(fabric + " --timeout 120 --jvm -Djdk.virtualThreadScheduler.parallelism=1", 2,
                Programs.name("ReceiveInVirtualThreads"));
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals("both received", result.out().strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void shouldEndWhenARankIsKilledInTheMiddle(String fabric) throws Exception {
        try (Command command = Command.start(jobs, "run", "-n", "2", "--fabric", fabric, "-cp", CLASSES,
                Programs.name("Stream"), ready.toString(), "heap")) {
            for (int rank = 0; rank < 2; rank++) {
                Path file = ready.resolve("pid." + rank);
                Command.await("rank " + rank + " runs", () -> Files.exists(file));
            }
            Command.assertPrivate(jobs);
            Command.signal(Long.parseLong(Files.readString(ready.resolve("pid.1"))), "KILL");
            Result result = command.result();
            assertEquals(137, result.status(), () -> result.out() + result.err());
            assertTrue(result.err().startsWith("rankwire: rank 1 of 2 failed"), result.err());
            assertTrue(!result.out().contains("wrong"), result.out());
        }
    }

    @Test
    void shouldListenWhereTheOptionsSay() throws Exception {
        int port = 20_000 + (int) (ProcessHandle.current().pid() % 10_000);
        Result result = Command.run(jobs, "run", "-n", "2", "--fabric", "tcp", "--interface", "lo", "--subnet",
                "127.0.0.0/8", "--ports", port + "-" + (port + 20), "--start-timeout", "100", "--explain", "--jvm",
                Command.LIGHT, "-cp", CLASSES, Programs.name("Sum"));
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertTrue(result.err().matches("(?s).*rankwire: costs of the network, (measured|estimated): round .*"),
                result.err());
        Result narrow = Command.run(jobs, "run", "-n", "2", "--fabric", "tcp", "--ports", "1", "--jvm", Command.LIGHT,
                "--subnet", "127.0.0.0/8", "-cp", CLASSES, Programs.name("Sum"));
        assertEquals(1, narrow.status(), narrow.err());
        assertTrue(narrow.err().contains("cannot listen at 127.0.0.1, RANKWIRE_PORTS=1-1: "), narrow.err());
    }

    @Test
    void shouldNameARankThatDoesNotJoinInTime() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--fabric", "tcp", "--start-timeout", "2", "--jvm",
                Command.LIGHT, "-cp", CLASSES, Programs.name("NeverJoins"), "1");
        assertEquals(1, result.status(), () -> result.out() + result.err());
        assertTrue(result.err().contains("rank 1 of 3 did not join within 2 s (--start-timeout)"), result.err());
    }

    @Test
    void shouldRefuseOptionsThatMakeNoSense() throws Exception {
        String[][] wrong = {
            {"--interface", "none7", "option --interface is \"none7\", which is no interface with an address that other"
                    + " hosts can use; this host has "},
            {"--subnet", "198.18.0.0/31", "option --subnet is \"198.18.0.0/31\", in which no address lies; this host"},
            {"--ports", "9-3", "option --ports is \"9-3\", not a port or a range of ports"},
            {"--start-timeout", "0", "option --start-timeout needs a number from 1"},
        };
        for (String[] each : wrong) {
            UsageException refused = assertThrows(UsageException.class, () -> RunOptions.parse("-n", "2", "--fabric",
                    "tcp", each[0], each[1], "Main"));
            assertTrue(refused.getMessage().contains(each[2]), refused.getMessage());
        }
        UsageException shared = assertThrows(UsageException.class,
                () -> RunOptions.parse("-n", "2", "--ports", "5000-5001", "Main"));
        assertTrue(shared.getMessage().contains("option --ports needs --fabric tcp"), shared.getMessage());
    }

    @Test
    void shouldCarryDatagramsOfPrograms() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--fabric", "udp", Examples.source("DatagramChat.java"));
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals(3, result.lines().stream().filter(line -> line.endsWith("heard from [0, 1, 2]")).count());
        assertEquals("", result.err());
    }

    @Test
    void shouldRefuseItForThreads() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--threads", "--fabric", "tcp", "-cp", CLASSES,
                Programs.name("Ring"), "2");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("option --fabric does not go with --threads"), result.err());
    }
}
