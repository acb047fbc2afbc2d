package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps docs/MPI-COVERAGE.md true; with {@code -Drankwire.write=true} it writes the page instead. */
class CoverageTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path PAGE = Path.of("../docs/MPI-COVERAGE.md");

    private static final String HEAD = """
            # What of the `mpi` package is there

            Written by `CoverageTest` from the class files of `mpi.jar`; do not edit. After a change of the package:
            `mvn -pl core,mpi test -Dtest=CoverageTest -Dsurefire.failIfNoSpecifiedTests=false -Drankwire.write=true`.
            Overloads are told by one name where they all work. [MIGRATING.md](MIGRATING.md) says what the members do.

            """;

    @Test
    void shouldFindThePageAsTheClassesAre() throws IOException {
        Coverage coverage = new Coverage(CLASSES);
        String page = HEAD + "## mpiJava 1.2, as in MPJ Express\n" + coverage.table("mpijava")
                + "\n## Open MPI Java\n" + coverage.table("openmpi");
        if (Boolean.getBoolean("rankwire.write")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(page, Files.readString(PAGE), "docs/MPI-COVERAGE.md is old; its head says how to write it");
    }

    @Test
    void shouldTellWhatIsThereFromWhatIsNot() throws IOException {
        Coverage coverage = new Coverage(CLASSES);
        assertEquals(Coverage.State.YES, coverage.state("Comm", "Send(Object,int,int,Datatype,int,int)"));
        assertEquals(Coverage.State.YES, coverage.state("Intracomm", "send(Object,int,Datatype,int,int)"));
        assertEquals(Coverage.State.YES, coverage.state("MPI", "DOUBLE"));
        assertEquals(Coverage.State.MISSING, coverage.state("Comm", "Send(Object,int)"));
        assertEquals(Coverage.State.MISSING, coverage.state("Comm", "new(int)"));
        assertTrue(Coverage.list("mpijava").size() > 150);
        assertTrue(Coverage.list("openmpi").size() > 600);
    }
}
