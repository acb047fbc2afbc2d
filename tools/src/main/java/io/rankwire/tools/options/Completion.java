package io.rankwire.tools.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The script that completes commands, options and values in a shell, made from the syntax of all commands. */
public final class Completion {
    private static final String FUNCTION = """
            _rankwire_files() {
                type compopt > /dev/null 2>&1 && compopt -o filenames
                COMPREPLY=($(compgen "$1" -- "$word"))
            }

            _rankwire() {
                local word=${COMP_WORDS[COMP_CWORD]} option="" prefix="" command="" first=1 at=0 seen=""
                local options="" valued="" operand=""
                COMPREPLY=()
                # Bash has the equals sign as a word of its own.
                if [ "$word" = "=" ]; then
                    option=${COMP_WORDS[COMP_CWORD-1]}
                    word=""
                elif [ "${COMP_WORDS[COMP_CWORD-1]}" = "=" ]; then
                    option=${COMP_WORDS[COMP_CWORD-2]}
                else
                    case $word in
                        --*=*)
                            option=${word%%=*}
                            prefix=$option=
                            word=${word#*=}
                            ;;
                        *) option=${COMP_WORDS[COMP_CWORD-1]} ;;
                    esac
                fi
                # The command is the longest beginning of the words that is one.
                while [ "$first" -lt "$COMP_CWORD" ]; do
                    _rankwire_command "${command:+$command }${COMP_WORDS[first]}" || break
                    command="${command:+$command }${COMP_WORDS[first]}"
                    first=$((first + 1))
                done
                _rankwire_command "$command"
                # After the program all words are its own.
                at=$first
                while [ "$at" -lt "$COMP_CWORD" ]; do
                    case ${COMP_WORDS[at]} in
                        =) ;;
                        -*) case " $valued " in *" ${COMP_WORDS[at]} "*) at=$((at + 1)) ;; esac ;;
                        *) [ "${COMP_WORDS[at-1]}" = "=" ] || seen=yes ;;
                    esac
                    [ "${COMP_WORDS[at]}" = "=" ] && [ "$at" -lt "$COMP_CWORD" ] && at=$((at + 1))
                    at=$((at + 1))
                done
                if [ -n "$seen" ] && [ "$operand" = -program ]; then
                    _rankwire_files -f
                    return
                fi
                case " $valued " in
                    *" $option "*) _rankwire_value "$command" "$option" ;;
                    *)
                        case $word in
                            -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
                            *)
                                case $operand in
                                    -program) _rankwire_files -f ;;
                                    -*) _rankwire_files "$operand" ;;
                                    *) COMPREPLY=($(compgen -W "$operand" -- "$word")) ;;
                                esac
                                ;;
                        esac
                        ;;
                esac
                if [ -n "$prefix" ] && [ "${#COMPREPLY[@]}" -gt 0 ]; then
                    COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
                fi
            }
            complete -F _rankwire rankwire
            """;

    private Completion() {}

    /** @param shell bash, zsh or fish */
    public static String script(String shell, List<Syntax> commands) {
        if (shell.equals("fish")) {
            return FishCompletion.script(commands);
        }
        StringBuilder out = new StringBuilder();
        out.append("# Completion of rankwire. Load it by: source <(rankwire completion ").append(shell).append(")\n");
        if (shell.equals("zsh")) {
            out.append("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n");
        }
        out.append("# Sets the options of a command, those of them with a value, and what its operand is.\n");
        out.append("_rankwire_command() {\n    case $1 in\n");
        arm(out, "", "--help --version", "", String.join(" ", nextWords("", commands)));
        Set<String> groups = new TreeSet<>();
        for (Syntax each : commands) {
            int blank = each.name.indexOf(' ');
            if (blank > 0 && groups.add(each.name.substring(0, blank))) {
                String group = each.name.substring(0, blank);
                arm(out, group, "--help", "", String.join(" ", nextWords(group + " ", commands)));
            }
        }
        for (Syntax each : commands) {
            List<Option> operands = each.operands();
            String operand = operands.isEmpty() ? "" : words(operands.get(0));
            arm(out, each.name, String.join(" ", each.optionNames()), String.join(" ", valued(each)),
                    each.name.equals("help") ? String.join(" ", nextWords("", commands)) : operand);
        }
        out.append("        *) return 1 ;;\n    esac\n}\n\n# Completes the value of an option.\n");
        out.append("_rankwire_value() {\n    case $1,$2 in\n");
        for (Syntax each : commands) {
            for (Option option : each.options) {
                String words = words(option);
                if (!option.isOperand() && !words.isEmpty()) {
                    for (String name : option.names) {
                        out.append("        '").append(each.name).append(',').append(name).append("') ");
                        out.append(words.startsWith("-") ? "_rankwire_files " + words
                                : "COMPREPLY=($(compgen -W '" + words + "' -- \"$word\"))").append(" ;;\n");
                    }
                }
            }
        }
        return out.append("    esac\n}\n\n").append(FUNCTION).toString();
    }

    /** The options of a command that are followed by a value. */
    static List<String> valued(Syntax command) {
        List<String> valued = new ArrayList<>();
        for (Option option : command.options) {
            if (!option.isOperand() && option.values.length > 0 && !option.optional) {
                valued.addAll(List.of(option.names));
            }
        }
        return valued;
    }

    private static void arm(StringBuilder out, String command, String options, String valued, String operand) {
        out.append("        '").append(command).append("')\n            options='").append(options);
        out.append("'\n            valued='").append(valued).append("'\n            operand='").append(operand);
        out.append("'\n            ;;\n");
    }

    /** The words that may follow these words of a command. */
    static Set<String> nextWords(String start, List<Syntax> commands) {
        Set<String> next = new TreeSet<>();
        for (Syntax each : commands) {
            if (each.name.startsWith(start)) {
                next.add(each.name.substring(start.length()).split(" ")[0]);
            }
        }
        return next;
    }

    /** What completes a value: words, or an option of the shell for files or directories; may be empty. */
    static String words(Option option) {
        return switch (option.kind) {
            case CHOICE, CHOICES -> String.join(" ", option.choices);
            case DIRECTORY -> "-d";
            case FILE, NEW_FILE, PATH -> "-f";
            case PROGRAM -> "-program";
            case FLAG, TEXT, NUMBER, SEED, SECONDS -> "";
        };
    }
}
