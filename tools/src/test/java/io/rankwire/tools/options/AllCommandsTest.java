package io.rankwire.tools.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold for every command: its options, its help and its error messages are the same thing. */
class AllCommandsTest {
    @TempDir
    Path place;

    static List<Syntax> commands() {
        return Main.commands();
    }

    static List<Syntax> strictCommands() {
        return Main.commands().stream().filter(each -> !passesUnknown(each)).toList();
    }

    private static boolean passesUnknown(Syntax syntax) {
        return List.of("mpjrun", "fmpjrun", "mpijavac").contains(syntax.name());
    }

    /** A value that the option takes. */
    private String value(Option option) throws IOException {
        return switch (option.kind) {
            case CHOICE, CHOICES -> option.choices.get(0);
            case DIRECTORY -> place.toString();
            case FILE -> Files.writeString(place.resolve("file"), "").toString();
            case NEW_FILE -> place.resolve("new").toString();
            case FLAG, TEXT, NUMBER, SEED, SECONDS, PATH, PROGRAM -> "1";
        };
    }

    private void add(List<String> words, Option option, String name) throws IOException {
        words.add(name);
        for (int i = 0; i < option.values.length && !option.optional; i++) {
            words.add(value(option));
        }
    }

    /** A line with these words, and with all that the command needs besides. */
    private List<String> line(Syntax syntax, Option with, String... words) throws IOException {
        List<String> line = new ArrayList<>();
        for (Option each : syntax.options) {
            boolean isNeeded = each.required != null || with != null && with.with == each;
            if (isNeeded && each != with && !each.isOperand()) {
                add(line, each, each.names[0]);
            }
        }
        line.addAll(List.of(words));
        for (Option each : syntax.operands()) {
            line.add(value(each));
        }
        return line;
    }

    private static Given parsed(Syntax syntax, List<String> line) {
        return syntax.parse(line.toArray(String[]::new));
    }

    private static UsageException refused(Syntax syntax, List<String> line) {
        UsageException e = assertThrows(UsageException.class, () -> parsed(syntax, line), syntax.name() + line);
        assertEquals(2, e.status());
        return e;
    }

