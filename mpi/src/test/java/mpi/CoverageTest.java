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
            Counted are the public fields, methods and constructors of each class, with those that it inherits.
            Overloads have one name where they all work. [MIGRATING.md](MIGRATING.md) says what the members do.

            """;

    private static final String INTERNAL = """
            Not counted are the classes that MPJ Express has for its own use, such as `BasicType`, `Vector` or
            `PureIntracomm`, and `Struct`, which here is Open MPI's. Members that have a type of its packages `mpjdev`
            and `mpjbuf` are missing.

            """;

    private static final String FAILURES = """
            The calls and error classes by which programs go on after a failure. Open MPI has them in C alone, as
            `MPIX_Comm_*` and `MPIX_ERR_*`; here they have names in the style of both dialects. `replace` and
            `isReplacement` are Rankwire's own. [FAILURES.md](FAILURES.md) has what they promise.

            """;

    @Test
    void shouldFindThePageAsTheClassesAre() throws IOException {
        Coverage coverage = new Coverage(CLASSES);
        String page = HEAD + "## mpiJava 1.2, as in MPJ Express\n" + INTERNAL + coverage.table("mpijava")
                + "\n## Open MPI Java\n" + coverage.table("openmpi")
                + "\n## ULFM\n" + FAILURES + coverage.table("ulfm");
        if (Boolean.getBoolean("rankwire.write")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(page, Files.readString(PAGE), "docs/MPI-COVERAGE.md is old; its head says how to write it");
    }

    @Test
    void shouldCountPublicFieldsAndWhatIsInherited() throws IOException {
        Coverage coverage = new Coverage(CLASSES);
        for (String member : new String[] {"Status.count", "Status.countInBytes", "Status.numEls", "Comm.group",
                "Cartcomm.group", "Datatype.baseType", "Group.code", "Group.EMPTY", "Op.opCode", "MPI.isOldSelected",
                "Request.finalize()", "Prequest.finalize()", "Datatype.finalize()", "Group.finalize()", "Op.finalize()",
                "Op.new(User_function,boolean,int)", "Struct.newData()", "Win.free()"}) {
            int dot = member.indexOf('.');
            assertEquals(Coverage.State.YES, coverage.state(member.substring(0, dot), member.substring(dot + 1)),
                    member);
        }
        assertEquals(Coverage.State.MISSING, coverage.state("Group", "core"), "a private field");
        assertEquals(Coverage.State.MISSING, coverage.state("Comm", "open(Communicator,Errhandler)"), "not public");
        assertEquals(Coverage.State.MISSING, coverage.state("Cartcomm", "new()"), "a constructor is not inherited");
        assertTrue(coverage.table("mpijava").contains("`srcID`"), "inherited from another package, and missing");
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
