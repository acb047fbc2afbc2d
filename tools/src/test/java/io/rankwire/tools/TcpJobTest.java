package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Command.await("no file left in the place for jobs", Command.patience(2000), () -> Command.isEmpty(jobs));
    }

    private Result run(String fabric, int ranks, String program, String... arguments) throws Exception {
        String[] words = {"run", "-n", "" + ranks, "--fabric", fabric, "-cp", CLASSES, program};
        String[] all = new String[words.length + arguments.length];
        System.arraycopy(words, 0, all, 0, words.length);
        System.arraycopy(arguments, 0, all, words.length, arguments.length);
        return Command.run(jobs, all);
    }

    @ParameterizedTest
    @CsvSource({"tcp, 2, 20", "tcp, 3, 20", "udp, 3, 8"})
    void shouldSurviveASoak(String fabric, int ranks, String rounds) throws Exception {
        Result result = run(fabric, ranks, LargeSoak.class.getName(), SEED, rounds);
        assertEquals(0, result.status(), () -> "seed " + SEED + ": " + result.out() + result.err());
        assertEquals(ranks, result.lines().stream().filter(line -> line.endsWith("soaked true")).count());
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, io.rankwire.tools.CollectivePrograms$Everything",
        "tcp, io.rankwire.tools.WindowPrograms$Everything",
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
    void shouldEndWhenARankIsKilledInTheMiddle(String fabric) throws Exception {
        try (Command command = Command.start(jobs, "run", "-n", "2", "--fabric", fabric, "-cp", CLASSES,
                Programs.name("Stream"), ready.toString(), "heap")) {
            for (int rank = 0; rank < 2; rank++) {
                Path file = ready.resolve("pid." + rank);
                Command.await("rank " + rank + " runs", 60_000, () -> Files.exists(file));
            }
            Command.signal(Long.parseLong(Files.readString(ready.resolve("pid.1"))), "KILL");
            Result result = command.result();
            assertEquals(137, result.status(), () -> result.out() + result.err());
            assertTrue(result.err().startsWith("rankwire: rank 1 of 2 failed"), result.err());
            assertTrue(!result.out().contains("wrong"), result.out());
        }
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
