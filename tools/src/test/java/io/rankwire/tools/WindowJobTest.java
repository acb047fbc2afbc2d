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
import org.junit.jupiter.params.provider.ValueSource;

/** Windows between real processes, well and badly. */
@Timeout(300)
class WindowJobTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path jobs;

    @TempDir
    Path ready;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldReachEachOther(int ranks) throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = Command.run(jobs, "run", "-n", Integer.toString(ranks), mode, "--jvm", Command.LIGHT,
                    "-cp", CLASSES, WindowPrograms.name("Everything"));
            assertEquals(0, result.status(), result.out() + result.err());
            assertTrue(result.out().endsWith("all is well\n"), result.out());
            assertEquals("", result.err());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldCountEveryChangeOnce(int ranks) throws Exception {
        for (int seed = 1; seed <= 3; seed++) {
            Result result = Command.run(jobs, "run", "-n", Integer.toString(ranks), "-cp", CLASSES,
                    WindowPrograms.name("Hammer"), Integer.toString(seed));
            assertEquals(0, result.status(), "seed " + seed + ": " + result.out() + result.err());
            assertEquals("all is well\n", result.out());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "array"})
    void shouldEndWhenTheHolderOfALockIsKilled(String kind) throws Exception {
        try (Command command = Command.start(jobs, "run", "-n", "2", "-cp", CLASSES,
                WindowPrograms.name("HoldsLock"), ready.toString(), kind)) {
            Path waits = ready.resolve("pid.0");
            Path holds = ready.resolve("pid.1");
            Command.await("rank 0 waits for rank 1", () -> Files.exists(waits) && Files.exists(holds));
            Thread.sleep(100);
            long start = System.nanoTime();
            Command.signal(Long.parseLong(Files.readString(holds)), "KILL");
            Result result = command.result();
            assertEquals(137, result.status(), result.out() + result.err());
            assertTrue(System.nanoTime() - start < Command.patience(2000) * 1_000_000L, "took too long");
            assertEquals("rankwire: rank 1 of 2 failed: it was killed by signal 9 (SIGKILL)\n", result.err());
            assertEquals("", result.out());
        }
    }

    @Test
    void shouldReachPartsOfMoreThanTwoGibibytes() throws Exception {
        if (jobs.toFile().getUsableSpace() < 8L << 30) {
            System.out.println("skipped: needs 8 GiB of room");
            return;
        }
        Result result = Command.run(jobs, "run", "-n", "2", "-cp", CLASSES, WindowPrograms.name("Large"));
        assertEquals(0, result.status(), result.out() + result.err());
    }

    @Test
    void shouldSayWhenThereIsNoRoomForMemory() throws Exception {
        Result result = FullPlaceTest.runWithRoom("8m", "run", "-n", "2", "-cp", CLASSES,
                WindowPrograms.name("Greedy"));
        if (result.status() == 77) {
            System.out.println("skipped: needs root");
            return;
        }
        assertEquals(1, result.status(), result.err());
        assertTrue(result.err().matches("(?s).*rank \\d: allocate: shared memory in /dev/shm/\\S+: memory needs 1048640"
                + " bytes, \\d+ are free.*"), result.err());
        assertEquals("", result.out(), "nothing is left in /dev/shm");
    }
}
