package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks of several threads: memory of one of them, memory that ends too early, a world that is closed under calls. */
@Timeout(300)
class MemoryJobTest {
    private static final String CLASSES = Launch.locationOf(MemoryPrograms.class);

    @TempDir
    Path jobs;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    private Result run(String... args) throws Exception {
        Result result = Command.run(jobs, args);
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals("", result.err());
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tag-output", "--threads"})
    void shouldLoseNoMessageBesideConfinedMemory(String mode) throws Exception {
        Result result = run("run", "-n", "2", mode, "-cp", CLASSES, MemoryPrograms.name("Innocent"));
        assertTrue(result.out().endsWith("all came\n"), result.out());
    }

    @ParameterizedTest
    @CsvSource({"sender,auto", "sender,process", "sender,twoended", "receiver,auto", "receiver,process",
        "receiver,twoended"})
    void shouldHurtOnlyTheMessageWhoseMemoryIsClosed(String side, String way) throws Exception {
        Result result = run("run", "-n", "2", "--jvm", "-Drankwire.large=" + way, "-cp", CLASSES,
                MemoryPrograms.name("ClosesMemory"), side);
        String hurt = side.equals("sender") ? "rank 0: isend to rank 1, tag 1" : "rank 1: irecv from rank 0, tag 1";
        assertTrue(result.out().contains(hurt + ", on world: the memory of its buffer was closed while it was under"
                + " way at MemoryPrograms.java:"), result.out());
        assertTrue(result.out().contains("the next came\n"), result.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tag-output", "--threads"})
    void shouldEndCallsThatWaitWhenTheWorldIsClosed(String mode) throws Exception {
        Result result = run("run", "-n", "2", mode, "-cp", CLASSES, MemoryPrograms.name("ClosesUnderWaits"));
        assertEquals(7, result.lines().size(), result.out());
        for (String line : result.lines()) {
            assertTrue(line.contains("was given up: thread ") && line.contains(" at MemoryPrograms.java:"), line);
        }
    }
}
