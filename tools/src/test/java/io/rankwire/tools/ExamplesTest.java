package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every example at 1, 2, 3, 4 and 7 ranks, some as processes and some as threads, some as source files and all
 * compiled. Each checks its own result. At 1 and 3 ranks the JVM has its usual options.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class ExamplesTest {
    private static final String DEADLOCK = "Deadlock.java";

    @TempDir
    Path jobs;

    static List<String> names() throws Exception {
        return Examples.names();
    }

    @Test
    void shouldFindTheExamples() throws Exception {
        assertTrue(names().containsAll(List.of("Hello.java", "Ring.java", "PingPong.java", "MasterWorker.java",
                "Halo.java", "Heat2D.java", "DatagramChat.java", "Histogram.java", "TreeSum.java", "SampleSort.java",
                "ConjugateGradient.java", "Fft.java", "KMeans.java", "CompletionLoop.java", "ActiveWork.java",
                "SurvivingHeat.java", "SurvivingGradient.java", "SurvivingWorkers.java", DEADLOCK)),
                names().toString());
    }

    /** All but the one that is stuck, in one job. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldWorkAtEveryRankCount(int ranks) throws Exception {
        List<String> words = words(ranks);
        words.addAll(Examples.oneAfterAnother(names().stream().filter(name -> !name.equals(DEADLOCK)).toList()));
        assertWell(Command.run(jobs, words.toArray(String[]::new)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hello.java", "Heat2D.java"})
    void shouldWorkAsASourceFile(String name) throws Exception {
        assertWell(Command.run(jobs, "run", "-n", "1", Examples.source(name)));
    }

    private void assertWell(Result result) throws Exception {
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals("", result.err());
        assertTrue(Command.isEmpty(jobs), "files left");
    }

    /** A deadlock takes seconds to prove, and waits for the next rank whatever their number is. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldProveTheDeadlock(int ranks) throws Exception {
        List<String> words = words(ranks);
        words.addAll(Examples.compiled(DEADLOCK));
        Result result = Command.run(jobs, words.toArray(String[]::new));
        if (ranks == 1) {
            assertWell(result);
        } else {
            assertEquals(35, result.status(), result.out() + result.err());
            assertTrue(result.err().contains("cycle: ") && result.err().contains(DEADLOCK + ":"), result.err());
            assertTrue(Command.isEmpty(jobs), "files left");
        }
    }

    private static List<String> words(int ranks) {
        List<String> words = new ArrayList<>(List.of("run", "-n", Integer.toString(ranks)));
        if (ranks == 3 || ranks == 7) {
            words.add("--threads");
        }
        if (ranks != 1 && ranks != 3) {
            words.addAll(List.of("--jvm", Command.LIGHT));
        }
        return words;
    }

    @Test
    void shouldFormAWorldOfWorkers() throws Exception {
        List<String> command = new ArrayList<>(List.of(Command.java()));
        command.addAll(List.of(Command.LIGHT.split(" ")));
        List<String> words = Examples.compiled(Examples.WORKERS);
        command.addAll(List.of("-cp", words.get(1) + File.pathSeparator + Launch.locationOf(RankMain.class),
                words.get(2)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("RANKWIRE_DIR", jobs.toString());
        Process coordinator = builder.start();
        try {
            String text = new String(coordinator.getInputStream().readAllBytes());
            assertEquals("3 workers have found pi\n", text);
            assertEquals(0, coordinator.waitFor());
        } finally {
            coordinator.descendants().forEach(ProcessHandle::destroyForcibly);
            coordinator.destroyForcibly();
        }
        assertTrue(Command.isEmpty(jobs), "files left by the workers");
    }
}
