package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.Job;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples that survive, with a rank that dies in the middle: each checks its own result. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SurvivingExamplesTest {
    @TempDir
    Path jobs;

    /** Runs an example in which one rank is killed with signal 9 as soon as it has joined. */
    static final class Killed {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            if (job.rank() == Integer.parseInt(args[0])) {
                Thread.ofPlatform().daemon().start(() -> {
                    while (!job.board().stillOpen(job.rank())) {
                        Thread.onSpinWait();
                    }
                    try {
                        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
            }
            Class<?> example = Class.forName(args[1]);
            var make = example.getDeclaredConstructor();
            make.setAccessible(true);
            var main = Arrays.stream(example.getDeclaredMethods()).filter(each -> each.getName().equals("main"))
                    .findFirst().orElseThrow();
            main.setAccessible(true);
            main.invoke(make.newInstance(), (Object) new String[0]);
        }
    }

    private Result run(List<String> options, List<String> program) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "-n", "4", "--on-failure=continue", "--jvm", Command.LIGHT));
        line.addAll(options);
        line.addAll(program);
        Result result = Command.run(jobs, line.toArray(String[]::new));
        assertEquals(0, result.status(), result.out() + result.err());
        assertTrue(Command.isEmpty(jobs), "files left");
        return result;
    }

    @ParameterizedTest
    @CsvSource({"SurvivingHeat, 120, 200 steps on 64 × 64 cells: as by one rank",
        "SurvivingWorkers, 2 0, 9592 primes below 100000", "SurvivingGradient, 2 35, 2304 unknowns solved: ok",
        "SurvivingGradient, 0 30, 2304 unknowns solved: ok"})
    void shouldGiveTheRightAnswerWhenARankEnds(String example, String args, String answer) throws Exception {
        for (String fabric : List.of("shm", "tcp")) {
            List<String> program = new ArrayList<>(Examples.compiled(example + ".java"));
            program.addAll(List.of(args.split(" ")));
            Result result = run(List.of("--fabric", fabric), program);
            assertEquals(List.of(answer), result.lines(), result.err());
            assertTrue(result.err().contains("exited with status 1; the job goes on without it"), result.err());
        }
    }

    @ParameterizedTest
    @CsvSource({"SurvivingHeat, 0, 200 steps on 64 × 64 cells: as by one rank",
        "SurvivingHeat, 3, 200 steps on 64 × 64 cells: as by one rank",
        "SurvivingWorkers, 3, 9592 primes below 100000", "SurvivingGradient, 1, 2304 unknowns solved: ok"})
    void shouldGiveTheRightAnswerWhenARankIsKilled(String example, String victim, String answer) throws Exception {
        List<String> words = Examples.compiled(example + ".java");
        String classes = words.get(1) + File.pathSeparator + Launch.locationOf(Programs.class);
        Result result = run(List.of("--spares=1"),
                List.of("-cp", classes, Killed.class.getName(), victim, words.get(2)));
        assertEquals(List.of(answer), result.lines(), result.err());
        assertTrue(result.err().contains("rank " + victim + " of 4 failed: it was killed by signal 9"), result.err());
    }
}
