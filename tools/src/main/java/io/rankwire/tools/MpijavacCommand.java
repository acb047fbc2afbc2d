package io.rankwire.tools;

import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** {@code mpijavac}: the compiler, with the {@code mpi} package in its class path. */
final class MpijavacCommand {
    private static final Option SHOW = Option.flag("--showme", "-showme")
            .help("print the command line of javac instead of running it");

    static final Syntax SYNTAX = new Syntax("mpijavac", "compile programs that import mpi.*", RunOptions.CLASS_PATH,
            SHOW)
            .forms("mpijavac [options] FILE.java ...").foreign().passesAllElse()
            .about("Compiles as javac does, with the package mpi in the class path.")
            .notes("All other options are those of javac; `javac --help` prints them.");

    private MpijavacCommand() {}

    static int run(Given given) {
        String classPath = given.text(RunOptions.CLASS_PATH);
        List<String> options = new ArrayList<>(List.of("-cp", MpiLibrary.path() + File.pathSeparator
                + (classPath == null ? RunOptions.inheritedClassPath() : classPath)));
        options.addAll(given.passed());
        if (given.has(SHOW)) {
            System.out.println("javac " + String.join(" ", options));
            return 0;
        }
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow(
                () -> new UsageException("this Java runtime has no compiler: use a JDK", 1));
        return javac.run(System.out, System.err, options.toArray(new String[0]));
    }
}
