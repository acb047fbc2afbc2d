package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators of all kinds between real processes, well and badly. */
@Timeout(300)
class TopologyJobTest {
    private static final String CLASSES = Launch.locationOf(TopologyPrograms.class);

    @TempDir
    Path jobs;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    private Result run(int ranks, String mode, String program) throws Exception {
        return Command.run(jobs, "run", "-n", Integer.toString(ranks), mode, "-cp", CLASSES,
                TopologyPrograms.name(program));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6})
    void shouldMakeAndUseThemAll(int ranks) throws Exception {
        Result result = run(ranks, "--tag-output", "Everything");
        assertEquals(0, result.status(), result.out() + result.err());
        assertTrue(result.out().endsWith("all is well\n"), result.out());
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldExchangeBetweenGroups(int ranks) throws Exception {
        Result result = run(ranks, "--tag-output", "AcrossGroups");
        assertEquals(0, result.status(), result.out() + result.err());
        assertTrue(result.out().endsWith("all is well\n"), result.out());
        assertEquals("", result.err());
    }

    @Test
    void shouldEndTheJobWhateverTheProgramCatches() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run(3, mode, "Aborts");
            assertEquals(1, result.status(), result.out() + result.err());
            assertTrue(result.err().contains("rank 1 of 3 failed"), result.err());
            assertTrue(result.err().contains("argument dest: 77 is not a rank of world, which has 3 at"), result.err());
            assertFalse(result.out().contains("caught"), result.out());
        }
    }

    @Test
    void shouldNameTheCallThatOthersDidNotMake() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            Result result = run(2, mode, "SplitsAlone");
            assertEquals(35, result.status(), result.out() + result.err());
            assertTrue(result.err().contains("rank 0: split with rank 1, on world at TopologyPrograms.java:"),
                    result.err());
            assertTrue(result.err().contains("cycle: 0 -> 1 -> 0"), result.err());
        }
    }
}
