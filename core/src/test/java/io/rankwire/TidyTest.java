package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Style as a test: the formatting check of the project. Each finding is one line, {@code file:line: what}. */
class TidyTest {
    private static final List<String> TREES = List.of("core", "ofi", "tools", "mpi", "junit", "dist", "lab",
            "examples");
    private static final String API = "core/src/main/java/io/rankwire/";
    private static final int MAX_COLUMNS = 120;
    private static final int MAX_LINES = 600;
    /** Classes in which a user finds every call: they may be longer as long as their methods only delegate. */
    private static final List<String> FACADES = List.of("io/rankwire/AnyCommunicator.java",
            "io/rankwire/Communicator.java", "io/rankwire/Intercommunicator.java", "io/rankwire/Window.java",
            "mpi/Comm.java", "mpi/MPI.java");
    private static final int MAX_FACADE_BODY = 8;
    private static final Pattern METHOD = Pattern.compile("    (?!.*\\b(class|interface|enum|record)\\b)\\w.*\\(.*\\{");
    private static final Pattern WILDCARD_IMPORT = Pattern.compile("import (static )?[\\w.]+\\.\\*;");
    private static final Pattern PRINTS = Pattern.compile("\\bSystem\\.out\\b|\\bIO\\.print");
    private static final Pattern DISABLED = Pattern.compile("^\\s*@Dis" + "abled\\b");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    @Test
    void shouldFindEveryTreeTidy() throws IOException {
        Path root = root();
        List<String> findings = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (String tree : TREES) {
            files.addAll(sources(root.resolve(tree)));
        }
        assertTrue(files.size() > 20, "only " + files.size() + " files found under " + root);
        for (Path file : files) {
            String name = root.relativize(file).toString().replace('\\', '/');
            findings.addAll(findings(name, Files.readString(file)));
            if (name.contains("/src/main/java/") && !Files.exists(file.resolveSibling("package-info.java"))) {
                findings.add(name + ":1: its package has no package-info.java");
            }
        }
        assertEquals("", String.join("\n", findings));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(".editorconfig"))) {
            folder = folder.getParent();
            assertTrue(folder != null, "no folder above holds .editorconfig");
        }
        return folder;
    }

    private static List<Path> sources(Path tree) throws IOException {
        List<Path> found = new ArrayList<>();
        if (!Files.exists(tree)) {
            return found;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes ignored) {
                boolean built = folder.getFileName().toString().equals("target");
                return built ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes ignored) {
                String name = file.getFileName().toString();
                if (List.of(".java", ".c", ".h", ".sh", ".xml").stream().anyMatch(name::endsWith)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static List<String> findings(String name, String text) {
        List<String> findings = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        if (!text.endsWith("\n")) {
            findings.add(name + ":" + lines.length + ": no newline at the end");
        } else if (text.endsWith("\n\n")) {
            findings.add(name + ":" + (lines.length - 1) + ": blank lines at the end");
        }
        if (lines.length - 1 > MAX_LINES && FACADES.stream().anyMatch(each -> name.endsWith("/java/" + each))) {
            findings.addAll(longBodies(name, lines));
        } else if (lines.length - 1 > MAX_LINES) {
            findings.add(name + ":" + MAX_LINES + ": longer than " + MAX_LINES + " lines");
        }
        boolean silent = name.startsWith(API) && !name.startsWith(API + "launch/");
        // A single-file program opens with the API's one wildcard import; that is its charm.
        boolean program = name.startsWith("examples/");
        for (int i = 0; i < lines.length; i++) {
            String what = finding(lines[i], silent, program);
            if (what != null) {
                findings.add(name + ":" + (i + 1) + ": " + what);
            }
        }
        return findings;
    }

    private static List<String> longBodies(String name, String[] lines) {
        List<String> findings = new ArrayList<>();
        String header = "";
        int start = -1;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (start >= 0) {
                if (line.equals("    }")) {
                    if (i - start - 1 > MAX_FACADE_BODY) {
                        findings.add(name + ":" + (start + 1) + ": more than " + MAX_FACADE_BODY
                                + " lines in a method of a facade");
                    }
                    start = -1;
                    header = "";
                }
                continue;
            }
            header = line.startsWith("     ") ? header + line : line;
            start = METHOD.matcher(header).matches() ? i : -1;
        }
        return findings;
    }

    /** What is wrong with a line, or null. */
    private static String finding(String line, boolean silent, boolean program) {
        if (line.indexOf('\t') >= 0) {
            return "tab";
        }
        if (line.indexOf('\r') >= 0) {
            return "carriage return";
        }
        if (!line.equals(line.stripTrailing())) {
            return "blanks at the end of the line";
        }
        if (line.codePointCount(0, line.length()) > MAX_COLUMNS && !line.startsWith("import ")) {
            return "longer than " + MAX_COLUMNS + " columns";
        }
        if (WILDCARD_IMPORT.matcher(line).matches() && !(program && line.equals("import io.rankwire.*;"))) {
            return "wildcard import";
        }
        if (silent && !line.startsWith(" * ") && PRINTS.matcher(line).find()) {
            return "prints to the terminal";
        }
        if (DISABLED.matcher(line).find()) {
            return "disabled test";
        }
        return UNFINISHED.matcher(line).find() ? "unfinished: open an issue instead" : null;
    }

    // The check itself, on what it must find.

    private static void assertFinds(String what, String name, String text) {
        List<String> found = findings(name, text);
        assertEquals(1, found.size(), () -> what + ": " + found);
        assertTrue(found.get(0).startsWith(name + ":") && found.get(0).contains(what), found.get(0));
    }

    @Test
    void shouldFindWhatIsUntidy() {
        String file = "core/src/test/java/A.java";
        assertFinds("A.java:2: tab", file, "a\n\tb\n");
        assertFinds("carriage return", file, "a\r\n");
        assertFinds("blanks at the end", file, "a \nb\n");
        assertFinds("no newline", file, "a");
        assertFinds("blank lines", file, "a\n\n");
        assertFinds("120 columns", file, "x".repeat(121) + "\n");
        assertFinds("600 lines", file, "x\n".repeat(601));
        String longer = "    void a(int b,\n            int c) {\n" + "        b++;\n".repeat(9) + "    }\n";
        assertFinds("601: more than 8 lines", "core/src/main/java/io/rankwire/Window.java", "x\n".repeat(599) + longer);
        assertFinds("wildcard", file, "import java.util.*;\n");
        assertFinds("wildcard", file, "import static java.util.List.*;\n");
        assertFinds("wildcard", "examples/A.java", "import java.util.*;\n");
        assertFinds("disabled", file, "    @Dis" + "abled(\"later\")\n");
        assertFinds("unfinished", file, "// TO" + "DO later\n");
        assertFinds("prints", API + "A.java", "System.out.println();\n");
        assertFinds("prints", API + "A.java", "IO.println();\n");
    }

    @Test
    void shouldLeaveTidyTextAlone() {
        assertEquals(List.of(), findings("core/src/test/java/A.java", "import a.B;\n\nclass A {}\n"));
        assertEquals(List.of(), findings("core/A.java", "import " + "x".repeat(121) + ";\n"));
        assertEquals(List.of(), findings("core/A.java", "x".repeat(120) + "\n" + "x\n".repeat(599)));
        String short6 = "    void a() {\n" + "        b++;\n".repeat(6) + "    }\n";
        assertEquals(List.of(), findings("mpi/src/main/java/mpi/Comm.java", short6.repeat(100)));
        assertEquals(List.of(), findings("examples/A.java", "import io.rankwire.*;\n"));
        assertEquals(List.of(), findings(API + "launch/A.java", "System.out.println();\n"));
    }
}
