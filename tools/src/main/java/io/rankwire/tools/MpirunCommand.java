package io.rankwire.tools;

import java.io.File;
import java.nio.file.Path;

/**
 * {@code mpirun} and {@code mpiexec}, for programs that were started as {@code mpirun -n 4 java Main}. Where the ranks
 * go on processors and which network they use is not for the user to say here, so those options are passed over.
 */
final class MpirunCommand {
    private static final String HELP = """
            mpirun -n N [options] java [JVM options] CLASS [args]       also: -jar FILE, or a .java file
            mpirun -n N [options] COMMAND [args]                        a script, or any other program
            mpirun -n N ... : -n N ...                                  several programs in one job

              -n, -np N             how many ranks; without, one for each processor
              -x NAME[=VALUE]       set an environment variable for the ranks; also -env and -genv NAME VALUE
              -wdir DIR             the directory the ranks run in
              --tag-output, -l      start every line of output with its rank
              --timeout SECONDS     end the job after this time
              --hostfile FILE, --host LIST
                                    read; all ranks run on this machine
              --oversubscribe, --allow-run-as-root, --mca NAME VALUE, --bind-to, --map-by and the like are passed over

            The JVM is the one Rankwire itself runs on. The mpi package need not be in the class path. A script finds
            both in PATH and CLASSPATH.
            """;

    private final Words words;
    private final RunOptions options = RunOptions.blank();

    private MpirunCommand(Words words) {
        this.words = words;
    }

    static int run(String name, String[] args) {
        RunOptions options = parse(name, args);
        if (options.help) {
            System.out.print(HELP);
            return 0;
        }
        return new RunCommand(options).run();
    }

    static RunOptions parse(String name, String[] args) {
        return parse(new Words(name, args));
    }

    private static RunOptions parse(Words words) {
        MpirunCommand command = new MpirunCommand(words);
        command.parse();
        return command.options;
    }

    private void parse() {
        while (!options.help && words.isOption()) {
            option(words.next());
        }
        if (options.help) {
            return;
        }
        if (words.isEmpty()) {
            throw words.wrong("which program? Give java and the class after the options");
        }
        String program = words.next();
        boolean several;
        if (new File(program).getName().equals("java")) {
            several = java();
        } else {
            options.command = true;
            options.program = command(program);
            several = arguments();
        }
        if (several) {
            options.next = parse(words);
            // These two are of the whole job, wherever they stand.
            options.tagOutput |= options.next.tagOutput;
            options.timeoutSeconds = Math.max(options.timeoutSeconds, options.next.timeoutSeconds);
        }
        if (options.ranks == 0) {
            options.ranks = several ? 1 : Runtime.getRuntime().availableProcessors();
        }
        options.environment.add("RANKWIRE_DIALECT=openmpi");
        options.library = MpiLibrary.path();
        options.tellsOpenMpiRanks = true;
    }

    private void option(String word) {
        String given = words.detach(word);
        // Open MPI takes its long options with one dash or two.
        String name = given.startsWith("--") ? given.substring(1) : given;
        switch (name) {
            case "-n", "-np", "-c", "-N", "-npernode", "-ppn" -> ranks(name, words.numberOf(given));
            case "-x" -> options.variable(words.valueOf(given));
            case "-env", "-genv" -> options.variable(words.valueOf(given) + "=" + words.valueOf(given));
            case "-wdir", "-wd" -> options.directory = RunOptions.directory(given, words.valueOf(given));
            case "-tag-output", "-l" -> options.tagOutput = true;
            case "-timeout" -> options.timeoutSeconds = words.numberOf(given);
            case "-hostfile", "-machinefile", "-default-hostfile", "-f" ->
                    OtherHosts.inFile(words, given, words.valueOf(given));
            case "-host", "-H", "-hosts" -> OtherHosts.inList(words, given, words.valueOf(given));
            case "-mca", "-gmca", "-prtemca", "-pmixmca" -> {
                words.valueOf(given);
                words.valueOf(given);
            }
            case "-bind-to", "-map-by", "-rank-by", "-output-filename", "-prefix", "-tune", "-stdin", "-launcher",
                    "-output", "-display", "-am", "-envlist", "-genvlist", "-iface", "-path" -> words.valueOf(given);
            case "-oversubscribe", "-nooversubscribe", "-allow-run-as-root", "-use-hwthread-cpus", "-report-bindings",
                    "-bind-to-core", "-bind-to-none", "-bind-to-socket", "-bycore", "-bynode", "-byslot", "-q", "-v",
                    "-quiet", "-verbose", "-display-map", "-display-allocation", "-nolocal", "-genvall", "-envall",
                    "-novm", "-enable-recovery", "-disable-recovery", "-merge-stderr-to-stdout" -> { }
            case "-help", "-h", "-?" -> options.help = true;
            case "-version", "-V" -> throw new UsageException("this mpirun is that of Rankwire, for Java programs", 0);
            default -> throw words.wrong("unknown option " + given + "; `mpirun --help` lists those it takes");
        }
    }

