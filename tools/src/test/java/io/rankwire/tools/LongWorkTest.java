package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands that take long show that they go on, and print what they have when they are interrupted. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class LongWorkTest {

    @TempDir
    Path place;

    /** Starts a command, and interrupts it once both of its outputs together match a pattern. */
    private Result interrupted(String signal, String until, String... words) throws Exception {
        return interrupted(signal, until, 0, words);
    }

    /** As above, once as many jobs run, too. */
    private Result interrupted(String signal, String until, int running, String... words) throws Exception {
        Path shown = place.resolve("shown");
        Path jobs = Files.createDirectories(place.resolve("jobs"));
        ProcessBuilder builder = Command.builder(jobs, words);
        // The minute of these tests.
        builder.command().add(1, "-Drankwire.statusMs=50");
        builder.redirectErrorStream(true).redirectOutput(shown.toFile());
        Pattern pattern = Pattern.compile(until, Pattern.DOTALL);
        try (Command command = Command.start(builder)) {
            Command.await("the output is like " + until, () -> pattern.matcher(Files.readString(shown)).find()
                    && jobs.toFile().list().length >= running);
            command.signal(signal);
            Result result = command.result();
            assertTrue(Command.isEmpty(jobs), "files left");
            return new Result(result.status(), Files.readString(shown), "", result.ms());
        }
    }

    @Test
    void shouldSayHowManyFiguresAreWritten() throws Exception {
        Result result = interrupted("INT", "figure 1 of 11, \\d+ s\n.*1-match-rate.csv.*figure 2 of 11, ",
                "sim", "figures", place.resolve("figures").toString());
        assertEquals(130, result.status(), result.out());
        assertTrue(result.out().matches("(?s).*\ninterrupted: [1-9] of 11 figures are written\n"), result.out());
        assertTrue(Files.exists(place.resolve("figures/1-match-rate.svg")));
    }

    @Test
    void shouldSayThatAFitMeasures() throws Exception {
        Result result = interrupted("TERM", "rankwire: measuring, \\d+ s\n", 1, "sim", "fit");
        assertEquals(143, result.status(), result.out());
        assertTrue(result.out().contains("interrupted; all ranks have been ended\n"), result.out());
    }

    @Test
    void shouldSayHowFarACampaignIs() throws Exception {
        Result result = interrupted("TERM", "\\d seeds, 0 failed.*\n.*[1-9]\\d seeds, 0 failed", "sim", "campaign");
        assertEquals(143, result.status(), result.out());
        String last = result.lines().getLast();
        assertTrue(last.matches("\\d+ seeds, 0 failed, .*[^0-9s]\\d*") && !last.endsWith(" s"), last);
    }

    @Test
    void shouldSayWhatADoctorMeasures() throws Exception {
        assumeTrue(Files.isRegularFile(Path.of(Launch.locationOf(RankMain.class))), "costs are kept beside a jar");
        Result result = interrupted("INT", "rankwire: measuring sizes of rings and slabs, \\d+ s\n", "doctor",
                "--measure");
        assertEquals(130, result.status(), result.out());
        assertTrue(result.out().contains("\ninterrupted: nothing that was measured is kept\n"), result.out());
        assertTrue(result.out().contains("\ncopies "), result.out());
    }
}
