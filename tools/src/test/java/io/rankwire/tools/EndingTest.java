package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is said, and what is not, when a job ends before its time. */
@Timeout(300)
class EndingTest {
    private static final String CLASSES = Launch.locationOf(EndingPrograms.class);

    @TempDir
    Path jobs;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    private Result run(String program, String... more) throws Exception {
        List<String> args = new ArrayList<>(List.of(more));
        args.addAll(List.of("-cp", CLASSES, EndingPrograms.name(program)));
        return Command.run(jobs, args.toArray(new String[0]));
    }

    /** A JVM that is ended while it starts complains of that in several ways, none of them a user's business. */
    @Test
    void shouldSayNothingOfJvmsThatAreEndedWhileTheyStart() throws Exception {
        for (int ms = 10; ms <= 220; ms += 35) {
            Result result = run("Endless", "run", "-n", "4", "--timeout", "0." + String.format("%03d", ms));
            assertEquals(124, result.status(), result.err());
            String expected = "rankwire: the job did not end within [0-9.]+ s\n(  rank [0-3]: .*\n){4}(  .*\n)+";
            assertTrue(result.err().matches(expected), "after " + ms + " ms: " + result.err());
        }
    }

    @Test
    void shouldBlameTheThreadRankThatExits() throws Exception {
        String[] ways = {"main", "halt", "runtime", "virtual", "pool", "common", "reference", "unknown"};
        for (String way : ways) {
            Result result = Command.run(jobs, "run", "-n", "4", "--threads", "-cp", CLASSES,
                    EndingPrograms.name("Exit"), way);
            assertEquals(7, result.status(), way + ": " + result.err());
            String expected = switch (way) {
                case "reference" -> "rankwire: the job failed: a thread named of-two, of rank 2, called System.exit,"
                        + " with status 7\n";
                case "unknown" -> "rankwire: the job failed: a thread named ForkJoinPool.commonPool-worker-1 called"
                        + " System.exit, with status 7\n";
                default -> "rankwire: rank 2 of 4 failed: it exited with status 7\n";
            };
            assertEquals(expected, result.err(), way);
        }
    }

    @Test
    void shouldLetTheOtherThreadRanksFinishWhenOneExitsWell() throws Exception {
        Result result = run("ExitWell", "run", "-n", "3", "--threads");
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("done 0", "done 1", "done 2"), result.lines().stream().sorted().toList());
    }

    @Test
    void shouldKeepLongMessagesOfARankThatIsGone() throws Exception {
        Result result = run("SendsAndIsGone", "run", "-n", "2");
        assertEquals(0, result.status(), result.err());
        assertEquals("all came\n", result.out());
    }

    /** The slab of a rank that sends no long messages takes no room, and is there again for the next one. */
    @Test
    void shouldGiveTheSlabBackWhileIdle() throws Exception {
        Path go = Files.createTempDirectory("rankwire").resolve("go");
        try (Command command = Command.start(jobs, "run", "-n", "2", "-cp", CLASSES,
                EndingPrograms.name("SendsNowAndThen"), go.toString())) {
            Command.await("a slab with pages", () -> slabBytes() > 0);
            Command.await("a slab without pages", () -> slabBytes() == 0);
            Files.createFile(go);
            Result result = command.result();
            assertEquals(0, result.status(), result.err());
            assertEquals("all came\n", result.out());
        } finally {
            Files.deleteIfExists(go);
            Files.delete(go.getParent());
        }
    }

    /** The size of rank 0's slab; -1 if there is none. */
    private long slabBytes() {
        try (Stream<Path> found = Files.find(jobs, 2, (file, what) -> file.endsWith("slab.0"))) {
            Path slab = found.findFirst().orElse(null);
            return slab == null ? -1 : Files.size(slab);
        } catch (IOException | UncheckedIOException goneMeanwhile) {
            return -1;
        }
    }

    @Test
    void shouldRunWorldsInsideRanks() throws Exception {
        for (String[] mode : new String[][] {{"run", "--threads"}, {"run"}, {"sim", "run"}}) {
            List<String> args = new ArrayList<>(List.of(mode));
            args.addAll(List.of("-n", "2"));
            Result result = run("Nested", args.toArray(new String[0]));
            assertEquals(0, result.status(), args + result.err());
            assertEquals(List.of("rank 4 in rank 0 has 10.0", "rank 4 in rank 1 has 10.0"),
                    result.lines().stream().sorted().toList());
        }
    }

    @Test
    void shouldBeginItsMessageOnALineOfItsOwn() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            ProcessBuilder builder = Command.builder(jobs, "run", "-n", "1", mode, "-cp", CLASSES,
                    EndingPrograms.name("HalfALine")).redirectErrorStream(true);
            try (Command command = Command.start(builder)) {
                Result result = command.result();
                assertEquals(1, result.status());
                assertTrue(result.out().contains("half a line\nrankwire: the program failed: "), result.out());
            }
        }
    }

    @Test
    void shouldEndAsUnixProgramsDoWhenNobodyReadsTheOutput() throws Exception {
        for (String mode : new String[] {"--tag-output", "--threads"}) {
            File err = Files.createTempFile("rankwire", ".err").toFile();
            Process process = Command.builder(jobs, "run", "-n", "2", mode, "-cp", CLASSES,
                    EndingPrograms.name("Endless")).redirectError(err).start();
            try {
                BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                assertTrue(out.readLine().endsWith("line 0"));
                out.close();
                assertTrue(process.waitFor(120, TimeUnit.SECONDS), "did not end");
                assertEquals(141, process.exitValue());
                assertEquals("", Files.readString(err.toPath()));
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                Files.delete(err.toPath());
            }
        }
    }

    @Test
    void shouldSayWhyTheOutputCannotBeWritten() throws Exception {
        File full = new File("/dev/full");
        Assumptions.assumeTrue(full.exists(), "skipped: there is no /dev/full");
        ProcessBuilder builder = Command.builder(jobs, "run", "-n", "2", "-cp", CLASSES, EndingPrograms.name("Endless"))
                .redirectOutput(full);
        try (Command command = Command.start(builder)) {
            Result result = command.result();
            assertEquals(1, result.status(), result.err());
            String expected = "rankwire: cannot write the output of the ranks: No space left on device\n";
            assertEquals(expected, result.err());
        }
    }
}
