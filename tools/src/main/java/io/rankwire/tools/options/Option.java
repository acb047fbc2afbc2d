package io.rankwire.tools.options;

import java.io.File;
import java.util.List;

/**
 * An option of a command, or an operand: a word without a dash, named in capitals. Options are constants; the methods
 * that return this option complete its definition.
 */
public final class Option {
    /** What a value must be. */
    enum Kind { FLAG, TEXT, NUMBER, SEED, SECONDS, CHOICE, CHOICES, DIRECTORY, FILE, NEW_FILE, PATH, PROGRAM }

    /** Every command has this one. */
    public static final Option HELP = flag("--help", "-h").help("print this text");

    private static final double MOST_SECONDS = 1e9;

    final String[] names;
    final Kind kind;
    /** The names of the values in help texts, usually one. */
    final String[] values;
    private long least;
    private long most;
    List<String> choices = List.of();
    /** Choices that a colon and more may follow. */
    private List<String> open = List.of();
    /** What help says; null for an option that is accepted and has no effect. */
    String help;
    /** The error when the option is missing; null when it may be. */
    String required;
    /** The value when the option is missing; may be null. */
    String otherwise;
    /** Whether it may be given without a value, or more than once. */
    boolean optional;
    boolean repeats;
    /** Options that exclude this one, and the one that it needs; may be null. */
    Option[] never = {};
    Option with;

    private Option(Kind kind, String values, String... names) {
        this.kind = kind;
        this.values = values.isEmpty() ? new String[0] : values.split(" ");
        this.names = names;
    }

    public static Option flag(String... names) {
        return new Option(Kind.FLAG, "", names);
    }

    /** @param values the names of the values in help texts, separated by blanks */
    public static Option text(String values, String... names) {
        return new Option(Kind.TEXT, values, names);
    }

    public static Option number(String value, long least, long most, String... names) {
        Option option = new Option(Kind.NUMBER, value, names);
        option.least = least;
        option.most = most;
        return option;
    }

    /** Any number of 64 bits, decimal or hexadecimal. */
    public static Option seed(String value, String... names) {
        return new Option(Kind.SEED, value, names);
    }

    /** @param least 0 when 0 is allowed, else 1 for any number above 0 */
    public static Option seconds(int least, String... names) {
        Option option = new Option(Kind.SECONDS, "SECONDS", names);
        option.least = least;
        return option;
    }

    public static Option choice(String value, List<String> choices, String... names) {
        Option option = new Option(Kind.CHOICE, value, names);
        option.choices = choices;
        return option;
    }

    /** Some of these, separated by commas. */
    public static Option choices(String value, List<String> choices, String... names) {
        Option option = new Option(Kind.CHOICES, value, names);
        option.choices = choices;
        return option;
    }

    /** A directory that exists. */
    public static Option directory(String... names) {
        return new Option(Kind.DIRECTORY, "DIR", names);
    }

    /** A file that exists. */
    public static Option file(String... names) {
        return new Option(Kind.FILE, "FILE", names);
    }

    /** A file that can be written. */
    public static Option newFile(String value, String... names) {
        return new Option(Kind.NEW_FILE, value, names);
    }

    /** Files and directories, separated as in a class path, or a file that is looked for later. */
    public static Option path(String value, String... names) {
        return new Option(Kind.PATH, value, names);
    }

    /** The operand that ends the options: all words after it belong to the program. */
    public static Option program(String name) {
        return new Option(Kind.PROGRAM, name, name);
    }

    /** Some of the choices may have more behind a colon, which the command checks. */
    public Option open(String... some) {
        open = List.of(some);
        return this;
    }

    public Option help(String text) {
        help = text;
        return this;
    }

    public Option required(String error) {
        required = error;
        return this;
    }

    public Option otherwise(String value) {
        otherwise = value;
        return this;
    }

    /** The value follows an equals sign, or is a number after an option with one dash; or it is left out. */
    public Option optional() {
        optional = true;
        return this;
    }

    public Option repeats() {
        repeats = true;
        return this;
    }

    public Option never(Option... others) {
        never = others;
        return this;
    }

    public Option onlyWith(Option other) {
        with = other;
        return this;
    }

    boolean isOperand() {
        return !names[0].startsWith("-");
    }

    public boolean isNamed(String name) {
        for (String each : names) {
            if (each.equals(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return names[0];
    }

    /** The name, as error messages have it. */
    static String label(String name) {
        return name.startsWith("-") ? "option " + name : name;
    }

    /** What is wrong with a value, as the end of a sentence that begins with the option; null when nothing is. */
    String complaint(String text) {
        return switch (kind) {
            case FLAG, TEXT, PATH, PROGRAM -> null;
            case NUMBER -> isNumber(text) ? null : needs("a number from " + least
                    + (most == Long.MAX_VALUE ? " on" : " to " + most), text);
            case SEED -> isSeed(text) ? null : needs("a number", text);
            case SECONDS -> isSeconds(text) ? null
                    : needs(least == 0 ? "a number of seconds from 0 on" : "a number of seconds above 0", text);
            case CHOICE -> isChoice(text) ? null : needs(listed(choices, "or"), text);
            case CHOICES -> areChoices(text) ? null
                    : needs("some of " + listed(choices, "and") + ", separated by commas", "\"" + text + "\"");
            case DIRECTORY -> new File(text).isDirectory() ? null : ": " + text + " is no directory";
            case FILE -> new File(text).isFile() ? null : ": there is no file " + text;
            case NEW_FILE -> isWritable(new File(text).getAbsoluteFile()) ? null : ": cannot write " + text;
        };
    }

    private static String needs(String what, String text) {
        return " needs " + what + ", not " + text;
    }

    private boolean isChoice(String text) {
        int colon = text.indexOf(':');
        return choices.contains(text) || colon > 0 && open.contains(text.substring(0, colon));
    }

    private boolean isNumber(String text) {
        try {
            long number = Long.parseLong(text);
            return number >= least && number <= most;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isSeed(String text) {
        try {
            Long.decode(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private boolean isSeconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            return seconds < MOST_SECONDS && (least == 0 ? seconds >= 0 : seconds > 0);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private boolean areChoices(String text) {
        for (String each : text.split(",", -1)) {
            if (!choices.contains(each.strip())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWritable(File file) {
        return file.exists() ? file.isFile() && file.canWrite()
                : file.getParentFile() != null && file.getParentFile().canWrite();
    }

    /** {@code a, b or c}. */
    static String listed(List<String> words, String last) {
        int count = words.size();
        return count == 1 ? words.get(0)
                : String.join(", ", words.subList(0, count - 1)) + " " + last + " " + words.get(count - 1);
    }
}
