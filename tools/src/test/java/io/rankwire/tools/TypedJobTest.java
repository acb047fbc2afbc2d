package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datatypes between real processes. */
@Timeout(90)
class TypedJobTest {
    @TempDir
    Path jobs;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCarryBoxes(int ranks) throws Exception {
        Result result = Command.run(jobs, "run", "-n", Integer.toString(ranks), "-cp",
                Launch.locationOf(TypedPrograms.class), TypedPrograms.name("Boxes"));
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals("all is well\n", result.out());
        assertEquals("", result.err());
    }
}
