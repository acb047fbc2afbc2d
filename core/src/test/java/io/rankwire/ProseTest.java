package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The language of documents and comments, as far as a program can check it: the width of Markdown lines outside of
 * tables and code blocks, words that have a plainer equivalent, and ids of docs/MECHANISMS.md, which the source code
 * does not use. Each finding is one line, {@code file:line: what}.
 */
class ProseTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MAX_COLUMNS = 120;
    /** Each of these has a plainer equivalent: reports, names, a thread that, no rank, an error explains. */
    private static final List<String> WORDS = List.of("tells(?![^.;:]* apart)",
            "(?:is|are|was|were|be|been|being) told(?! apart)", "whoever", "whomever", "who comes", "nobody",
            "somebody", "everybody", "hears", "says so", "say so", "in truth", "in so many words",
            "documents? 00\\d");
    /** A gap between two words may be the end of a line, with the asterisk of a comment behind it. */
    private static final Pattern WORD = Pattern.compile(WORDS.stream().map(each -> each.replace(" ", "[\\s*/]+"))
            .collect(Collectors.joining("|", "\\b(?:", ")\\b")), Pattern.CASE_INSENSITIVE);
    private static final Pattern ID = Pattern.compile("\\b(?:R[1-6]|H(?:[1-9]|1[0-3])|T[1-5]|D[1-8]|X[1-9]|F[1-4])\\b");
    private static final Pattern CODE_BLOCK = Pattern.compile("^ *```.*?^ *```", Pattern.MULTILINE | Pattern.DOTALL);
    /** Literals come first, so that slashes inside of them begin no comment. */
    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile("\"\"\"[\\s\\S]*?\"\"\""
            + "|\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])++'|(?<comment>//[^\n]*+|/\\*[\\s\\S]*?\\*/)");

    @Test
    void shouldFindPlainEnglishEverywhere() throws IOException {
        List<String> findings = new ArrayList<>();
        int documents = 0;
        int sources = 0;
        for (Path file : files()) {
            String name = ROOT.relativize(file).toString().replace('\\', '/');
            if (name.endsWith(".md")) {
                documents++;
                findings.addAll(inDocument(name, Files.readString(file)));
            } else if (name.matches("\\w+/src/main/.*\\.java|examples/.*\\.java")) {
                sources++;
                findings.addAll(inSource(name, Files.readString(file)));
            }
        }
        assertTrue(documents > 20 && sources > 200, documents + " documents and " + sources + " sources in " + ROOT);
        assertEquals("", String.join("\n", findings));
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(file -> Stream.of(".md", ".java").anyMatch(file.toString()::endsWith))
                    .filter(file -> !ROOT.relativize(file).toString().matches("\\..*|.*\\btarget\\b.*")).sorted()
                    .toList();
        }
    }

    private static List<String> inDocument(String name, String text) {
        List<String> findings = new ArrayList<>();
        String prose = CODE_BLOCK.matcher(text).replaceAll(each -> each.group().replaceAll("[^\n]", ""));
        String[] lines = prose.split("\n");
        for (int i = 0; i < lines.length; i++) {
            boolean table = lines[i].stripLeading().startsWith("|");
            if (!table && lines[i].codePointCount(0, lines[i].length()) > MAX_COLUMNS) {
                findings.add(name + ":" + (i + 1) + ": longer than " + MAX_COLUMNS + " columns");
            }
        }
        findings.addAll(found(name, prose, WORD));
        return findings;
    }

    private static List<String> inSource(String name, String text) {
        StringBuilder comments = new StringBuilder(text.replaceAll("[^\n]", " "));
        LITERAL_OR_COMMENT.matcher(text).results().filter(each -> each.group("comment") != null)
                .forEach(each -> comments.replace(each.start(), each.end(), each.group()));
        List<String> findings = found(name, comments, WORD);
        findings.addAll(found(name, comments, ID));
        return findings;
    }

    private static List<String> found(String name, CharSequence text, Pattern pattern) {
        return pattern.matcher(text).results().map(each -> name + ":" + line(text, each) + ": \""
                + each.group().replaceAll("[\\s*/]+", " ") + "\"").collect(Collectors.toCollection(ArrayList::new));
    }

    private static long line(CharSequence text, MatchResult place) {
        return 1 + text.subSequence(0, place.start()).chars().filter(c -> c == '\n').count();
    }

    // Tests of the check itself.

    @Test
    void shouldFindWhatIsNotPlain() {
        assertEquals(List.of("a.md:2: longer than 120 columns"), inDocument("a.md", "a\n" + "x".repeat(121) + "\n"));
        assertEquals(List.of("a.md:4: \"whoever\""), inDocument("a.md", "```\nnobody\n```\n| whoever |\n"));
        assertEquals(List.of("a.md:1: \"is told\""), inDocument("a.md", "It is\ntold.\n"));
        assertEquals(List.of("A.java:1: \"is told\""), inSource("A.java", "/** It is\n * told. */\nint a;\n"));
        assertEquals(List.of("A.java:2: \"H13\""), inSource("A.java", "String a = \"//\";\nint b; // as H13\n"));
        assertEquals(List.of("A.java:1: \"Tells\""), inSource("A.java", "/* Tells it. Two are kept apart. */\n"));
    }

    @Test
    void shouldLeavePlainProseAlone() {
        String wide = "x".repeat(MAX_COLUMNS + 1);
        assertEquals(List.of(), inDocument("a.md", "| " + wide + " |\n\n```\n" + wide + "\n```\n"));
        assertEquals(List.of(), inDocument("a.md", "µ".repeat(120) + "\nA hash tells both apart. H13\n"));
        assertEquals(List.of(), inSource("A.java", "String a = \"// nobody\";\nchar c = '\"'; // a quote\n"));
        assertEquals(List.of(), inSource("A.java", "String a = \"\"\"\n// H1\n\"\"\"; // a text block\n"));
        assertEquals(List.of(), inSource("A.java", "int nobody; // 0xD1, H14, D10, the records are told apart\n"));
    }
}
