package io.rankwire.tools.options;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The script that completes commands, options and values in fish, made from the syntax of all commands. */
final class FishCompletion {
    private static final String FUNCTIONS = """
            # Completion of rankwire. Load it by: rankwire completion fish | source
            # Whether the line so far is this command and has no program yet.
            function __rankwire_in
                set -l words (commandline -opc)
                set -e words[1]
                set -l command (string split -n ' ' -- $argv[1])
                set -l count (count $command)
                test (count $words) -ge $count; or return 1
                test $count -eq 0; or test "$words[1..$count]" = "$command"; or return 1
                set -l valued (string split ' ' -- $argv[2])
                set -l at (math $count + 1)
                while test $at -le (count $words)
                    if not string match -q -- '-*' $words[$at]
                        return 1
                    end
                    if contains -- $words[$at] $valued
                        set at (math $at + 1)
                    end
                    set at (math $at + 1)
                end
            end
            complete -c rankwire
            """;

    private FishCompletion() {}

    static String script(List<Syntax> commands) {
        StringBuilder out = new StringBuilder(FUNCTIONS);
        Set<String> groups = new TreeSet<>();
        for (Syntax each : commands) {
            int blank = each.name.indexOf(' ');
            String group = blank < 0 ? "" : each.name.substring(0, blank);
            if (!group.isEmpty() && groups.add(group)) {
                rule(out, "", "").append(" -f -a ").append(group).append('\n');
            }
            rule(out, group, "").append(" -f -a ").append(each.name.substring(blank + 1)).append(" -d ")
                    .append(quoted(each.summary)).append('\n');
        }
        for (Syntax each : commands) {
            String valued = String.join(" ", Completion.valued(each));
            for (Option option : each.options) {
                if (option.isOperand()) {
                    operand(out, each, option, commands, valued);
                } else {
                    option(out, each, option, valued);
                }
            }
            option(out, each, Option.HELP, valued);
        }
        return out.toString();
    }

    private static StringBuilder rule(StringBuilder out, String command, String valued) {
        return out.append("complete -c rankwire -n ")
                .append(quoted("__rankwire_in '" + command + "' '" + valued + "'"));
    }

    private static void operand(StringBuilder out, Syntax command, Option operand, List<Syntax> commands,
            String valued) {
        String words = command.name.equals("help") ? String.join(" ", Completion.nextWords("", commands))
                : Completion.words(operand);
        if (!words.isEmpty() && !words.startsWith("-")) {
            rule(out, command.name, valued).append(" -f -a ").append(quoted(words)).append('\n');
        }
    }

    private static void option(StringBuilder out, Syntax command, Option option, String valued) {
        rule(out, command.name, valued);
        for (String name : option.names) {
            out.append(name.startsWith("--") ? " -l " + name.substring(2)
                    : name.length() == 2 ? " -s " + name.substring(1) : " -o " + name.substring(1));
        }
        String words = Completion.words(option);
        if (words.equals("-d")) {
            out.append(" -x -a '(__fish_complete_directories)'");
        } else if (words.startsWith("-")) {
            out.append(" -r -F");
        } else if (!words.isEmpty()) {
            out.append(option.optional ? " -f -a " : " -x -a ").append(quoted(words));
        } else if (option.values.length > 0 && !option.optional) {
            out.append(" -x");
        }
        String help = option.help == null ? "accepted, without effect" : option.help.lines().findFirst().orElse("");
        out.append(" -d ").append(quoted(help)).append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
