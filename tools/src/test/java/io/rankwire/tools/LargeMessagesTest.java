package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large messages between real processes, on every way there is, until they end or a rank is killed. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class LargeMessagesTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);
    private static final String SEED = System.getProperty("rankwire.soak.seed", "20261115");
    private static final String TURNS = System.getProperty("rankwire.soak.turns", "40");

    @TempDir
    Path jobs;

    @TempDir
    Path ready;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    @ParameterizedTest
    @CsvSource({"2,auto,false", "3,auto,false", "2,process,false", "2,twoended,false", "2,rendezvous:65536,false",
            "2,eager,false", "3,auto,true"})
    void shouldSurviveASoak(int ranks, String way, boolean threads) throws Exception {
        Result result = Command.run(jobs, "run", threads ? "--threads" : "--tag-output", "-n", "" + ranks, "--jvm",
                "-Drankwire.large=" + way, "-cp", CLASSES, LargeSoak.class.getName(), SEED, TURNS);
        assertEquals(0, result.status(), () -> "seed " + SEED + ": " + result.out() + result.err());
        assertEquals(ranks, result.lines().stream().filter(line -> line.endsWith("soaked true")).count());
        assertEquals("", result.err());
    }

    /** Killed while messages of one kind go both ways without an end: wherever that was, the other ends too. */
    @ParameterizedTest
    @CsvSource({"heap", "mapped", "native", "late"})
    void shouldEndWhenARankIsKilledInTheMiddle(String kind) throws Exception {
        String stream = Programs.name("Stream");
        try (Command command = Command.start(jobs, "run", "-n", "2", "-cp", CLASSES, stream, ready.toString(), kind)) {
            for (int rank = 0; rank < 2; rank++) {
                Path file = ready.resolve("pid." + rank);
                Command.await("rank " + rank + " runs", () -> Files.exists(file));
            }
            Thread.sleep(Math.floorMod(System.nanoTime(), 50));
            long victim = Long.parseLong(Files.readString(ready.resolve("pid.1")));
            Command.signal(victim, "KILL");
            Result result = command.result();
            assertEquals(137, result.status(), () -> result.out() + result.err());
            assertTrue(result.err().startsWith("rankwire: rank 1 of 2 failed"), result.err());
            assertTrue(!result.out().contains("wrong"), result.out());
        }
    }
}
