package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that pass messages, well and badly. */
@Timeout(300)
class WorldJobTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    private static final String WAITS_FOR_0 = "receive from rank 0, tag 7, on world at Programs.java:";
    private static final String WAITS_FOR_1 = "receive from rank 1, tag 7, on world at Programs.java:";

    @TempDir
    Path jobs;

    @TempDir
    Path ready;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    private Result run(String... args) throws Exception {
        return Command.run(jobs, args);
    }

    private static void assertEnded(int status, Result result) {
        assertEquals(status, result.status(), () -> result.out() + result.err());
    }

    @Test
    void shouldPassATokenAround() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run("run", "-n", "3", mode, "-cp", CLASSES, Programs.name("Ring"), "100");
            assertEnded(0, result);
            assertTrue(result.out().endsWith("token 300\n"), result.out());
            assertEquals("", result.err());
        }
    }

    @Test
    void shouldRunManyRanks() throws Exception {
        Result threads = run("run", "-n", "64", "--threads", "--jvm", Command.LIGHT, "-cp", CLASSES,
                Programs.name("Ring"), "2");
        assertEnded(0, threads);
        assertEquals("token 128\n", threads.out());
        Result processes = run("run", "-n", "32", "--jvm", Command.LIGHT, "-cp", CLASSES, Programs.name("Ring"), "2");
        assertEnded(0, processes);
        assertEquals("token 64\n", processes.out());
    }

    @Test
    void shouldEndAllWhenOneIsKilledInTheMiddleOfMessages() throws Exception {
        try (Command command = Command.start(
                jobs, "run", "-n", "3", "-cp", CLASSES, Programs.name("EndlessRing"), ready.toString())) {
            Path file = ready.resolve("pid.2");
            Command.await("rank 2 has passed some", () -> Files.exists(file));
            long start = System.nanoTime();
            Command.signal(Long.parseLong(Files.readString(file)), "KILL");
            Result result = command.result();
            assertEnded(137, result);
            assertTrue(System.nanoTime() - start < Command.patience(2000) * 1_000_000L, "took too long");
            assertEquals("rankwire: rank 2 of 3 failed: it was killed by signal 9 (SIGKILL)\n", result.err());
        }
    }

    @Test
    void shouldNameTheLineOfEveryRankInADeadlock() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run("run", "-n", "2", mode, "-cp", CLASSES, Programs.name("RealDeadlock"));
            assertEnded(35, result);
            List<String> lines = result.err().lines().toList();
            assertEquals(4, lines.size(), result.err());
            assertTrue(lines.get(1).contains("rank 0: " + WAITS_FOR_1), result.err());
            assertTrue(lines.get(2).contains("rank 1: " + WAITS_FOR_0), result.err());
            assertEquals("  cycle: 0 -> 1 -> 0", lines.get(3));
        }
    }

    @Test
    void shouldNotTakeALateSenderForADeadlock() throws Exception {
        Result result = run("run", "-n", "2", "-cp", CLASSES, Programs.name("LateSender"));
        assertEnded(0, result);
    }

    @Test
    void shouldJoinWorldsOneAfterAnother() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run("run", "-n", "3", mode, "--jvm", Command.LIGHT, "-cp", CLASSES,
                    Programs.name("ManyWorlds"), "40");
            assertEnded(0, result);
            assertTrue(result.out().endsWith("sum 780\n"), result.out());
            assertEquals("", result.err());
        }
        assertEnded(0, run("run", "-n", "1", "-cp", CLASSES, Programs.name("ManyWorlds"), "3"));
    }

    @Test
    void shouldEndAllWithTheStatusOfAnAbort() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run("run", "-n", "3", mode, "-cp", CLASSES, Programs.name("Aborts"), "7", "no input");
            assertEnded(7, result);
            assertEquals("rankwire: rank 1 of 3 failed: abort with status 7: no input\n", result.err());
        }
    }

    @Test
    void shouldSayThatAWorldWasNotClosed() throws Exception {
        Result result = run("run", "-n", "2", "-cp", CLASSES, Programs.name("ForgetsToClose"));
        assertEnded(1, result);
        assertTrue(result.err().contains("rank 1 of 2 failed: it ended with status 0 but never closed its World"),
                result.err());
    }

    @Test
    void shouldSayWhatRanksWaitedForWhenTimeIsUp() throws Exception {
        Result result = null;
        // On a busy machine a rank may not wait yet when a short time is up.
        for (String seconds : new String[] {"2", "10", "60"}) {
            result = run("run", "-n", "2", "--timeout", seconds, "-cp", CLASSES, Programs.name("Sleeps"));
            assertEnded(124, result);
            if (result.err().contains(WAITS_FOR_1)) {
                break;
            }
        }
        assertTrue(result.err().contains("rank 0: " + WAITS_FOR_1), result.err());
        assertTrue(result.err().contains("rank 1: is running, outside any blocking call"), result.err());
    }
}
