package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that look stuck: those that go on by themselves are never ended, those that are stuck are proven to be or
 * reported. Each program runs in one of three ways: as processes, as threads, and most of them embedded in another
 * program, which needs one JVM in place of three. {@code -Drankwire.test.everyWay=true} runs each in all three.
 */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
class StuckTest {
    private static final String CLASSES = Launch.locationOf(StuckTest.class);
    private static final int AT_ONCE = 8;
    /** Longer than a proof takes on an idle machine. */
    private static final String WAIT_MS = "2000";

    @TempDir
    Path jobs;

    private enum How {
        PROCESSES,
        THREADS,
        EMBEDDED
    }

    /** In turn, if each program runs in one way. */
    private static final How[] MIX = {How.PROCESSES, How.EMBEDDED, How.THREADS, How.EMBEDDED, How.EMBEDDED};

    @FunctionalInterface
    private interface Judge {
        /** What is wrong, or null. */
        String judge(Result result);
    }

    @Test
    void shouldNeverEndAProgramThatGoesOn() throws Exception {
        judgeAll(WaitingPrograms.WAYS.keySet(), WaitingPrograms.class, List.of("--stall", "60"), List.of(WAIT_MS),
                result -> result.status() == 0 && result.out().equals("went on\n") && result.err().isEmpty() ? null
                        : "ended with status " + result.status());
    }

    @Test
    void shouldFindEveryProgramThatIsStuck() throws Exception {
        judgeAll(StuckPrograms.BODIES.keySet(), StuckPrograms.class, List.of("--stall", "2", "--on-stall", "end"),
                List.of(), result -> {
                    boolean found = result.err().contains("deadlock") && result.err().contains("rank 1");
                    boolean mismatch = result.err().contains("the ranks do not make the same calls");
                    return (found || mismatch) && result.status() != 0 ? null : "not found, status " + result.status();
                });
    }

    private void judgeAll(Collection<String> names, Class<?> programs, List<String> options, List<String> arguments,
            Judge judge) throws Exception {
        boolean everyWay = Boolean.getBoolean("rankwire.test.everyWay");
        List<Callable<String>> runs = new ArrayList<>();
        int next = 0;
        for (String name : names) {
            List<How> ways = everyWay ? List.of(How.values()) : List.of(MIX[next++ % MIX.length]);
            for (How how : ways) {
                runs.add(() -> {
                    Result result = run(how, programs, options, name, arguments);
                    String wrong = judge.judge(result);
                    return wrong == null ? null
                            : "\"" + name + "\" as " + how + ": " + wrong + "\n" + result.out() + result.err();
                });
            }
        }
        List<String> wrong = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<String> each : pool.invokeAll(runs)) {
                if (each.get() != null) {
                    wrong.add(each.get());
                }
            }
        }
        assertTrue(wrong.isEmpty(), () -> wrong.size() + " of " + runs.size() + ":\n" + String.join("\n", wrong));
    }

    private Result run(How how, Class<?> programs, List<String> options, String name, List<String> arguments)
            throws Exception {
        List<String> line = new ArrayList<>();
        if (how == How.EMBEDDED) {
            line.addAll(List.of(Command.java(), "--enable-native-access=ALL-UNNAMED"));
            line.addAll(List.of(Command.LIGHT.split(" ")));
            ClassArchive.use(line, List.of(), null);
            for (int i = 0; i < options.size(); i += 2) {
                line.add(options.get(i).equals("--stall") ? "-Drankwire.stall=" + options.get(i + 1)
                        : "-Drankwire.onStall=" + options.get(i + 1));
            }
            line.addAll(List.of("-cp", Launch.locationOf(RankMain.class) + File.pathSeparator + CLASSES,
                    programs.getName() + "$Embedded"));
        } else {
            line.addAll(List.of("run", "-n", "2"));
            if (how == How.THREADS) {
                line.add("--threads");
            }
            line.addAll(options);
            line.addAll(List.of("--jvm", Command.LIGHT, "-cp", CLASSES, programs.getName() + "$Main"));
        }
        line.add(name);
        line.addAll(arguments);
        String[] words = line.toArray(String[]::new);
        try (Command command = how == How.EMBEDDED ? Command.start(new ProcessBuilder(words))
                : Command.start(jobs, words)) {
            command.endInput();
            return command.result();
        } catch (Exception e) {
            throw new IllegalStateException("\"" + name + "\" as " + how, e);
        }
    }

    @Test
    void shouldReportAStallOnceAndGoOn() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--stall", "1", "-cp", CLASSES,
                WaitingPrograms.class.getName() + "$Main", "sleep", "4000");
        assertEquals(0, result.status(), result.err());
        assertEquals("went on\n", result.out());
        assertTrue(result.err().matches("(?s)rankwire: no progress for \\d+ s, maybe a deadlock; the job goes on\n.*"),
                result.err());
        assertFalse(result.err().substring(1).contains("rankwire: "), result.err());
        assertTrue(result.err().contains("  rank 0: receive from rank 1, tag 2, on world at WaitingPrograms.java:"),
                result.err());
        assertTrue(result.err().contains("at java.lang.Thread.sleep\n"), result.err());
        assertTrue(result.err().contains("WaitingPrograms.java:"), result.err());
        assertTrue(result.err().contains("JavaWaits.java:"), result.err());
    }

    @Test
    void shouldNameMessagesThatWaitForAnotherReceive() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--stall", "0", "-cp", CLASSES,
                StuckPrograms.class.getName() + "$Main", "another tag");
        assertEquals(35, result.status(), result.err());
        assertTrue(result.err().startsWith("rankwire: deadlock: every rank waits"), result.err());
        assertTrue(result.err().contains("; a message from rank 0 with tag 1 is waiting"), result.err());
    }

    @Test
    void shouldShowTheStackOfARankOutsideOfCalls() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--stall=1", "--on-stall=end", "-cp", CLASSES,
                StuckPrograms.class.getName() + "$Main", "one rank waits for a latch outside of any call");
        assertEquals(35, result.status(), result.err());
        assertTrue(result.err().contains("rank 0: is running, outside any blocking call\n"), result.err());
        assertTrue(result.err().contains("  other threads in the process of rank 0:\n"
                + "    thread \"main\", waiting:\n"
                + "      at java.util.concurrent.CountDownLatch.await\n"), result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--threads", "--tag-output"})
    void shouldGoOnWhenStandardInputComesLate(String how) throws Exception {
        ProcessBuilder builder = Command.builder(jobs, "run", "-n", "2", how, "-cp", CLASSES,
                WaitingPrograms.class.getName() + "$Main", "standard input", WAIT_MS);
        try (Command command = Command.start(builder)) {
            // Longer than a proof takes.
            new ProcessBuilder("sleep", "4").start().waitFor();
            command.endInput();
            Result result = command.result();
            assertEquals(0, result.status(), result.err());
        }
    }
}
