package io.rankwire.tools;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** {@code mpijavac}: the compiler, with the {@code mpi} package in its class path. */
final class MpijavacCommand {
    private MpijavacCommand() {}

    static int run(String[] args) {
        Words words = new Words("mpijavac", args);
        List<String> options = new ArrayList<>();
        String inherited = System.getenv("CLASSPATH");
        String classPath = inherited == null || inherited.isEmpty() ? "." : inherited;
        boolean shows = false;
        while (!words.isEmpty()) {
            String word = words.next();
            switch (word) {
                case "-cp", "-classpath", "--class-path" -> classPath = words.valueOf(word);
                case "--showme", "-showme" -> shows = true;
                default -> options.add(word);
            }
        }
        options.addAll(0, List.of("-cp", MpiLibrary.path() + File.pathSeparator + classPath));
        if (shows) {
            System.out.println("javac " + String.join(" ", options));
            return 0;
        }
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow(
                () -> new UsageException("this Java runtime has no compiler: use a JDK", 1));
        return javac.run(System.out, System.err, options.toArray(new String[0]));
    }
}
