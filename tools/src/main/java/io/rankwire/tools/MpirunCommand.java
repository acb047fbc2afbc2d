package io.rankwire.tools;

import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * {@code mpirun} and {@code mpiexec}, for programs that were started as {@code mpirun -n 4 java Main}. Users cannot
 * choose here which processors and which network the ranks use, so those options are accepted without effect.
 */
final class MpirunCommand {
    private static final Option RANKS = Option.number("N", 1, 1 << 16, "-n", "-np", "-c")
            .help("the number of ranks; without it, one for each processor");
    private static final Option RANKS_PER_HOST = Option.number("N", 1, 1 << 16, "-N", "--npernode", "-ppn")
            .help("the same, as there is one machine; -n overrides it");
    private static final Option VARIABLE_AND_VALUE = Option.text("NAME VALUE", "-env", "-genv")
            .help("set an environment variable for the ranks");
    private static final Option DIRECTORY = Option.directory("--wdir", "-wd")
            .help("the directory that the ranks run in");
    private static final Option TAG_OUTPUT = Option.flag("--tag-output", "-l")
            .help("start every line of output with its rank");
    private static final Option TIMEOUT = Option.seconds(1, "--timeout").help("end the job after this time");
    private static final Option FAULT_TOLERANCE = Option.choice("TYPE", List.of("ulfm", "mpi", "none"), "--with-ft")
            .otherwise("none").help("ulfm or mpi: the same as --on-failure continue");
    private static final Option RECOVERY = Option.flag("--enable-recovery", "--disable-auto-cleanup")
            .help("the same as --on-failure continue");
    private static final Option HOST_FILE =
            Option.file("--hostfile", "--machinefile", "--default-hostfile", "-f")
                    .help("read; all ranks run on this machine");
    private static final Option HOSTS = Option.text("LIST", "--host", "-H", "--hosts")
            .help("read; all ranks run on this machine");
    private static final Option VERSION = Option.flag("--version", "-V").help("print the version of Rankwire");
    private static final Option PROGRAM = Option.program("PROGRAM")
            .help("java and its command line, a script, or any other command");

    static final Syntax MPIRUN = syntax("mpirun");
    static final Syntax MPIEXEC = syntax("mpiexec");

    private static final Option JAR = Option.path("FILE", "-jar");
    private static final Option MODULE = Option.text("MODULE", "-m", "--module");
    private static final Option OF_JVM = Option.text("VALUE", "-p", "--module-path", "--add-modules", "--add-exports",
            "--add-opens", "--add-reads", "--limit-modules", "--upgrade-module-path", "--patch-module",
            "--enable-native-access");
    /** The command line of the JVM. */
    private static final Syntax JAVA = new Syntax("mpirun", "", PROGRAM, RunOptions.CLASS_PATH, JAR, MODULE, OF_JVM)
            .foreign().passesUnknownOptions().endsAt(JAR);

    private final Given given;
    private final RunOptions options = new RunOptions();

    private MpirunCommand(Given given) {
        this.given = given;
    }

    private static Syntax syntax(String name) {
        return new Syntax(name, "start a program as Open MPI and MPICH do", PROGRAM, RANKS, RANKS_PER_HOST,
                RunOptions.VARIABLE, VARIABLE_AND_VALUE, DIRECTORY, TAG_OUTPUT, TIMEOUT, FAULT_TOLERANCE, RECOVERY,
                RunOptions.ON_FAILURE, RunOptions.SPARES, HOST_FILE, HOSTS, VERSION,
                Option.text("NAME VALUE", "--mca", "--gmca", "--prtemca", "--pmixmca"),
                Option.text("VALUE", "--bind-to", "--map-by", "--rank-by", "--output-filename", "--prefix", "--tune",
                        "--stdin", "--launcher", "--output", "--display", "-am", "--envlist", "--genvlist", "--iface",
                        "--path"),
                Option.flag("--oversubscribe", "--nooversubscribe", "--allow-run-as-root", "--use-hwthread-cpus",
                        "--report-bindings", "--bind-to-core", "--bind-to-none", "--bind-to-socket", "--bycore",
                        "--bynode", "--byslot", "-q", "-v", "--quiet", "--verbose", "--display-map",
                        "--display-allocation", "--nolocal", "--genvall", "--envall", "--novm", "--disable-recovery",
                        "--merge-stderr-to-stdout"))
                .forms(name + " -n N [options] java [JVM options] CLASS [args]\n"
                        + name + " -n N [options] java [JVM options] -jar FILE [args]\n"
                        + name + " -n N [options] COMMAND [args]\n"
                        + name + " -n N ... : -n N ...")
                .foreign().eitherDash()
                .about("Starts a Java program, a script or any other command on N ranks, or several in one job.")
                .notes("Long options may have one dash or two. The JVM is the one Rankwire itself runs on. The package"
                        + " mpi need not be in the class path. A script finds both in PATH and CLASSPATH.");
    }

