package io.rankwire.tools.options;

import java.util.ArrayList;
import java.util.List;

/** An option that the command does not have. */
public final class UnknownOptionException extends UsageException {
    private static final long serialVersionUID = 1;
    private final transient Syntax syntax;
    private final String option;

    UnknownOptionException(Syntax syntax, String option) {
        super("unknown option " + option + Suggestion.of(option, syntax.optionNames()) + syntax.seeHelp());
        this.syntax = syntax;
        this.option = option;
    }

    /** The message; it names the commands that have this option, or are called like it, if there are any. */
    public String messageAmong(List<Syntax> commands) {
        List<String> with = new ArrayList<>();
        String called = null;
        for (Syntax each : commands) {
            String title = "`" + each.title() + "`";
            if (each.find(option) != null) {
                with.add(title);
            }
            called = option.equals("--" + each.name().substring(each.name().lastIndexOf(' ') + 1)) ? title : called;
        }
        if (!with.isEmpty()) {
            return "option " + option + " does not go with `" + syntax.title() + "`, but with "
                    + Option.listed(with, "and") + syntax.seeHelp();
        }
        return called == null ? getMessage()
                : "`" + syntax.title() + "` has no option " + option + "; there is a command " + called
                        + syntax.seeHelp();
    }
}
