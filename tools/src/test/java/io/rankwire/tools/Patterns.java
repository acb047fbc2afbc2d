package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The programs of the course: their sources, their classes, and what the course says that they print. */
final class Patterns {
    private static final Path SOURCES = Path.of("..", "examples", "patterns");
    private static final Path CLASSES = Command.place("patterns");
    private static final Pattern BLOCK = Pattern.compile("^```\n(bin/rankwire [^\n]+)\n(.+?)^```$",
            Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern COMMAND = Pattern.compile("bin/rankwire (.*) examples/patterns/(P\\d\\d\\w+)\\.java");

    static final Path COURSE = Path.of("..", "docs", "COURSE.md");

    private static boolean compiled;

    private Patterns() {}

    /** What the course shows for a command: all lines that it prints. Blocks of another kind show one run of many. */
    record Shown(List<String> options, String name, List<String> printed) {
        String rest() {
            return String.join(" ", options);
        }
    }

    /** The names of the classes, in order. */
    static List<String> names() throws Exception {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(file -> file.getFileName().toString().replace(".java", "")).sorted().toList();
        }
    }

    static String source(String name) throws Exception {
        return Files.readString(SOURCES.resolve(name + ".java"));
    }

    static List<Shown> shown() throws Exception {
        List<Shown> all = new ArrayList<>();
        for (MatchResult block : BLOCK.matcher(Files.readString(COURSE)).results().toList()) {
            var command = COMMAND.matcher(block.group(1));
            if (!command.matches()) {
                throw new AssertionError("the course has a block with output that is of no pattern: " + block.group(1));
            }
            all.add(new Shown(List.of(command.group(1).split(" ")), command.group(2), block.group(2).lines().toList()));
        }
        return all;
    }

    /** The words of a command that run one of the classes. */
    static List<String> compiled(String name) throws Exception {
        compile();
        return List.of("-cp", CLASSES.toString(), name);
    }

    /** The words of a command that run all of them in the same processes, with a divider before each but the first. */
    static List<String> oneAfterAnother() throws Exception {
        compile();
        List<String> words = new ArrayList<>(List.of("-cp", CLASSES.toString(), ExampleAfterExample.class.getName()));
        for (String name : names()) {
            words.add(name);
            words.add(Divider.class.getName());
        }
        return words.subList(0, words.size() - 1);
    }

    private static synchronized void compile() throws Exception {
        if (!compiled) {
            List<String> words = new ArrayList<>(List.of("-g", "-d", CLASSES.toString()));
            for (Class<?> each : List.of(ExampleAfterExample.class, Divider.class)) {
                words.add(Path.of("src", "test", "java", each.getName().replace('.', '/') + ".java").toString());
            }
            for (String name : names()) {
                words.add(SOURCES.resolve(name + ".java").toString());
            }
            assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
            compiled = true;
        }
    }
}