    private static void assertNames(String message, Syntax syntax, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), message + " does not contain " + part);
        }
        assertTrue(message.endsWith(" (see `" + syntax.title() + " --help`)"), message);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldParseEveryOption(Syntax syntax) throws IOException {
        for (Option option : syntax.options) {
            for (String name : option.isOperand() ? new String[0] : option.names) {
                List<String> words = new ArrayList<>();
                add(words, option, name);
                Given given = parsed(syntax, line(syntax, option, words.toArray(String[]::new)));
                assertTrue(given.has(option), syntax.name() + " " + words);
                if (option.values.length == 1 && name.startsWith("--")) {
                    given = parsed(syntax, line(syntax, option, name + "=" + value(option)));
                    assertEquals(value(option), given.text(option));
                }
            }
        }
        for (String help : syntax.helpNames()) {
            assertTrue(syntax.parse(help).has(Option.HELP));
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHaveTheSameOptionsInHelp(Syntax syntax) {
        String help = syntax.help();
        assertTrue(help.startsWith(syntax.title() + (syntax.options.length == 0 ? "\n" : " ")), help);
        List<String> known = new ArrayList<>(syntax.optionNames());
        for (Option each : syntax.operands()) {
            known.add(each.names[0]);
        }
        for (String each : known) {
            assertTrue(help.matches("(?s).*[\\s,]" + each + "[\\s,;.\\[].*"), syntax.name() + ": " + each);
        }
        for (String line : help.lines().toList()) {
            assertTrue(line.length() <= Help.COLUMNS, line);
            assertEquals(line.stripTrailing(), line);
            if (line.startsWith("  -")) {
                String names = line.strip().split("  |\\[=| (?!-)")[0];
                for (String name : names.split(", ")) {
                    assertNotNull(syntax.find(name), syntax.name() + ": " + name + " in " + line);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("strictCommands")
    void shouldRefuseAnUnknownOptionAndSuggestASimilarOne(Syntax syntax) throws IOException {
        assertNames(refused(syntax, line(syntax, null, "--no-such-option")).getMessage(), syntax,
                "unknown option --no-such-option");
        for (String name : syntax.optionNames()) {
            if (name.length() > 5) {
                char[] letters = name.toCharArray();
                letters[3] = name.charAt(4);
                letters[4] = name.charAt(3);
                String wrong = letters[3] == letters[4] ? name + "x" : new String(letters);
                assertNames(refused(syntax, line(syntax, null, wrong)).getMessage(), syntax,
                        "unknown option " + wrong + "; did you mean -");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldNameTheOptionWithAWrongValue(Syntax syntax) throws IOException {
        for (Option option : syntax.options) {
            String name = option.names[0];
            if (option.isOperand() || syntax.find(name) != option) {
                continue;
            }
            if (option.kind == Option.Kind.FLAG) {
                if (name.startsWith("--")) {
                    assertNames(refused(syntax, line(syntax, option, name + "=1")).getMessage(), syntax,
                            "option " + name + " takes no value");
                }
                continue;
            }
            if (!option.optional) {
                assertNames(refused(syntax, List.of(name)).getMessage(), syntax, "option " + name + " needs a value");
            }
            boolean takesAnything = List.of(Option.Kind.TEXT, Option.Kind.PATH).contains(option.kind);
            if (!takesAnything && name.startsWith("--")) {
                String wrong = place.resolve("no/such").toString();
                assertNames(refused(syntax, line(syntax, option, name + "=" + wrong)).getMessage(), syntax,
                        "option " + name, wrong);
            }
            if (option.kind == Option.Kind.NUMBER && !option.optional) {
                for (String wrong : List.of("0", "-1", "99999999999999999999", "")) {
                    assertNames(refused(syntax, line(syntax, option, name, wrong)).getMessage(), syntax,
                            "option " + name + " needs a number from 1 ", "not " + wrong);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("strictCommands")
    void shouldRefuseAnOptionGivenTwiceOrNotAtAllOrWithAnother(Syntax syntax) throws IOException {
        for (Option option : syntax.options) {
            if (option.isOperand()) {
                continue;
            }
            List<String> words = new ArrayList<>();
            add(words, option, option.names[0]);
            if (!option.repeats && !syntax.isForeign()) {
                List<String> twice = new ArrayList<>(words);
                twice.addAll(words);
                assertNames(refused(syntax, line(syntax, option, twice.toArray(String[]::new))).getMessage(), syntax,
                        option.names[0], "is given twice");
            }
            if (option.required != null) {
                assertNames(refused(syntax, line(syntax, option)).getMessage(), syntax, option.required);
            }
            if (option.with != null) {
                assertNames(refused(syntax, line(syntax, null, words.toArray(String[]::new))).getMessage(), syntax,
                        "option " + option, "goes with " + option.with);
            }
            for (Option other : option.never) {
                List<String> both = new ArrayList<>(words);
                add(both, other, other.names[0]);
                assertNames(refused(syntax, line(syntax, option, both.toArray(String[]::new))).getMessage(), syntax,
                        "option " + option + " does not go with " + other);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("strictCommands")
    void shouldNameTheCommandsThatAnInapplicableOptionGoesWith(Syntax syntax) throws IOException {
        for (Syntax other : Main.ownCommands()) {
            for (Option option : other.options) {
                String name = option.names[0];
                if (option.isOperand() || syntax.find(name) != null) {
                    continue;
                }
                UsageException e = refused(syntax, line(syntax, null, name));
                String message = ((UnknownOptionException) e).messageAmong(Main.ownCommands());
                assertNames(message, syntax, "option " + name, "`" + other.title() + "`");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("strictCommands")
    void shouldRefuseWordsThatHaveNoMeaning(Syntax syntax) throws IOException {
        boolean endsAtProgram = Arrays.stream(syntax.options).anyMatch(each -> each.kind == Option.Kind.PROGRAM);
        if (!endsAtProgram) {
            List<String> line = line(syntax, null);
            line.add("word");
            assertNames(refused(syntax, line).getMessage(), syntax, "`" + syntax.title() + "` takes no word word");
        }
        for (Option each : syntax.operands()) {
            if (each.required != null) {
                List<String> line = line(syntax, null);
                line.remove(line.size() - 1);
                assertNames(refused(syntax, line).getMessage(), syntax, each.required);
            }
        }
    }
}
