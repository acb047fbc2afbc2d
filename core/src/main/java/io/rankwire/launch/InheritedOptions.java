package io.rankwire.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The options of this JVM that others need which run parts of the same program: what opens modules to it, assertions,
 * and the properties of this library. Sizes of memory, agents and debuggers are for this process alone.
 */
public final class InheritedOptions {
    private static final List<String> MODULES = List.of("--add-opens", "--add-exports", "--add-reads", "--add-modules");
    private static final String PREVIEW = "--enable-preview";

    private InheritedOptions() {}

    /**
     * The options.
     *
     * @param program a class of the program
     */
    public static List<String> of(Class<?> program) {
        List<String> options = new ArrayList<>();
        if (program.desiredAssertionStatus()) {
            options.add("-ea");
        }
        options.addAll(ofModules(arguments()));
        for (String name : new TreeSet<>(System.getProperties().stringPropertyNames())) {
            if (name.startsWith("rankwire.") && !name.startsWith("rankwire.test.")) {
                options.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        return options;
    }

    /** Those of a command line that open modules. */
    static List<String> ofModules(List<String> arguments) {
        List<String> options = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("-")) {
                // The main class; what follows is for the program. Values of other options may stand here, too.
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (argument.equals(PREVIEW)) {
                options.add(argument);
            } else if (MODULES.contains(name) && equals > 0) {
                options.add(argument);
            } else if (MODULES.contains(name) && i + 1 < arguments.size()) {
                options.add(argument + "=" + arguments.get(++i));
            }
        }
        return options;
    }

    private static List<String> arguments() {
        try {
            String line = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8);
            return List.of(line.split("\0"));
        } catch (IOException e) {
            return List.of(ProcessHandle.current().info().arguments().orElse(new String[0]));
        }
    }
}
