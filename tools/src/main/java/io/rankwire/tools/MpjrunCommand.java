package io.rankwire.tools;

import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.io.File;
import java.util.Arrays;

/**
 * {@code mpjrun} and {@code fmpjrun}: the starters of MPJ Express and FastMPJ, for programs written for them. Their
 * devices are all the one that Rankwire has, and ranks are processes.
 */
final class MpjrunCommand {
    private static final Option RANKS = Option.number("N", 1, 1 << 16, "-np", "-n")
            .help("the number of ranks; without it, one for each processor");
    private static final Option DEVICE = Option.text("NAME", "-dev").otherwise("multicore")
            .help("given to the program as its third argument; all ranks are processes that share memory");
    private static final Option DIRECTORY = Option.directory("-wdir").help("the directory that the ranks run in");
    private static final Option CLASS = Option.text("CLASS", "-class").help("the class to run");
    private static final Option JAR = Option.path("FILE", "-jar").help("a jar that names its main class");
    private static final Option DEBUG = Option.number("PORT", 1, 65_535, "-debug").optional()
            .help("rank 0 waits for a debugger at this port, or 24500, the next rank at the next port");
    private static final Option MACHINES = Option.file("-machinesfile", "-machinefile", "-hostfile")
            .help("read; all ranks run on this machine");
    private static final Option ONLY_MPJ = Option.flag("-profile", "-src")
            .help("options of MPJ Express that Rankwire does not have; a message says so");
    private static final Option YARN = Option.flag("-yarn").help("an error: Rankwire does not run under YARN");
    private static final Option PROGRAM = Option.program("PROGRAM").help("a class, a .jar or a .java file");

    private static final String FIRST_DEBUG_PORT = "24500";

    static final Syntax MPJRUN = syntax("mpjrun", "start a program of MPJ Express", "mpjrun -np N [options] PROGRAM"
            + " [args]");
    static final Syntax FMPJRUN = syntax("fmpjrun", "start a program of FastMPJ", "fmpjrun -np N [options] -class CLASS"
            + " [args]");

    private MpjrunCommand() {}

    private static Syntax syntax(String name, String summary, String form) {
        return new Syntax(name, summary, PROGRAM, RANKS, DEVICE, DIRECTORY, RunOptions.CLASS_PATH, CLASS, JAR, DEBUG,
                RunOptions.ON_FAILURE, RunOptions.SPARES, MACHINES, ONLY_MPJ, YARN,
                Option.text("N", "-psl"), Option.text("PORT", "-dport"), Option.text("N", "-mxboardnum"))
                .forms(form).foreign().passesUnknownOptions().endsAt(CLASS, JAR)
                .notes("Other words that begin with a dash are options for the JVMs of the ranks, such as -Xmx1g or"
                        + " -Dx=y. There are no daemons: mpjboot and mpjhalt are not needed.");
    }

    static RunOptions parse(Given given) {
        RunOptions options = new RunOptions();
        boolean named = given.has(CLASS) || given.has(JAR);
        options.program = given.has(CLASS) ? given.text(CLASS) : given.has(JAR) ? given.text(JAR) : given.text(PROGRAM);
        if (options.program == null) {
            throw given.wrong("which class? Give it after the options");
        }
        if (given.has(YARN)) {
            throw given.wrong("option -yarn is of MPJ Express alone");
        }
        if (given.has(ONLY_MPJ)) {
            given.report("-profile and -src are of MPJ Express alone and have no effect");
        }
        String[] rest = given.rest();
        options.arguments.addAll(Arrays.asList(rest).subList(named ? 0 : 1, rest.length));
        options.ranks = given.has(RANKS) ? given.number(RANKS) : Runtime.getRuntime().availableProcessors();
        options.directory(given.text(DIRECTORY));
        options.classPath = given.text(RunOptions.CLASS_PATH);
        options.jvm.addAll(given.passed());
        options.onFailure(given, false);
        options.checkSpares(given);
        if (given.has(DEBUG)) {
            String port = given.text(DEBUG);
            options.debug = DebugPlan.ofAll(Integer.parseInt(port == null ? FIRST_DEBUG_PORT : port));
        }
        for (String file : given.all(MACHINES)) {
            OtherHosts.inFile(given, MACHINES, file);
        }
        // MPJ Express gives a program its rank, the number of ranks and the device before the arguments.
        boolean prepends = given.isOf(MPJRUN);
        options.environment.add("RANKWIRE_DIALECT=" + (prepends ? "mpj" : "fastmpj"));
        options.device = prepends ? given.text(DEVICE) : null;
        options.library = MpiLibrary.path();
        options.mayStayOpen = true;
        if (options.directory != null) {
            // MPJ Express finds classes in the directory the ranks run in.
            options.classPath = options.classPathOrInherited() + File.pathSeparator + options.directory;
        }
        return options;
    }
}
