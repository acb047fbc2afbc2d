package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class InterruptedBenchTest {
    @TempDir
    Path place;

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void shouldPrintTheRoundsItHas(String signal, int status) throws Exception {
        Path csv = place.resolve("b.csv");
        Path err = place.resolve("err");
        Path jobs = Files.createDirectory(place.resolve("jobs"));
        ProcessBuilder builder = Command.builder(
                jobs, "bench", "--only", "start", "--rounds", "500", "--csv", csv.toString());
        builder.command().add(1, "-Drankwire.statusMs=20");
        builder.redirectError(err.toFile());
        try (Command bench = Command.start(builder)) {
            Command.await("a second round", () -> Files.readString(err).contains("round 2 of 500"));
            bench.signal(signal);
            Result result = bench.result();
            assertEquals(status, result.status(), result.out());
            assertTrue(result.out().matches("(?s).*\n# Interrupted in round \\d+ of 500: below is the .* before\n.*"
                    + "\n# Start, join, close and end of an empty job \\(s\\)\n.*\n2 ranks +[\\d.]+ +[\\d.]+\n.*"),
                    result.out());
        }
        assertTrue(Files.readString(err).matches("(?s).*rankwire: bench: round 1 of 500: start, ours, \\d+ s\n.*"),
                Files.readString(err));
        assertTrue(Files.readString(csv).contains("\nstart,0,0,2,s,"), Files.readString(csv));
        assertTrue(Command.isEmpty(jobs), "files left");
    }
}
