package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives between real processes, well and badly. */
@Timeout(300)
class CollectiveJobTest {
    private static final String CLASSES = Launch.locationOf(CollectivePrograms.class);

    @TempDir
    Path jobs;

    @TempDir
    Path ready;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldAgree(int ranks) throws Exception {
        Result result = Command.run(jobs, "run", "-n", Integer.toString(ranks), "--jvm", Command.LIGHT, "-cp",
                CLASSES, CollectivePrograms.name("Everything"));
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals("all is well\n", result.out());
        assertEquals("", result.err());
    }

    @Test
    void shouldExplainWhichAlgorithmsAreUsedOnceForEachShape() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--explain", "--jvm", Command.LIGHT, "-cp", CLASSES,
                CollectivePrograms.name("Everything"));
        assertEquals(0, result.status(), result.out() + result.err());
        String start = "rankwire: allreduce of 1 × double, sum, on world of 3: ";
        assertTrue(result.err().contains(start), result.err());
        assertEquals(result.err().indexOf(start), result.err().lastIndexOf(start), result.err());
        String barrier = "(?s).*rankwire: barrier, on world of 3: [^\n]*about [\\d.]+ .s; other candidates: .*";
        assertTrue(result.err().matches(barrier), result.err());
        for (String candidate : new String[] {"shared memory", "dissemination"}) {
            assertTrue(result.err().lines().anyMatch(
                    line -> line.startsWith("rankwire: barrier, on world of 3: ") && line.contains(candidate)),
                    result.err());
        }
    }

    @Test
    void shouldEndWhenARankIsKilledDuringACollective() throws Exception {
        Path pid = ready.resolve("pid");
        try (Command command = Command.start(jobs, "run", "-n", "3", "-cp", CLASSES,
                CollectivePrograms.name("Killed"), pid.toString())) {
            Command.await("the rank to be killed", () -> Files.exists(pid) && Files.size(pid) > 0);
            Command.signal(Long.parseLong(Files.readString(pid)), "KILL");
            Result result = command.result();
            assertEquals(137, result.status(), result.out() + result.err());
            assertTrue(result.err().contains("rank 2 of 3 failed: it was killed by signal 9"), result.err());
        }
    }
}
