package io.rankwire.tools.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The options and operands of one command line, all checked. */
public final class Given {
    private final Syntax syntax;
    private final List<Option> options = new ArrayList<>();
    /** The values, one for each option; null for a flag or a value that was left out. */
    private final List<String> values = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> passed = new ArrayList<>();
    private String[] rest = {};

    Given(Syntax syntax) {
        this.syntax = syntax;
    }

    void add(Option option, String name, String value) {
        options.add(option);
        names.add(name);
        values.add(value);
    }

    void pass(String word) {
        passed.add(word);
    }

    void end(String[] words, int at) {
        rest = Arrays.copyOfRange(words, at, words.length);
    }

    public boolean has(Option option) {
        return options.contains(option);
    }

    boolean hasAny(List<Option> some) {
        return !some.isEmpty() && !Collections.disjoint(options, some);
    }

    /** The last value of an option, or what its definition has for a missing one. */
    public String text(Option option) {
        int last = options.lastIndexOf(option);
        return last < 0 ? option.otherwise : values.get(last);
    }

    public List<String> all(Option option) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i) == option) {
                all.add(values.get(i));
            }
        }
        return all;
    }

    /** A number; 0 when the option is missing and has no default. */
    public int number(Option option) {
        String text = text(option);
        return text == null ? 0 : Integer.parseInt(text);
    }

    public long seed(Option option) {
        return Long.decode(text(option));
    }

    /** Seconds; 0 when the option is missing and has no default. */
    public double seconds(Option option) {
        String text = text(option);
        return text == null ? 0 : Double.parseDouble(text);
    }

    /** The number of options and operands, in the order given. */
    public int count() {
        return options.size();
    }

    public Option option(int i) {
        return options.get(i);
    }

    public String value(int i) {
        return values.get(i);
    }

    /** The option as it was spelt. */
    public String name(int i) {
        return names.get(i);
    }

    /** The words that the command passes on to another one. */
    public List<String> passed() {
        return passed;
    }

    /** The words after the options, the first of which is the program. */
    public String[] rest() {
        return rest;
    }

    public boolean isOf(Syntax of) {
        return syntax == of;
    }

    /** The same command, with other words. */
    public Given again(String... words) {
        return syntax.parse(words);
    }

    /** Prints something that the user should know, and that is no error. */
    public void report(String what) {
        System.err.println("rankwire: " + syntax.name() + ": " + what);
    }

    /** The error for a command line that does not say what to do, or says it wrongly. */
    public UsageException wrong(String what) {
        return syntax.wrong(what);
    }
}
