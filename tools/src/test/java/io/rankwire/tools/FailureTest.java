package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every way a job can go wrong: it ends everywhere, says why, and leaves nothing. */
@Timeout(300)
class FailureTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);
    private static final int ENDS_WITHIN_MS = 2000;

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

    private static final String STORY = """
            rankwire: rank 1 of 3 failed: it threw an exception
            java.lang.IllegalStateException: boom
            \tat io.rankwire.tools.Programs$Throw.main(""";

    @Test
    void shouldTellTheExceptionOfTheRankThatThrew() throws Exception {
        Result result = run("run", "-n", "3", "-cp", CLASSES, Programs.name("Throw"));
        assertEnded(1, result);
        assertTrue(result.err().startsWith(STORY), result.err());
        assertTrue(result.err().contains("Caused by: java.lang.IllegalArgumentException: root of it"), result.err());
        assertTrue(!result.err().contains("RankMain"), result.err());
    }

    @Test
    void shouldTellTheExceptionOfAThreadRank() throws Exception {
        Result result = run("run", "-n", "3", "--threads", "-cp", CLASSES, Programs.name("Throw"));
        assertEnded(1, result);
        assertTrue(result.err().startsWith(STORY), result.err());
    }

    @Test
    void shouldEndWithTheStatusOfTheRankThatExited() throws Exception {
        Result result = run("run", "-n", "4", "-cp", CLASSES, Programs.name("Exit"));
        assertEnded(7, result);
        assertEquals("rankwire: rank 2 of 4 failed: it exited with status 7\n", result.err());
        Result threads = run("run", "-n", "4", "--threads", "-cp", CLASSES, Programs.name("Exit"));
        assertEnded(7, threads);
        assertEquals("rankwire: rank 2 of 4 failed: it exited with status 7\n", threads.err());
    }

    /** A job whose ranks wait, with their process ids. */
    private Command waiting(int ranks, String program, long[] pids, String... more) throws Exception {
        String[] args = java.util.Arrays.copyOf(new String[] {"run", "-n", Integer.toString(ranks)}, 7 + more.length);
        System.arraycopy(more, 0, args, 3, more.length);
        args[3 + more.length] = "-cp";
        args[4 + more.length] = CLASSES;
        args[5 + more.length] = Programs.name(program);
        args[6 + more.length] = ready.toString();
        Command command = Command.start(jobs, args);
        for (int rank = 0; rank < ranks; rank++) {
            Path file = ready.resolve("pid." + rank);
            Command.await("rank " + rank + " runs", () -> Files.exists(file));
            pids[rank] = Long.parseLong(Files.readString(file));
        }
        return command;
    }

    private static void assertGone(long[] pids) throws Exception {
        for (long pid : pids) {
            Command.await("process " + pid + " gone", () -> ended(pid));
        }
    }

    /** Gone, or only waiting for whoever adopted it to take note. */
    private static boolean ended(long pid) throws IOException {
        Path stat = Path.of("/proc/" + pid + "/stat");
        if (!Files.exists(Path.of("/proc/self/stat"))) {
            return ProcessHandle.of(pid).isEmpty();
        }
        try {
            return Files.readString(stat).contains(") Z ");
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void shouldEndEverywhereWhenARankIsKilled() throws Exception {
        long[] pids = new long[3];
        try (Command command = waiting(3, "Wait", pids)) {
            Command.signal(pids[1], "KILL");
            long start = System.nanoTime();
            Result result = command.result();
            assertTrue(System.nanoTime() - start < Command.patience(ENDS_WITHIN_MS) * 1_000_000L, "took too long");
            assertEnded(137, result);
            assertEquals("rankwire: rank 1 of 3 failed: it was killed by signal 9 (SIGKILL)\n", result.err());
            assertGone(pids);
        }
    }

    @Test
    void shouldKillRanksThatDoNotEndByThemselves() throws Exception {
        long[] pids = new long[2];
        try (Command command = waiting(2, "Stubborn", pids)) {
            Command.signal(pids[0], "KILL");
            long start = System.nanoTime();
            assertEnded(137, command.result());
            assertTrue(System.nanoTime() - start < Command.patience(ENDS_WITHIN_MS) * 1_000_000L, "took too long");
            assertGone(pids);
        }
    }

    @Test
    void shouldEndEverythingOnInterrupt() throws Exception {
        long[] pids = new long[2];
        try (Command command = waiting(2, "Wait", pids)) {
            command.signal("INT");
            Result result = command.result();
            assertEnded(130, result);
            assertEquals("rankwire: interrupted; all ranks have been ended\n", result.err());
            assertGone(pids);
        }
    }

    /** As Ctrl-C at a terminal does it: all processes of the group get the signal. */
    @Test
    void shouldNotBlameARankForAnInterruptOfAll() throws Exception {
        long[] pids = new long[2];
        try (Command command = waiting(2, "Wait", pids)) {
            Command.signal(pids[0], "TERM");
            Command.signal(pids[1], "TERM");
            command.signal("TERM");
            Result result = command.result();
            assertEnded(143, result);
            assertEquals("rankwire: interrupted; all ranks have been ended\n", result.err());
        }
    }

    @Test
    void shouldEndEverythingOnTerminateWithThreads() throws Exception {
        long[] pids = new long[2];
        try (Command command = waiting(2, "Wait", pids, "--threads")) {
            command.signal("TERM");
            assertEnded(143, command.result());
            assertGone(pids);
        }
    }

    @Test
    void shouldLeaveNothingWhenTheLauncherIsKilled() throws Exception {
        long[] pids = new long[2];
        try (Command command = waiting(2, "Wait", pids)) {
            command.signal("KILL");
            assertGone(pids);
        }
    }

    @Test
    void shouldNameTheRankThatNeverClosedItsWorld() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run("run", "-n", "2", mode, "-cp", CLASSES, Programs.name("NeverClose"));
            assertEnded(1, result);
            assertTrue(result.err().startsWith("rankwire: rank 1 of 2 failed: "), result.err());
            assertTrue(result.err().contains("never closed its World"), result.err());
        }
    }

    @Test
    void shouldReportADeadlockWithItsOwnStatus() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run("run", "-n", "2", "--stall", "0", mode, "-cp", CLASSES, Programs.name("Deadlock"));
            assertEnded(35, result);
            assertEquals(
                    """
                    rankwire: deadlock: every rank waits and nothing is on its way
                      rank 0: receive from rank 1, tag 7, on world at Programs.java:N
                      rank 1: receive from rank 0, tag 7, on world at Programs.java:N
                      cycle: 0 -> 1 -> 0
                    """,
                    result.err().replaceAll("java:[0-9]+", "java:N"));
        }
    }

    @Test
    void shouldNotReportADeadlockWhileAVirtualThreadReads() throws Exception {
        Result result = run("run", "-n", "2", "-cp", CLASSES, Programs.name("ReadInVirtualThread"));
        assertEnded(0, result);
        assertEquals("heard 8\n", result.out());
    }

    @Test
    void shouldSayWhatRanksDidWhenTimeIsUp() throws Exception {
        Result result = run(
                "run", "-n", "2", "--timeout", "0.5", "-cp", CLASSES, Programs.name("Wait"), ready.toString());
        assertEnded(124, result);
        assertTrue(result.err().startsWith("rankwire: the job did not end within 0.5 s\n  rank 0: "), result.err());
        assertTrue(result.ms() < Command.patience(5000), "took " + result.ms());
    }

    @Test
    void shouldSayWhenThereIsNoSuchClass() throws Exception {
        Result result = run("run", "-n", "1", "-cp", CLASSES, "no.such.Program");
        assertEnded(1, result);
        assertTrue(
                result.err().startsWith("rankwire: the program failed: no class no.such.Program on the class path"),
                result.err());
        assertTrue(!result.err().contains("\tat "), result.err());
    }
}
