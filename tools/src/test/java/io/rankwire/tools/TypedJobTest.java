package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datatypes between real processes. */
@Timeout(300)
class TypedJobTest {
    @TempDir
    Path jobs;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCarryBoxes(int ranks) throws Exception {
        runs(ranks, TypedPrograms.class, TypedPrograms.name("Boxes"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6})
    void shouldTransposeWithCollectives(int ranks) throws Exception {
        runs(ranks, TypedCollectivePrograms.class, TypedCollectivePrograms.name("Transpose"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6})
    void shouldExchangeBordersOfAGrid(int ranks) throws Exception {
        runs(ranks, TypedCollectivePrograms.class, TypedCollectivePrograms.name("Borders"));
    }

    private void runs(int ranks, Class<?> program, String name) throws Exception {
        Result result = Command.run(jobs, "run", "-n", Integer.toString(ranks), "--jvm", Command.LIGHT, "-cp",
                Launch.locationOf(program), name);
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals("all is well\n", result.out());
        assertEquals("", result.err());
    }
}
