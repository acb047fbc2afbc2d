package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the table of docs/MECHANISMS.md to the code: each class, member and test that it names exists. */
class MechanismsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    /** A class, perhaps with its folder and with members; or members alone, of the class before. */
    private static final Pattern NAME =
            Pattern.compile("`(?<folder>(?:[a-z]+/)*)(?<type>[A-Z]\\w*)?(?<members>(?:\\.?\\w+)*)(?<all>\\*\\w*)?`");

    @Test
    void shouldNameClassesMembersAndTestsThatExist() throws IOException {
        Map<String, Path> sources = sources();
        List<String> findings = new ArrayList<>();
        int names = 0;
        for (String row : Files.readAllLines(ROOT.resolve("docs/MECHANISMS.md"))) {
            String[] cells = row.split(" \\| ");
            if (row.startsWith("| ") && cells.length >= 4) {
                String last = "";
                String named = cells[cells.length - 2] + " " + cells[cells.length - 1];
                for (MatchResult name : NAME.matcher(named).results().toList()) {
                    names++;
                    last = name.group("type") == null ? last : source(sources, name);
                    if (!exists(sources, name, last)) {
                        findings.add(cells[0] + ": " + name.group());
                    }
                }
                assertEquals(named.chars().filter(each -> each == '`').count(),
                        2 * NAME.matcher(named).results().count(), "names of another form: " + named);
            }
        }
        assertTrue(names > 100, names + " names");
        assertEquals(List.of(), findings);
    }

    /** Sources by their path from the root package on, without the extension. */
    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> found = new LinkedHashMap<>();
        for (String tree : List.of("core/src/main", "core/src/test", "tools/src/main", "tools/src/test")) {
            Path top = ROOT.resolve(tree).resolve("java/io/rankwire");
            try (Stream<Path> all = Files.walk(top)) {
                all.filter(file -> file.toString().endsWith(".java")).sorted().forEach(file -> found.put(
                        "/" + top.relativize(file).toString().replace('\\', '/').replace(".java", ""), file));
            }
        }
        return found;
    }

    private static String source(Map<String, Path> sources, MatchResult name) {
        String path = "/" + name.group("folder") + name.group("type");
        return sources.keySet().stream().filter(each -> each.endsWith(path)).findFirst().orElse("");
    }

    private static boolean exists(Map<String, Path> sources, MatchResult name, String last) throws IOException {
        if (name.group("all") != null) {
            String pattern = "/" + name.group("folder") + name.group("all").replace("*", "\\w+");
            return sources.keySet().stream().anyMatch(each -> each.matches(pattern));
        }
        if (last.isEmpty()) {
            return false;
        }
        String text = Files.readString(sources.get(last));
        return Stream.of(name.group("members").split("\\.")).filter(member -> !member.isEmpty())
                .allMatch(member -> Pattern.compile("\\b" + member + "\\b").matcher(text).find());
    }
}
