package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.ThreadRanks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example on machines where much goes wrong: each checks its own result, and must print what it prints else. */
@Timeout(300)
class ExamplesUnderFaultsTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    /** It starts its workers as processes of this machine, not of the simulated one. */
    private static final String STARTS_PROCESSES = "Workers.java";
    private static final int RANKS = 4;
    private static final int SEEDS = Integer.getInteger("rankwire.sim.examples", 20);
    /** They exchange so many messages that a few seeds must do. */
    private static final Set<String> LONG = Set.of("PingPong", "Histogram");
    private static final Set<String> TELLS_TIMES = Set.of("PingPong");

    @TempDir
    static Path classes;

    private static URLClassLoader loader;

    @BeforeAll
    static void compile() throws Exception {
        List<String> words = new ArrayList<>(List.of("-d", classes.toString()));
        for (String name : names()) {
            words.add(EXAMPLES.resolve(name + ".java").toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
    }

    @AfterAll
    static void close() throws Exception {
        loader.close();
    }

    static List<String> names() throws Exception {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                    .filter(name -> !name.equals(STARTS_PROCESSES))
                    .map(name -> name.substring(0, name.length() - ".java".length())).sorted().toList();
        }
    }

    /** Examples keep nothing in statics, so all ranks may use the same classes. */
    private static ThreadRanks.Body example(String name) throws Exception {
        Class<?> type = loader.loadClass(name);
        Method main = Stream.of(type.getDeclaredMethods()).filter(m -> m.getName().equals("main")).findFirst().get();
        main.setAccessible(true);
        Constructor<?> make = type.getDeclaredConstructor();
        make.setAccessible(true);
        Object[] arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[] {new String[0]};
        return job -> {
            try {
                main.invoke(make.newInstance(), arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }

    /** What the example has printed. */
    private static String run(Settings settings, Adversity adversity, ThreadRanks.Body example) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            SimulatedRanks.run(settings, RANKS, null, adversity, example);
        } finally {
            System.setOut(before);
        }
        // Ranks may come to it in another order.
        return printed.toString(StandardCharsets.UTF_8).lines().sorted().collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldGiveTheSameAnswers(String name) throws Exception {
        ThreadRanks.Body example = example(name);
        boolean stuck = name.equals("Deadlock");
        String expected = stuck ? "" : run(Settings.DEFAULT, null, example);
        for (long seed = 1; seed <= (LONG.contains(name) ? Math.max(1, SEEDS / 10) : SEEDS); seed++) {
            Settings settings = seed % 5 == 2 ? Settings.DEFAULT.with("fabric", "tcp")
                    : Settings.DEFAULT.with("device.offload", seed % 4 == 0 ? "no" : "yes");
            Adversity adversity = new Adversity(seed, null, settings, RANKS, RANKS);
            if (stuck) {
                String story = assertThrows(ThreadRanks.Failed.class, () -> run(settings, adversity, example))
                        .getMessage();
                assertTrue(story.contains("cycle: "), story);
                continue;
            }
            String told;
            try {
                told = run(settings, adversity, example);
            } catch (ThreadRanks.Failed e) {
                throw new AssertionError("seed " + seed + ", " + adversity.drawn(), e);
            }
            if (!TELLS_TIMES.contains(name)) {
                assertEquals(expected, told, () -> adversity.drawn());
            }
        }
    }
}
