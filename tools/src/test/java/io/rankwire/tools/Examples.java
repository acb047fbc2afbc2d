package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The example programs: their sources, and their classes, which are compiled once for all tests. */
final class Examples {
    private static final Path SOURCES = Path.of("..", "examples");
    private static final Path CLASSES = Command.place("examples");
    /** Beside the examples: other classes of the tests keep state, and ranks of a simulation would not share these. */
    private static final Path CALLER = Path.of("src", "test", "java",
            ExampleAfterExample.class.getName().replace('.', '/') + ".java");

    /** The one that starts its processes by itself. */
    static final String WORKERS = "Workers.java";

    private static boolean compiled;

    private Examples() {}

    /** The names of the source files that a launcher runs, in order. */
    static List<String> names() throws Exception {
        return all().stream().filter(name -> !name.equals(WORKERS)).toList();
    }

    private static List<String> all() throws Exception {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(file -> file.getFileName().toString()).filter(n -> n.endsWith(".java")).sorted().toList();
        }
    }

    static String source(String name) {
        return SOURCES.resolve(name).toString();
    }

    /** The words of a command that run the class of a source file. */
    static List<String> compiled(String name) throws Exception {
        compile();
        return List.of("-cp", CLASSES.toString(), className(name));
    }

    /** The words of a command that run the classes of source files, one after the other in the same processes. */
    static List<String> oneAfterAnother(List<String> names) throws Exception {
        compile();
        List<String> words = new ArrayList<>(List.of("-cp", CLASSES.toString(), ExampleAfterExample.class.getName()));
        names.forEach(name -> words.add(className(name)));
        return words;
    }

    private static String className(String name) {
        return name.replace(".java", "");
    }

    private static synchronized void compile() throws Exception {
        if (!compiled) {
            List<String> words = new ArrayList<>(List.of("-g", "-d", CLASSES.toString(), CALLER.toString()));
            for (String each : all()) {
                words.add(source(each));
            }
            assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
            compiled = true;
        }
    }
}
