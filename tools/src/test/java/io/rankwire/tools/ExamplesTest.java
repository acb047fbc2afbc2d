package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every example at 1, 2, 3, 4 and 7 ranks, some as processes and some as threads, some as source files and all
 * compiled. Each checks its own result. At 1 and 3 ranks the JVM has its usual options.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class ExamplesTest {
    private static final String DEADLOCK = "Deadlock.java";
    /** Those that are also run as source files; all are compiled from them. */
    private static final Set<String> AS_SOURCES = Set.of("Hello.java", "MasterWorker.java", "Heat2D.java");

    @TempDir
    Path jobs;

    static List<String> names() throws Exception {
        return Examples.names();
    }

    @Test
    void shouldFindTheExamples() throws Exception {
        assertTrue(names().containsAll(List.of("Hello.java", "Ring.java", "PingPong.java", "MasterWorker.java",
                "Halo.java", "Heat2D.java", "DatagramChat.java", "Histogram.java", "TreeSum.java", "SampleSort.java",
                "ConjugateGradient.java", "Fft.java", "KMeans.java", DEADLOCK)),
                names().toString());
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldWorkAtEveryRankCount(String name) throws Exception {
        // A deadlock takes seconds to prove, and waits for the next rank whatever their number is.
        for (int ranks : name.equals(DEADLOCK) ? new int[] {1, 2, 3} : new int[] {1, 2, 3, 4, 7}) {
            boolean threads = ranks == 3 || ranks == 7;
            List<String> words = new ArrayList<>(List.of("run", "-n", Integer.toString(ranks)));
            if (threads) {
                words.add("--threads");
            }
            if (ranks != 1 && ranks != 3) {
                words.addAll(List.of("--jvm", Command.LIGHT));
            }
            words.addAll(ranks == 1 && AS_SOURCES.contains(name) ? List.of(Examples.source(name))
                    : Examples.compiled(name));
            Result result = Command.run(jobs, words.toArray(String[]::new));
            boolean stuck = name.equals(DEADLOCK) && ranks > 1;
            String told = name + " at " + ranks + ": " + result.out() + result.err();
            assertEquals(stuck ? 35 : 0, result.status(), told);
            if (stuck) {
                assertTrue(result.err().contains("cycle: ") && result.err().contains(DEADLOCK + ":"), result.err());
            } else {
                assertEquals("", result.err(), name + " at " + ranks);
            }
            assertTrue(Command.isEmpty(jobs), "files left by " + name + " at " + ranks);
        }
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
