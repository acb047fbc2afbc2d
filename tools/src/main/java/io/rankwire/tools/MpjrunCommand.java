package io.rankwire.tools;

import java.io.File;

/**
 * {@code mpjrun} and {@code fmpjrun}: the starters of MPJ Express and FastMPJ, for programs written for them. Their
 * devices are all the one that Rankwire has, and ranks are processes.
 */
final class MpjrunCommand {
    private static final String HELP = """
            mpjrun -np N [options] CLASS [args]      as with MPJ Express; a .jar or a .java file does as well
            fmpjrun -np N [options] -class CLASS [args]

              -np N                 how many ranks; without, one for each processor
              -dev NAME             taken and passed on; all ranks are processes that share memory
              -wdir DIR             the directory the ranks run in
              -cp, -classpath PATH  where the program's classes are; without, CLASSPATH or the current directory
              -jar FILE             a jar that names its main class
              -debug [PORT]         rank 0 waits for a debugger at this port, or 24500, the next rank at the next
              -machinesfile FILE    read; all ranks run on this machine
              other words that start with a dash are options for the JVMs of the ranks, such as -Xmx1g or -Dx=y

            There are no daemons: mpjboot and mpjhalt are not needed.
            """;

    private static final int FIRST_DEBUG_PORT = 24_500;

    private final Words words;
    private final RunOptions options = RunOptions.blank();
    /** MPJ Express gives a program its rank, the number of ranks and the device before the arguments. */
    private final boolean prepends;
    private String device = "multicore";

    private MpjrunCommand(String name, String[] args) {
        words = new Words(name, args);
        prepends = !name.equals("fmpjrun");
    }

    static int run(String name, String[] args) {
        RunOptions options = parse(name, args.length == 0 ? new String[] {"-help"} : args);
        if (options.help) {
            System.out.print(HELP);
            return 0;
        }
        return new RunCommand(options).run();
    }

    static RunOptions parse(String name, String[] args) {
        MpjrunCommand command = new MpjrunCommand(name, args);
        command.parse();
        return command.options;
    }

    private void parse() {
        while (options.program == null && words.isOption()) {
            option(words.next());
        }
        if (options.help) {
            return;
        }
        if (options.program == null) {
            if (words.isEmpty()) {
                throw words.wrong("which class? Give it after the options");
            }
            options.program = words.next();
        }
        while (!words.isEmpty()) {
            options.arguments.add(words.next());
        }
        if (options.ranks == 0) {
            options.ranks = Runtime.getRuntime().availableProcessors();
        }
        options.environment.add("RANKWIRE_DIALECT=" + (prepends ? "mpj" : "fastmpj"));
        options.device = prepends ? device : null;
        options.library = MpiLibrary.path();
        options.mayStayOpen = true;
        if (options.directory != null) {
            addDirectory();
        }
    }

    /** MPJ Express finds classes in the directory the ranks run in. */
    private void addDirectory() {
        String inherited = System.getenv("CLASSPATH");
        String path = options.classPath != null ? options.classPath
                : inherited == null || inherited.isEmpty() ? "." : inherited;
        options.classPath = path + File.pathSeparator + options.directory;
    }

    private void option(String name) {
        switch (name) {
            case "-np", "-n" -> options.ranks = words.numberOf(name);
            case "-dev" -> device = words.valueOf(name);
            case "-wdir" -> options.directory = RunOptions.directory(name, words.valueOf(name));
            case "-cp", "-classpath", "--class-path" -> options.classPath = words.valueOf(name);
            case "-jar", "-class" -> options.program = words.valueOf(name);
            case "-machinesfile", "-machinefile", "-hostfile" ->
                    OtherHosts.inFile(words, name, words.valueOf(name));
            case "-psl", "-dport", "-mxboardnum" -> words.valueOf(name);
            case "-debug" -> options.debugPort = words.isNumber() ? words.numberOf(name) : FIRST_DEBUG_PORT;
            case "-yarn" -> throw words.wrong("option " + name + " is of MPJ Express alone");
            case "-profile", "-src" -> words.say(name + " is of MPJ Express alone and was passed over");
            case "-h", "-help", "--help" -> options.help = true;
            default -> options.jvm.add(name);
        }
    }
}
