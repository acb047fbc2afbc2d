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
    /** Options whose value is the next word. */
    private static final List<String> PATHS = List.of("-cp", "-classpath", "--class-path", "-p", "--module-path",
            "--upgrade-module-path", "--limit-modules", "--enable-native-access", "--describe-module", "-d");
    /** What names the program: options of it follow. */
    private static final List<String> PROGRAM = List.of("-jar", "-m", "--module");

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
        options.addAll(ofModules(line()));
        for (String name : new TreeSet<>(System.getProperties().stringPropertyNames())) {
            if (name.startsWith("rankwire.") && !name.startsWith("rankwire.test.")) {
                options.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        return options;
    }

    /**
     * Those of a command line that open modules.
     *
     * @param line the command, its options, and the program with its arguments
     */
    static List<String> ofModules(List<String> line) {
        List<String> options = new ArrayList<>();
        for (int i = 1; i < line.size() && line.get(i).startsWith("-") && !PROGRAM.contains(line.get(i)); i++) {
            String option = line.get(i);
            int equals = option.indexOf('=');
            boolean isModules = MODULES.contains(equals < 0 ? option : option.substring(0, equals));
            if (option.equals(PREVIEW) || isModules && equals > 0) {
                options.add(option);
            } else if (equals < 0 && i + 1 < line.size() && (isModules || PATHS.contains(option))) {
                i++;
                if (isModules) {
                    options.add(option + "=" + line.get(i));
                }
            }
        }
        return options;
    }

    private static List<String> line() {
        try {
            String line = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8);
            return List.of(line.split("\0"));
        } catch (IOException e) {
            List<String> line = new ArrayList<>(List.of("java"));
            line.addAll(List.of(ProcessHandle.current().info().arguments().orElse(new String[0])));
            return line;
        }
    }
}
