package io.rankwire.tools.options;

import java.util.List;
import java.util.Locale;

/** The manual pages of commands, for man(1), made from their syntax. */
public final class ManPage {
    private ManPage() {}

    /** The name of the file: {@code rankwire-sim-run.1}. */
    public static String file(Syntax command) {
        return page(command) + ".1";
    }

    private static String page(Syntax command) {
        return (command.isForeign() ? "" : "rankwire-") + command.name.replace(' ', '-');
    }

    /** The page of one command. */
    public static String of(Syntax command, String version) {
        StringBuilder out = head(page(command), version, command.summary);
        out.append(".SH SYNOPSIS\n");
        for (String form : command.forms.lines().toList()) {
            out.append(text((command.isForeign() ? "" : "rankwire ") + form)).append("\n.br\n");
        }
        if (!command.about.isEmpty()) {
            out.append(".SH DESCRIPTION\n");
            paragraphs(out, command.about);
        }
        out.append(".SH OPTIONS\n");
        for (Option each : command.options) {
            entry(out, Help.left(each), each.help == null ? "Accepted, without effect." : Help.right(each));
        }
        entry(out, String.join(", ", command.helpNames()), Option.HELP.help);
        if (!command.notes.isEmpty()) {
            out.append(".SH NOTES\n");
            paragraphs(out, command.notes);
        }
        return out.append(".SH SEE ALSO\n.BR rankwire (1)\n").toString();
    }

    /** The page that lists all commands. */
    public static String ofAll(List<Syntax> commands, String version) {
        StringBuilder out = head("rankwire", version, "message passing for the JVM");
        out.append(".SH SYNOPSIS\n.B rankwire\n.I command\n[options]\n.SH COMMANDS\n");
        for (Syntax each : commands) {
            entry(out, each.title(), each.summary + ". See " + page(each) + "(1).");
        }
        return out.append(".SH EXIT STATUS\nThe status of the program that was run; 2 if the command line is wrong; 35 if a "
                + "deadlock was proven.\n").toString();
    }

    private static StringBuilder head(String page, String version, String summary) {
        return new StringBuilder(".TH ").append(page.toUpperCase(Locale.ROOT)).append(" 1 \"\" \"Rankwire ")
                .append(version).append("\" \"Rankwire\"\n.nh\n.ad l\n.SH NAME\n").append(text(page)).append(" \\- ")
                .append(text(summary)).append('\n');
    }

    private static void entry(StringBuilder out, String name, String meaning) {
        out.append(".TP\n.B ").append(text(name)).append('\n');
        lines(out, meaning);
    }

    private static void paragraphs(StringBuilder out, String words) {
        for (String each : words.split("\n\n")) {
            out.append(".PP\n");
            lines(out, each);
        }
    }

    /** A line that is indented stays a line of its own. */
    private static void lines(StringBuilder out, String words) {
        for (String line : words.lines().toList()) {
            if (line.startsWith(" ")) {
                out.append(".br\n");
            }
            out.append(text(line)).append('\n');
        }
    }

    /** Characters that mean something to the formatter are hidden from it. */
    private static String text(String words) {
        String plain = words.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
