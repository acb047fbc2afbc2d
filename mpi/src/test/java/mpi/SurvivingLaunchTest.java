package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import loops.FailingPrograms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of both dialects in real processes, one of which kills itself with signal 9. */
@Timeout(300)
class SurvivingLaunchTest {
    @TempDir
    Path place;

    @BeforeEach
    void findTheCommandLine() {
        Launchers.find();
    }

    /** The program of docs/MIGRATING.md, in a file. */
    private String program() throws Exception {
        String page = Files.readString(Path.of("../docs/MIGRATING.md"));
        int at = page.indexOf("import mpi.*;\n");
        Path file = place.resolve("Survivor.java");
        Files.writeString(file, page.substring(at, page.indexOf("```", at)));
        return file.toString();
    }

    /** What the page says that it prints. */
    private static List<String> printed() throws Exception {
        return Files.readString(Path.of("../docs/MIGRATING.md")).lines()
                .filter(line -> line.startsWith("step ")).toList();
    }

    @Test
    void shouldGoOnAsTheDocumentSays() throws Exception {
        Launchers.Result result = Launchers.run(place, "mpirun", "-n", "4", "--with-ft", "ulfm", "java", program(),
                "2");
        assertEquals(0, result.status(), result.err());
        assertEquals(printed(), result.out().lines().toList());
        assertTrue(result.err().contains("rank 2"), result.err());
    }

    @Test
    void shouldGoOnUnderEachNameOfTheOption() throws Exception {
        String program = program();
        for (List<String> words : List.of(
                List.of("mpiexec", "--enable-recovery", "-n", "3", "java", program, "1"),
                List.of("mpirun", "-with-ft", "mpi", "-n", "2", "java", program, "0", ":", "-n", "1", "java", program,
                        "0"),
                List.of("mpjrun", "-np", "3", "--on-failure=continue", "--spares=1", program, "2"))) {
            Launchers.Result result = Launchers.run(place, words.toArray(new String[0]));
            assertEquals(0, result.status(), words + result.err());
            assertEquals(3, result.out().lines().filter(line -> line.endsWith(" 2 ranks")).count(),
                    words + result.out() + result.err());
        }
    }

    @Test
    void shouldReplaceTheRankThatWasKilled() throws Exception {
        Launchers.Result result = Launchers.run(place, "mpirun", "-n", "3", "--on-failure=continue", "java", "-cp",
                "target/test-classes", FailingPrograms.Replaced.class.getName());
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("0 of 3: 3", "1 of 3: 3", "2 of 3: 3"), result.lines());
    }

    @Test
    void shouldEndTheJobWithAFatalHandler() throws Exception {
        Launchers.Result result = Launchers.run(place, "mpirun", "-n", "3", "--with-ft=ulfm", "java", "-cp",
                "target/test-classes", FailingPrograms.Fatal.class.getName());
        assertTrue(result.status() != 0, result.out() + result.err());
        assertEquals("", result.out());
        assertTrue(result.err().contains("barrier: on MPI.COMM_WORLD: rank 1"), result.err());
    }

    @Test
    void shouldNameTheOptionThatIsWrong() throws Exception {
        Launchers.Result type = Launchers.run(place, "mpirun", "-n", "1", "--with-ft", "raft", "java", "X");
        assertEquals(2, type.status());
        assertTrue(type.err().contains("--with-ft needs ulfm, mpi or none, not raft"), type.err());
        Launchers.Result spares = Launchers.run(place, "mpjrun", "-np", "1", "--spares=1", "X");
        assertEquals(2, spares.status());
        assertTrue(spares.err().contains("option --spares needs --on-failure continue"), spares.err());
    }
}
