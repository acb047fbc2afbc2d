package io.rankwire.tools.options;

import java.util.ArrayList;
import java.util.List;

/**
 * What a command takes, as data: its name, its options and operands, and what its help says. The methods that return
 * this syntax complete its definition.
 */
public final class Syntax {
    /** What becomes of a word that is none of the options. */
    enum Unknown { IS_AN_ERROR, IS_PASSED_ON, AS_ARE_OPERANDS }

    final String name;
    /** What help says of the command in a list of commands. */
    final String summary;
    final Option[] options;
    /** The forms of the command, one in each line. */
    String forms = "";
    String about = "";
    String notes = "";
    /** A launcher or a compiler of another library: options may be repeated, and the last one counts. */
    private boolean foreign;
    private boolean eitherDash;
    private List<Option> endsAt = List.of();
    private Unknown unknown = Unknown.IS_AN_ERROR;

    /** @param name the words of the command, such as {@code sim run} */
    public Syntax(String name, String summary, Option... options) {
        this.name = name;
        this.summary = summary;
        this.options = options;
    }

    /** Without {@code rankwire} in front, which help adds. */
    public Syntax forms(String lines) {
        forms = lines;
        return this;
    }

    /** A paragraph before the options. */
    public Syntax about(String text) {
        about = text;
        return this;
    }

    /** Paragraphs after the options. */
    public Syntax notes(String text) {
        notes = text;
        return this;
    }

    public Syntax foreign() {
        foreign = true;
        return this;
    }

    /** Long options may have one dash or two. */
    public Syntax eitherDash() {
        eitherDash = true;
        return this;
    }

    /** Options that name the program, so that the words after them are its own. */
    public Syntax endsAt(Option... programs) {
        endsAt = List.of(programs);
        return this;
    }

    public Syntax passesUnknownOptions() {
        unknown = Unknown.IS_PASSED_ON;
        return this;
    }

    public Syntax passesAllElse() {
        unknown = Unknown.AS_ARE_OPERANDS;
        return this;
    }

    public String name() {
        return name;
    }

    public boolean isForeign() {
        return foreign;
    }

    /** The command as it is typed. */
    public String title() {
        return foreign ? name : "rankwire " + name;
    }

    @Override
    public String toString() {
        return name;
    }

    String seeHelp() {
        return " (see `" + title() + " --help`)";
    }

    public UsageException wrong(String what) {
        return new UsageException(what + seeHelp());
    }

    public String help() {
        return Help.of(this);
    }

    List<String> optionNames() {
        List<String> names = new ArrayList<>();
        for (Option each : options) {
            if (!each.isOperand()) {
                names.addAll(List.of(each.names));
            }
        }
        names.addAll(helpNames());
        return names;
    }

    /** A compiler has an option -h of its own. */
    List<String> helpNames() {
        return unknown == Unknown.AS_ARE_OPERANDS ? List.of("--help") : List.of(Option.HELP.names);
    }

    List<Option> operands() {
        List<Option> operands = new ArrayList<>();
        for (Option each : options) {
            if (each.isOperand()) {
                operands.add(each);
            }
        }
        return operands;
    }

    /** The option of this name, or null. */
    Option find(String name) {
        for (Option each : options) {
            if (!each.isOperand() && (each.isNamed(name) || eitherDash && isNamedWithOtherDashes(each, name))) {
                return each;
            }
        }
        boolean isHelp = helpNames().contains(name) || foreign && (name.equals("-help") || name.equals("-?"));
        return isHelp ? Option.HELP : null;
    }

    private static boolean isNamedWithOtherDashes(Option option, String name) {
        return option.isNamed(name.startsWith("--") ? name.substring(1) : "-" + name);
    }

    /** Parses and checks the words of the command; stops at {@code --help}, which is then the last option. */
    public Given parse(String... words) {
        Given given = new Given(this);
        List<Option> operands = operands();
        int operand = 0;
        int at = 0;
        while (at < words.length) {
            String word = words[at];
            boolean takesAll = unknown == Unknown.AS_ARE_OPERANDS;
            if (word.startsWith("-") && word.length() > 1 && !word.equals("--")) {
                at = option(words, at, given);
                if (given.has(Option.HELP)) {
                    return given;
                }
                if (given.hasAny(endsAt)) {
                    given.end(words, at);
                    break;
                }
            } else if (takesAll) {
                given.pass(word);
                at++;
            } else {
                at += word.equals("--") && at + 1 < words.length ? 1 : 0;
                if (operand == operands.size()) {
                    throw wrong("`" + title() + "` takes no word " + words[at] + commandNamed(words[at]));
                }
                Option next = operands.get(operand++);
                if (next.kind == Option.Kind.PROGRAM) {
                    given.add(next, next.names[0], words[at]);
                    given.end(words, at);
                    break;
                }
                take(given, next, next.names[0], words[at]);
                at++;
            }
        }
        check(given);
        return given;
    }

    /** A word that would be an option with two dashes in front. */
    private String commandNamed(String word) {
        return find("--" + word) == null ? "" : "; did you mean --" + word + "?";
    }

    private int option(String[] words, int from, Given given) {
        String word = words[from];
        int at = from + 1;
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        String name = equals < 0 ? word : word.substring(0, equals);
        String attached = equals < 0 ? null : word.substring(equals + 1);
        Option option = find(name);
        if (option == null) {
            if (unknown == Unknown.IS_AN_ERROR) {
                throw new UnknownOptionException(this, name);
            }
            given.pass(word);
            return at;
        }
        if (!foreign && !option.repeats && given.has(option)) {
            throw wrong("option " + String.join(" or ", option.names) + " is given twice");
        }
        if (option.kind == Option.Kind.FLAG) {
            if (attached != null) {
                throw wrong("option " + name + " takes no value");
            }
            given.add(option, name, null);
            return at;
        }
        if (option.optional && attached == null) {
            boolean follows = !name.startsWith("--") && at < words.length && !words[at].isEmpty()
                    && Character.isDigit(words[at].charAt(0));
            take(given, option, name, follows ? words[at++] : null);
            return at;
        }
        for (int i = 0; i < option.values.length; i++) {
            boolean isAttached = i == 0 && attached != null;
            if (!isAttached && at == words.length) {
                throw wrong("option " + name + " needs a value");
            }
            take(given, option, name, isAttached ? attached : words[at++]);
        }
        return at;
    }

    private void take(Given given, Option option, String name, String value) {
        String complaint = value == null ? null : option.complaint(value);
        if (complaint != null) {
            throw wrong(Option.label(name) + complaint);
        }
        given.add(option, name, value);
    }

    /** Missing ones, and those that do not go together. */
    private void check(Given given) {
        for (Option each : options) {
            boolean has = given.has(each);
            if (!has && each.required != null) {
                throw wrong(each.required);
            }
            if (has && each.with != null && !given.has(each.with)) {
                throw wrong(Option.label(each.toString()) + " goes with " + each.with + ", which is not given");
            }
            for (Option other : each.never) {
                if (has && given.has(other)) {
                    throw wrong(Option.label(each.toString()) + " does not go with " + other);
                }
            }
        }
    }
}
