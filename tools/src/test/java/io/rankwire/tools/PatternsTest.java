package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import io.rankwire.tools.Patterns.Shown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of the course, each of which checks its own result, and what the course shows of them. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class PatternsTest {
    private static final int COUNT = 25;
    private static final int SCREEN = 60;
    /** In these every rank prints, and ranks print in any order. */
    private static final Set<String> IN_ANY_ORDER = Set.of("P01Spmd", "P10Objects");
    /** The jobs of threads that run all patterns; one of three processes and simulated ones come on top. */
    private static final List<Integer> RANKS = List.of(1, 2, 4, 7);

    @TempDir
    Path jobs;

    private Result run(List<String> options, List<String> program) throws Exception {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("--jvm", Command.LIGHT));
        words.addAll(program);
        return Command.run(jobs, words.toArray(String[]::new));
    }

    private void assertWell(Result result) throws Exception {
        assertEquals(0, result.status(), result.out() + result.err());
        assertTrue(Command.isEmpty(jobs), "files left");
    }

    private static void assertPrints(Shown shown, List<String> printed) {
        boolean any = IN_ANY_ORDER.contains(shown.name());
        List<String> expected = any ? shown.printed().stream().sorted().toList() : shown.printed();
        List<String> found = any ? printed.stream().sorted().toList() : printed;
        boolean same = found.size() == expected.size();
        for (int i = 0; same && i < found.size(); i++) {
            same = found.get(i).matches(pattern(expected.get(i)));
        }
        assertTrue(same, () -> "the course shows for " + shown.rest() + " " + shown.name() + "\n"
                + String.join("\n", expected) + "\nand it prints\n" + String.join("\n", found));
    }

    /** In lines of the launcher, three dots stand for anything; pictures have dots too. */
    private static String pattern(String line) {
        return line.startsWith("rankwire: ")
                ? Stream.of(line.split("\\.\\.\\.", -1)).map(Pattern::quote).collect(Collectors.joining(".*"))
                : Pattern.quote(line);
    }

    static List<Integer> ranks() {
        return RANKS;
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void shouldWorkAtEveryRankCountAndPrintWhatTheCourseShows(int ranks) throws Exception {
        Result result = run(List.of("run", "-n", "" + ranks, "--threads"), Patterns.oneAfterAnother());
        assertWell(result);
        assertEquals("", result.err());
        List<String> printed = List.of(result.out().split(Divider.LINE + "\n", -1));
        assertEquals(COUNT, printed.size(), result.out());
        List<String> names = Patterns.names();
        for (int i = 0; i < COUNT; i++) {
            assertTrue(!printed.get(i).isBlank(), names.get(i) + " prints nothing");
        }
        for (Shown shown : Patterns.shown()) {
            if (shown.rest().equals("run -n " + ranks)) {
                assertPrints(shown, printed.get(names.indexOf(shown.name())).lines().toList());
            }
        }
    }

    /** The others of the course, one by one: most are simulated, and then what was before counts. */
    static List<Shown> others() throws Exception {
        List<String> jobs = RANKS.stream().map(ranks -> "run -n " + ranks).toList();
        return Patterns.shown().stream().filter(shown -> !jobs.contains(shown.rest())).toList();
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldPrintWhatTheCourseShows(Shown shown) throws Exception {
        Result result = run(shown.options(), Patterns.compiled(shown.name()));
        assertWell(result);
        assertPrints(shown, Stream.concat(result.out().lines(), result.err().lines()).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"run -n 3", "sim run -n 5 --topology torus", "sim run -n 3 --faults 7"})
    void shouldWorkAsProcessesAndSimulated(String options) throws Exception {
        assertWell(run(List.of(options.split(" ")), Patterns.oneAfterAnother()));
    }

    /** The change that the course proposes for the third pattern. */
    @Test
    void shouldReportTheDeadlockThatTheCourseShows() throws Exception {
        String changed = Patterns.source("P03Deadlock").replace("Request coming = all.irecv(", "all.receive(")
                .replace("        coming.await();\n", "");
        Path program = Files.writeString(Files.createTempDirectory("patterns").resolve("P03Deadlock.java"), changed);
        try {
            Result result = run(List.of("sim", "run", "-n", "4"), List.of(program.toString()));
            assertEquals(35, result.status(), result.out() + result.err());
            String report = result.err().substring(result.err().indexOf("rankwire: deadlock"));
            assertTrue(Files.readString(Patterns.COURSE).contains(report), report);
        } finally {
            Files.delete(program);
            Files.delete(program.getParent());
        }
    }

    @Test
    void shouldHaveAChapterForEachPattern() throws Exception {
        assertEquals(COUNT, Patterns.names().size());
        String course = Files.readString(Patterns.COURSE);
        int last = 0;
        for (String name : Patterns.names()) {
            String source = Patterns.source(name);
            assertTrue(source.lines().count() <= SCREEN, name + " is longer than a screen");
            assertTrue(source.contains("\n// Try next: "), name);
            String command = source.lines().filter(line -> line.startsWith("//     bin/rankwire ")).findFirst()
                    .orElseThrow(() -> new AssertionError(name + " has no command")).substring("//     ".length());
            assertTrue(command.endsWith(" examples/patterns/" + name + ".java"), command);
            int chapter = course.indexOf("\n## " + Integer.parseInt(name.substring(1, 3)) + ". ");
            assertTrue(chapter > last, "no chapter of the course is about " + name);
            assertTrue(course.indexOf("```", chapter) > 0 && course.indexOf(command + "\n", chapter) > 0, command);
            assertTrue(course.contains("](../examples/patterns/" + name + ".java)"), "no link to " + name);
            last = chapter;
        }
    }

    /** The names on the right side of the appendix, such as {@code Communicator.send}, are members of the API. */
    @Test
    void shouldNameWhatThereIs() throws Exception {
        String course = Files.readString(Patterns.COURSE);
        String appendix = course.substring(course.indexOf("| MPI | Rankwire |"));
        int found = 0;
        for (MatchResult name : Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`").matcher(appendix).results().toList()) {
            Class<?> type = Class.forName("io.rankwire." + name.group(1));
            assertTrue(Stream.concat(Stream.of(type.getMethods()), Stream.of(type.getFields()))
                    .anyMatch(member -> member.getName().equals(name.group(2))), name.group());
            found++;
        }
        assertTrue(found > 100, found + " names");
    }
}
