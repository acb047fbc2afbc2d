package io.rankwire.tools.options;

import java.util.ArrayList;
import java.util.List;

/** The help text of a command, made from its syntax. */
public final class Help {
    static final int COLUMNS = 100;
    private static final int MARGIN = 24;

    private Help() {}

    static String of(Syntax syntax) {
        StringBuilder text = new StringBuilder();
        for (String form : syntax.forms.lines().toList()) {
            wrap(text, (syntax.isForeign() ? "" : "rankwire ") + form, 0);
        }
        if (!syntax.about.isEmpty()) {
            wrap(text.append('\n'), syntax.about, 0);
        }
        text.append('\n');
        List<String> withoutEffect = new ArrayList<>();
        for (Option each : syntax.options) {
            if (each.help == null) {
                withoutEffect.add(left(each));
            } else {
                row(text, left(each), right(each), MARGIN);
            }
        }
        row(text, String.join(", ", syntax.helpNames()), Option.HELP.help, MARGIN);
        if (!withoutEffect.isEmpty()) {
            wrap(text.append('\n'), "Accepted, without effect: " + String.join("; ", withoutEffect) + ".", 0);
        }
        if (!syntax.notes.isEmpty()) {
            wrap(text.append('\n'), syntax.notes, 0);
        }
        return text.toString();
    }

    /** A list of commands, with what each is for. */
    public static String ofGroup(String head, List<Syntax> commands, String notes) {
        StringBuilder text = new StringBuilder(head).append("\n\n");
        int margin = 4;
        for (Syntax each : commands) {
            margin = Math.max(margin, 4 + each.title().length());
        }
        for (Syntax each : commands) {
            row(text, each.title(), each.summary, margin);
        }
        return wrap(text.append('\n'), notes, 0).toString();
    }

    /** The names of an option and its value. */
    static String left(Option option) {
        if (option.isOperand()) {
            return option.names[0];
        }
        String names = String.join(", ", option.names);
        if (option.kind == Option.Kind.FLAG) {
            return names;
        }
        String values = String.join(" ", option.values);
        return !option.optional ? names + " " + values
                : names + (names.startsWith("--") ? "[=" + values + "]" : " [" + values + "]");
    }

    /** What the option does; its default stands in the first line. */
    static String right(Option option) {
        int end = option.help.indexOf('\n');
        end = end < 0 ? option.help.length() : end;
        return option.otherwise == null ? option.help
                : option.help.substring(0, end) + "; default " + option.otherwise + option.help.substring(end);
    }

    private static void row(StringBuilder text, String left, String right, int margin) {
        text.append("  ").append(left);
        if (left.length() > margin - 4) {
            text.append('\n').append(" ".repeat(margin));
        } else {
            text.append(" ".repeat(margin - 2 - left.length()));
        }
        StringBuilder wrapped = wrap(new StringBuilder(), right, margin);
        text.append(wrapped, margin, wrapped.length());
    }

    /**
     * Appends lines of at most 100 columns, all indented. A line of the text that begins with blanks is a row of a
     * table: what does not fit continues below its second column.
     */
    private static StringBuilder wrap(StringBuilder out, String text, int indent) {
        for (String line : text.lines().toList()) {
            int hang = indent + secondColumn(line);
            int start = out.length();
            out.append(" ".repeat(indent)).append(line, 0, hang - indent);
            String between = "";
            for (String word : line.substring(hang - indent).split(" ")) {
                if (out.length() - start + between.length() + word.length() > COLUMNS) {
                    out.append('\n');
                    start = out.length();
                    out.append(" ".repeat(hang));
                    between = "";
                }
                out.append(between).append(word);
                between = " ";
            }
            out.append('\n');
        }
        return out;
    }

    private static int secondColumn(String line) {
        if (!line.startsWith(" ")) {
            return 0;
        }
        int at = line.indexOf("  ", line.length() - line.stripLeading().length());
        while (at >= 0 && line.charAt(at) == ' ') {
            at++;
        }
        return Math.max(at, 0);
    }
}
