package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import io.rankwire.tools.options.Syntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents show what commands print: a block with lines that begin with {@code bin/rankwire}, and below each what it
 * prints. Every such line must be printed, with any words in the place of three dots. A program that is no example is
 * the last one shown above.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class DocumentsTest {
    private static final Path BASE = Path.of("..").toAbsolutePath().normalize();
    private static final String SCRIPT = "bin/rankwire ";
    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\")+");

    @TempDir
    Path place;

    private record Shown(String command, List<String> printed, String program) {}

    private static List<Shown> shown(String document) throws IOException {
        List<Shown> all = new ArrayList<>();
        String program = null;
        Matcher block = BLOCK.matcher(Files.readString(BASE.resolve(document)));
        while (block.find()) {
            if (block.group(1).equals("java")) {
                program = block.group(2);
                continue;
            }
            Shown last = null;
            for (String line : block.group(2).lines().toList()) {
                if (line.startsWith(SCRIPT)) {
                    last = new Shown(line.replaceFirst("\\s+#.*", ""), new ArrayList<>(), program);
                    all.add(last);
                } else if (last != null) {
                    last.printed.add(line);
                }
            }
        }
        return all.stream().filter(each -> !each.printed.isEmpty()).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/SIM.md", "docs/SIM-faults.md", "docs/FAILURES.md"})
    void shouldPrintWhatADocumentShows(String document) throws Exception {
        List<Shown> all = shown(document);
        assertTrue(all.size() >= 2, document);
        Path jobs = Files.createDirectory(place.resolve("jobs"));
        for (Shown each : all) {
            List<String> words = new ArrayList<>();
            for (String word : WORD.matcher(each.command.substring(SCRIPT.length())).results()
                    .map(found -> found.group().replace("\"", "")).toList()) {
                boolean own = word.matches("[A-Z]\\w*\\.java");
                words.add(own ? Files.writeString(place.resolve(word), each.program).toString()
                        : word.startsWith("examples/") ? BASE.resolve(word).toString() : word);
            }
            Result result = Command.run(jobs, words.toArray(String[]::new));
            List<String> printed = Stream.concat(result.out().lines(), result.err().lines()).toList();
            for (String line : each.printed) {
                String pattern = Stream.of(line.split("\\.\\.\\.", -1)).map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
                assertTrue(printed.stream().anyMatch(found -> found.matches(pattern)), document + ": " + each.command
                        + "\ndoes not print\n" + line + "\nbut\n" + String.join("\n", printed));
            }
        }
    }

    /** Every command in a document or in the comment of an example, whether its output is shown or not. */
    @Test
    void shouldShowCommandsThatAreRight() throws Exception {
        Pattern command = Pattern.compile("(?:^|`|//\\s+)bin/rankwire ([^`\n]+)", Pattern.MULTILINE);
        int found = 0;
        try (Stream<Path> files = Files.find(BASE, 3, (file, is) -> is.isRegularFile()
                && file.toString().matches(".*(\\.md|/examples/(patterns/)?\\w+\\.java)"))) {
            for (Path file : files.toList()) {
                Matcher shown = command.matcher(Files.readString(file));
                while (shown.find()) {
                    String line = shown.group(1).replaceFirst("\\s+#.*", "").strip();
                    Syntax syntax = Main.commands().stream().filter(each -> (line + " ").startsWith(each.name() + " "))
                            .findFirst().orElseThrow(() -> new AssertionError(file + ": no command: " + line));
                    String[] words = WORD.matcher(line.substring(syntax.name().length())).results()
                            .map(word -> word.group().replace("\"", "")).toArray(String[]::new);
                    assertDoesNotThrow(() -> syntax.parse(words), () -> file + ": " + line);
                    found++;
                }
            }
        }
        assertTrue(found > 40, found + " commands");
    }

    @Test
    void shouldNameProgramsOfTheLabThatThereAre() throws Exception {
        for (String document : List.of("docs/PERF.md", "docs/decisions/13-datatypes.md",
                "docs/decisions/15-measured-costs.md")) {
            Matcher name = Pattern.compile("io\\.rankwire\\.lab\\.(\\w+)")
                    .matcher(Files.readString(BASE.resolve(document)));
            while (name.find()) {
                Path source = BASE.resolve("lab/src/main/java/io/rankwire/lab/" + name.group(1) + ".java");
                assertTrue(Files.exists(source), document + ": " + name.group());
            }
        }
    }
}
