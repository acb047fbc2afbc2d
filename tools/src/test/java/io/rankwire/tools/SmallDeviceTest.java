package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in real processes whose devices hold very few receives: they must not notice. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class SmallDeviceTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final String SEED = System.getProperty("rankwire.soak.seed", "20261115");

    @TempDir
    Path jobs;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    @ParameterizedTest
    @CsvSource({"Halo,optimistic:1:0", "MasterWorker,optimistic:2:2", "SampleSort,handshake:1", "TreeSum,handshake:2",
            "MasterWorker,software:4"})
    void shouldRunAnExample(String name, String way) throws Exception {
        Result result = Command.run(jobs, "run", "-n", "4", "--jvm", "-Drankwire.match=" + way,
                EXAMPLES.resolve(name + ".java").toString());
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals("", result.err());
    }

    /** Messages of all sizes, wildcards and cancelled sends and receives. */
    @ParameterizedTest
    @ValueSource(strings = {"optimistic:2:1", "handshake:1", "software:2", "grow:2"})
    void shouldSurviveASoak(String way) throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--jvm", "-Drankwire.match=" + way, "-cp", CLASSES,
                LargeSoak.class.getName(), SEED, "20");
        assertEquals(0, result.status(), () -> "seed " + SEED + ": " + result.out() + result.err());
        assertEquals(3, result.lines().stream().filter(line -> line.endsWith("soaked true")).count());
        assertEquals("", result.err());
    }

    @Test
    void shouldTellTheCountsWhenTheDeviceMayNotGrow() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--jvm", "-Drankwire.match=fail:1", "-cp", CLASSES,
                LargeSoak.class.getName(), SEED, "20");
        assertTrue(result.status() != 0);
        assertTrue(result.err().contains("the header store is full"), result.err());
    }

    @Test
    void shouldSayWhatThePropertyTakes() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--jvm", "-Drankwire.match=few",
                EXAMPLES.resolve("Ring.java").toString());
        assertTrue(result.status() != 0);
        assertTrue(result.err().contains("property rankwire.match: few is none of"), result.err());
    }
}