    static int run(Given given) {
        if (given.has(VERSION)) {
            Main.printVersion();
            return 0;
        }
        return new RunCommand(parse(given)).run();
    }

    private static RunOptions parse(Given given) {
        MpirunCommand command = new MpirunCommand(given);
        command.parse();
        return command.options;
    }

    private void parse() {
        if (!given.has(PROGRAM)) {
            throw given.wrong("which program? Give java and the class after the options");
        }
        for (String each : given.all(RunOptions.VARIABLE)) {
            options.variable(given, each);
        }
        List<String> pairs = given.all(VARIABLE_AND_VALUE);
        for (int i = 0; i < pairs.size(); i += 2) {
            options.variable(given, pairs.get(i) + "=" + pairs.get(i + 1));
        }
        options.directory(given.text(DIRECTORY));
        options.tagOutput = given.has(TAG_OUTPUT);
        options.timeoutSeconds = given.seconds(TIMEOUT);
        options.onFailure(given, given.has(RECOVERY) || !given.text(FAULT_TOLERANCE).equals("none"));
        for (String file : given.all(HOST_FILE)) {
            OtherHosts.inFile(given, HOST_FILE, file);
        }
        for (String list : given.all(HOSTS)) {
            OtherHosts.inList(given, HOSTS, list);
        }
        String[] words = given.rest();
        List<String> arguments = Arrays.asList(words).subList(1, words.length);
        if (new File(words[0]).getName().equals("java")) {
            arguments = java(arguments);
        } else {
            options.command = true;
            options.program = command(words[0]);
        }
        int colon = arguments.indexOf(":");
        boolean several = colon >= 0;
        options.arguments.addAll(several ? arguments.subList(0, colon) : arguments);
        if (several) {
            options.next = parse(given.again(arguments.subList(colon + 1, arguments.size()).toArray(new String[0])));
            // These are of the whole job, wherever they stand.
            options.goesOn |= options.next.goesOn;
            if (options.spares > 0 || options.next.spares > 0) {
                throw given.wrong("option --spares does not go with several programs");
            }
            options.tagOutput |= options.next.tagOutput;
            options.timeoutSeconds = Math.max(options.timeoutSeconds, options.next.timeoutSeconds);
        }
        options.ranks = given.has(RANKS) ? given.number(RANKS)
                : given.has(RANKS_PER_HOST) ? given.number(RANKS_PER_HOST)
                : several ? 1 : Runtime.getRuntime().availableProcessors();
        options.checkSpares(given);
        options.environment.add("RANKWIRE_DIALECT=openmpi");
        options.library = MpiLibrary.path();
        options.hasOpenMpiVariables = true;
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
            throw given.wrong("there is no program " + name);
        }
        if (!file.canExecute()) {
            throw given.wrong(name + " may not be executed: chmod +x " + name);
        }
        return file.getAbsolutePath();
    }

    /** Takes the command line of the JVM: its options, and what to run; returns the arguments of that. */
    private List<String> java(List<String> words) {
        Given java = JAVA.parse(words.toArray(new String[0]));
        if (java.has(MODULE)) {
            throw given.wrong("a program in a module cannot be run; give -cp and a class");
        }
        options.classPath = java.text(RunOptions.CLASS_PATH);
        for (int i = 0; i < java.count(); i++) {
            if (java.option(i) == OF_JVM) {
                options.jvm.add(java.name(i));
                options.jvm.add(java.value(i));
            }
        }
        options.jvm.addAll(java.passed());
        String[] rest = java.rest();
        if (java.has(JAR)) {
            options.program = fromDirectory(java.text(JAR));
        } else if (java.has(PROGRAM)) {
            options.program = RunOptions.isClassName(rest[0]) ? rest[0] : fromDirectory(rest[0]);
        } else {
            throw given.wrong("which class? Give it after java and its options");
        }
        if (options.directory != null) {
            options.classPath = eachFromDirectory(options.classPathOrInherited());
        }
        return Arrays.asList(rest).subList(java.has(JAR) ? 0 : 1, rest.length);
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
