package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run that goes well does. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RunTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path jobs;

    @TempDir
    Path work;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        assertTrue(Command.isEmpty(jobs), "files left in the place for jobs");
    }

    private static void assertEnded(int status, Result result) {
        assertEquals(status, result.status(), () -> result.out() + result.err());
    }

    @Test
    void shouldRunEveryRankWithItsArguments() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "-cp", CLASSES, Programs.name("Echo"), "a", "b c", "-n");
        assertEnded(0, result);
        List<String> lines = result.lines().stream().sorted().toList();
        assertEquals(3, lines.size());
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(lines.get(rank).startsWith(rank + " of 3 [a, b c, -n] x=null"), lines.get(rank));
        }
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @CsvSource({"3,--tag-output,70000", "2,--threads,100000"})
    @Timeout(300)
    void shouldReceiveAMessageBehindMoreThanAReceiverHolds(int ranks, String option, String messages) throws Exception {
        Result result = Command.run(jobs, "run", option, "-n", "" + ranks, "-cp", CLASSES, BehindMany.class.getName(),
                messages);
        assertEnded(0, result);
        List<String> lines = result.lines();
        assertEquals(1, lines.stream().filter(line -> line.endsWith("in order")).count(), result.out());
        assertEquals(ranks - 1, lines.stream().filter(line -> line.endsWith("held back true")).count(), result.out());
        assertEquals("", result.err());
    }

    @Test
    void shouldTakeTheClassPathAfterTheClassAndPassOptionsOn() throws Exception {
        Path place = Files.createDirectory(work.resolve("place"));
        Result result = Command.run(
                jobs, Map.of("RW_FROM", "outside"), "", "run", "-np", "2", "--tag-output", "-x", "RW_TEST_X=a=b", "-x",
                "RW_FROM", "--wdir", place.toString(), "--jvm", "-Xmx64m -Dp='two words'", Programs.name("Echo"), "-cp",
                CLASSES, "arg");
        assertEnded(0, result);
        assertEquals(
                List.of("[0] 0 of 2 [arg] x=a=b p=two words in place", "[1] 1 of 2 [arg] x=a=b p=two words in place"),
                result.lines().stream().sorted().toList());
    }

    @Test
    void shouldRunAJar() throws Exception {
        Path jar = work.resolve("app.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Programs.name("Echo"));
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, Path.of(CLASSES).toUri().toString());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        Result result = Command.run(jobs, "run", "--ranks=1", jar.toString(), "x");
        assertEnded(0, result);
        assertTrue(result.out().startsWith("0 of 1 [x]"), result.out());
    }

    @Test
    void shouldCompileASourceFileOnceForAllRanks() throws Exception {
        Path source = Files.writeString(work.resolve("Hello.java"), """
                void main(String[] args) {
                    IO.println(Other.greeting() + " " + getClass().getName() + " " + where());
                }

                String where() {
                    return getClass().getProtectionDomain().getCodeSource().getLocation().toString();
                }
                """);
        Files.writeString(work.resolve("Other.java"), "class Other { static String greeting() { return \"hi\"; } }");
        Result result = Command.run(jobs, "run", "-n", "3", source.toString());
        assertEnded(0, result);
        assertEquals(3, result.lines().size());
        assertEquals(1, result.lines().stream().distinct().count(), "all ranks run the same compiled class");
        assertTrue(result.out().startsWith("hi Hello file:" + jobs), result.out());
    }

    @Test
    void shouldShowCompileErrorsAndStartNothing() throws Exception {
        Path source = Files.writeString(work.resolve("Broken.java"), "void main() {\n    int x = \"text\";\n}\n");
        Result result = Command.run(jobs, "run", "-n", "2", source.toString());
        assertEnded(1, result);
        assertTrue(result.err().contains("Broken.java:2: error: incompatible types"), result.err());
        String last = "rankwire: Broken.java does not compile, so no rank was started\n";
        assertTrue(result.err().endsWith(last), result.err());
    }

    @Test
    void shouldKeepLinesWhole() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "-cp", CLASSES, Programs.name("Pieces"));
        assertEnded(0, result);
        assertWhole(result);
    }

    private static void assertWhole(Result result) {
        int whole = 0;
        for (String line : result.lines()) {
            if (line.startsWith("end")) {
                assertEquals(4, line.length(), line);
            } else {
                assertTrue(line.matches("0{1000}|1{1000}|2{1000}"), line);
                whole++;
            }
        }
        assertEquals(150, whole);
        assertEquals(153, result.lines().size());
    }

    @Test
    void shouldKeepLinesWholeWithThreads() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--threads", "-cp", CLASSES, Programs.name("Pieces"));
        assertEnded(0, result);
        assertWhole(result);
    }

    @Test
    void shouldPassALineOfAnyLength() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "1", "--tag-output", "-cp", CLASSES, Programs.name("LongLine"));
        assertEnded(0, result);
        assertEquals("[0] ".length() + 3_000_000 + 1, result.out().length());
    }

    @Test
    void shouldGiveStandardInputToRankZeroOnly() throws Exception {
        for (String[] mode : new String[][] {{"run", "-n", "2"}, {"run", "-n", "2", "--threads"}}) {
            String[] args = java.util.Arrays.copyOf(mode, mode.length + 3);
            args[mode.length] = "-cp";
            args[mode.length + 1] = CLASSES;
            args[mode.length + 2] = Programs.name("Input");
            Result result = Command.run(jobs, Map.of(), "some words", args);
            assertEnded(0, result);
            assertEquals(List.of("0 read some words", "1 read "), result.lines().stream().sorted().toList());
        }
    }

    @Test
    void shouldGiveEachThreadRankItsOwnStatics() throws Exception {
        String program = Programs.name("Statics");
        Result result = Command.run(jobs, "run", "-n", "3", "--threads", "--tag-output", "-cp", CLASSES, program);
        assertEnded(0, result);
        assertEquals(
                List.of("[0] 0 counted 1000 true", "[1] 1 counted 1000 true", "[2] 2 counted 1000 true"),
                result.lines().stream().sorted().toList());
    }

    @Test
    void shouldRunTwoJobsAtOnce() throws Exception {
        Path ready = Files.createDirectory(work.resolve("ready"));
        String program = Programs.name("Wait");
        try (Command first = Command.start(jobs, "run", "-n", "2", "-cp", CLASSES, program, ready.toString())) {
            Command.await("both ranks wait", () -> Files.exists(ready.resolve("pid.0"))
                    && Files.exists(ready.resolve("pid.1")));
            Result second = Command.run(jobs, "run", "-n", "2", "-cp", CLASSES, Programs.name("Echo"));
            assertEnded(0, second);
            assertEquals(2, second.lines().size());
            assertTrue(!Command.isEmpty(jobs), "the first job still has its directory");
            first.signal("TERM");
            assertEnded(143, first.result());
        }
    }
}
