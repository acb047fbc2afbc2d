package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every class and member that ARCHITECTURE.md names exists in the code. */
class DocumentedNamesTest {
    private static final Path ROOT = Path.of("..");
    /** A class with a capital and a small letter, perhaps behind its package, perhaps with a member. */
    private static final Pattern NAME =
            Pattern.compile("`(?:[a-z]+\\.)*([A-Z]+[a-z]\\w*)(?:\\.(\\w+)(?:\\(\\w*\\))?)?`");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|record|enum|interface) ([A-Z]\\w+)");
    private static final List<String> JDK = List.of("java.lang.", "java.util.", "java.lang.foreign.");

    @Test
    void shouldNameWhatExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> wrong = new ArrayList<>();
        int names = 0;
        Matcher name = NAME.matcher(Files.readString(ROOT.resolve("ARCHITECTURE.md")));
        while (name.find()) {
            names++;
            String source = sources.get(name.group(1));
            boolean known = source != null
                    ? name.group(2) == null || source.matches("(?s).*\\b" + name.group(2) + "\\b.*")
                    : isOfTheJdk(name.group(1));
            if (!known) {
                wrong.add(name.group());
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(names > 100, names + " names found");
    }

    /** The text of the file that declares each type. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String module : List.of("core", "tools", "mpi")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    Matcher declared = DECLARED.matcher(text);
                    while (declared.find()) {
                        sources.merge(declared.group(1), text, String::concat);
                    }
                }
            }
        }
        return sources;
    }

    private static boolean isOfTheJdk(String name) {
        for (String prefix : JDK) {
            try {
                Class.forName(prefix + name);
                return true;
            } catch (ClassNotFoundException e) {
                continue;
            }
        }
        return false;
    }
}