    /** Ranks for each machine are all ranks, unless their number is told as well. */
    private void ranks(String name, int count) {
        boolean perMachine = !name.equals("-n") && !name.equals("-np") && !name.equals("-c");
        if (!perMachine || options.ranks == 0) {
            options.ranks = count;
        }
    }

    /** Where a command is: in the directory it is started from, or on the PATH. */
    private String command(String name) {
        if (name.indexOf(File.separatorChar) >= 0) {
            return executable(name, fromDirectory(name));
        }
        String path = System.getenv("PATH");
        for (String place : path == null ? new String[0] : path.split(File.pathSeparator)) {
            File file = new File(place, name);
            if (file.canExecute() && !file.isDirectory()) {
                return file.getPath();
            }
        }
        return executable(name, fromDirectory(name));
    }

    private String executable(String name, String path) {
        File file = new File(path);
        if (!file.exists() || file.isDirectory()) {
            throw words.wrong("there is no program " + name);
        }
        if (!file.canExecute()) {
            throw words.wrong(name + " may not be executed: chmod +x " + name);
        }
        return file.getAbsolutePath();
    }

    /** Takes the rest, up to the next program; true when there is one. */
    private boolean arguments() {
        while (!words.isEmpty()) {
            String argument = words.next();
            if (argument.equals(":")) {
                return true;
            }
            options.arguments.add(argument);
        }
        return false;
    }

    /** The command line of the JVM: options, and what to run; true when another program follows. */
    private boolean java() {
        while (options.program == null && words.isOption()) {
            String option = words.next();
            switch (option) {
                case "-cp", "-classpath", "--class-path" -> options.classPath = words.valueOf(option);
                case "-jar" -> options.program = fromDirectory(words.valueOf(option));
                case "-m", "--module" -> throw words.wrong("a program in a module cannot be run; give -cp and a class");
                case "-p", "--module-path", "--add-modules", "--add-exports", "--add-opens", "--add-reads",
                        "--limit-modules", "--upgrade-module-path", "--patch-module", "--enable-native-access" -> {
                    options.jvm.add(option);
                    options.jvm.add(words.valueOf(option));
                }
                default -> {
                    if (option.startsWith("--class-path=")) {
                        options.classPath = option.substring("--class-path=".length());
                    } else {
                        options.jvm.add(option);
                    }
                }
            }
        }
        if (options.program == null) {
            if (words.isEmpty()) {
                throw words.wrong("which class? Give it after java and its options");
            }
            String program = words.next();
            options.program = RunOptions.isClassName(program) ? program : fromDirectory(program);
        }
        boolean several = arguments();
        if (options.directory != null) {
            String inherited = System.getenv("CLASSPATH");
            String path = options.classPath != null ? options.classPath
                    : inherited == null || inherited.isEmpty() ? "." : inherited;
            options.classPath = eachFromDirectory(path);
        }
        return several;
    }

    /** What is named relatively means the directory java would have been started in. */
    private String fromDirectory(String path) {
        return options.directory == null ? path : options.directory.resolve(Path.of(path)).toString();
    }

    private String eachFromDirectory(String classPath) {
        StringBuilder path = new StringBuilder();
        for (String entry : classPath.split(File.pathSeparator)) {
            path.append(path.isEmpty() ? "" : File.pathSeparator).append(fromDirectory(entry));
        }
        return path.toString();
    }
}
