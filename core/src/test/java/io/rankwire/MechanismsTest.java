package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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

    private static final int COLUMNS = 6;
    private static final int REACH = 4;

    private static List<String[]> rows() throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String row : Files.readAllLines(ROOT.resolve("docs/MECHANISMS.md"))) {
            if (row.matches("\\| [RHTDXF][0-9].*")) {
                rows.add(row.substring(2, row.length() - 2).split(" \\| "));
            }
        }
        return rows;
    }

    /** Each mechanism has a row, which names what there is in both worlds, a way to reach it, and a test. */
    @Test
    void shouldHaveARowForEachMechanism() throws IOException {
        List<String> ids = new ArrayList<>();
        for (String[] row : rows()) {
            assertEquals(COLUMNS, row.length, row[0]);
            ids.add(row[0]);
            for (String cell : row) {
                assertFalse(cell.isBlank(), row[0]);
            }
            assertTrue(row[COLUMNS - 1].contains("Test`") || row[COLUMNS - 1].startsWith("as "), row[0]);
        }
        List<String> expected = new ArrayList<>();
        Map.of("R", 6, "H", 13, "T", 5, "D", 8, "X", 9, "F", 4).forEach((letter, count) -> {
            for (int i = 1; i <= count; i++) {
                expected.add(letter + i);
            }
        });
        assertEquals(new TreeSet<>(expected), new TreeSet<>(ids));
        assertEquals(expected.size(), ids.size());
        assertTrue(rows().stream().filter(row -> String.join(" ", row).contains("not possible")).count() <= 4);
    }

    /** What a row names as a property or as a key of a model is documented where users look. */
    @Test
    void shouldNamePropertiesAndKeysThatAreDocumented() throws IOException {
        String keys = Files.readString(ROOT.resolve("docs/SIM.md"));
        String properties = Files.readString(ROOT.resolve("README.md"));
        int found = 0;
        for (String[] row : rows()) {
            for (MatchResult name : Pattern.compile("`([a-z]+\\.[a-z-]+)`").matcher(row[REACH]).results().toList()) {
                String text = name.group(1).startsWith("rankwire.") ? properties : keys;
                assertTrue(text.contains(name.group(1)), row[0] + ": " + name.group());
                found++;
            }
        }
        assertTrue(found > 40, found + " names");
    }

    @Test
    void shouldNameClassesMembersAndTestsThatExist() throws IOException {
        Map<String, Path> sources = sources();
        List<String> findings = new ArrayList<>();
        int names = 0;
        for (String[] row : rows()) {
            for (int column : new int[] {2, 3, COLUMNS - 1}) {
                String last = "";
                for (MatchResult name : NAME.matcher(row[column]).results().toList()) {
                    if (name.group().matches("`(host|device|node)\\.[a-z]+`")) {
                        continue;
                    }
                    names++;
                    last = name.group("type") == null ? last : source(sources, name);
                    if (!exists(sources, name, last)) {
                        findings.add(row[0] + ": " + name.group());
                    }
                }
            }
        }
        assertTrue(names > 150, names + " names");
        assertEquals(List.of(), findings);
    }

    /** Sources by their path from the root package on, without the extension. */
    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> found = new LinkedHashMap<>();
        for (String tree : List.of("core/src/main", "core/src/test", "ofi/src/main", "ofi/src/test", "tools/src/main",
                "tools/src/test")) {
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
