package io.rankwire.tools;

import io.rankwire.launch.Debugger;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.LocalAddresses;
import io.rankwire.launch.PortRange;
import io.rankwire.launch.Progress;
import io.rankwire.launch.Replacements;
import io.rankwire.launch.StallRule;
import io.rankwire.sim.program.Settings;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A job to run: its ranks, its program, and how they are started. */
final class RunOptions {
    static final int MOST_RANKS = 1 << 16;
    private static final String CONTINUE = "continue";
    static final Option RANKS = Option.number("N", 1, MOST_RANKS, "-n", "-np", "--ranks")
            .required("how many ranks? Give -n N").help("the number of ranks");
    static final Option PROGRAM = Option.program("PROGRAM")
            .required("which program? Give a source file, a class or a jar after the options").help("""
                    one of
                      File.java     a source file; compiled once, with the other sources of its directory it uses
                      Main          a class; -cp may also stand after it
                      app.jar       the main class that its manifest names""");
    static final Option THREADS = Option.flag("--threads").help("ranks are threads of one JVM, each with its own"
            + " static variables; without it, each rank is a process");
    static final Option PROGRESS = Option.choice("WHO", List.of("helper", "thread", "none"), "--progress")
            .otherwise("helper").help("""
                    what moves messages while a rank computes
                      helper  a thread that wakes up when it is needed
                      thread  a thread for each rank that does nothing else
                      none    nothing; messages wait for the next call""");
    static final Option FABRIC = Option
            .choice("NAME", List.of(Fabrics.AUTO, Fabrics.SHM, Fabrics.TCP, Fabrics.UDP, Fabrics.OFI,
                    Fabrics.SHM_OFI), "--fabric").open(Fabrics.OFI, Fabrics.SHM_OFI)
            .otherwise(Fabrics.AUTO).help("""
                    what carries messages
                      auto  shared memory inside a host, TCP between hosts
                      shm   shared memory
                      tcp   TCP, also inside a host: to try what a program does on a network
                      udp   datagrams, also inside a host
                      ofi   libfabric, also inside a host; ofi:PROVIDER names the provider, such as ofi:verbs
                      shm+ofi  shared memory inside a host, libfabric between hosts; shm+ofi:PROVIDER""");
    static final Option INTERFACE = Option.text("NAME", "--interface")
            .help("with --fabric tcp, udp or ofi, or --hosts: the network interface at whose address ranks listen;"
                    + " without it, loopback, or the network by which ssh reaches rank 0. `rankwire doctor` lists the"
                    + " interfaces");
    static final Option SUBNET = Option.text("CIDR", "--subnet")
            .help("with --fabric tcp, udp or ofi, or --hosts: the subnet in which that address lies, such as"
                    + " 10.1.0.0/16 or fd00::/64");
    static final Option PORTS = Option.text("RANGE", "--ports")
            .help("with --fabric tcp or udp, or --hosts: the ports at which ranks listen, such as 5000-5099; each rank"
                    + " needs one, and rank 0 two");
    static final Option START_TIMEOUT = Option.number("SECONDS", 1, 1_000_000, "--start-timeout")
            .help("with --fabric tcp, udp or ofi, or --hosts: end the job if a rank has not joined by then; without"
                    + " it, ranks wait");
    static final Option ENCRYPT = Option.flag("--encrypt")
            .help("encrypt what ranks send to each other over a network; memory that ranks of a host share is not"
                    + " encrypted");
    static final Option EXPLAIN = Option.flag("--explain")
            .help("print which algorithm each collective call uses, once for each shape of call");
    static final Option STATS = Option.flag("--stats")
            .help("print at the end what each rank has counted: calls, waits, frames, messages, matches and more");
    static final Option TAG_OUTPUT = Option.flag("--tag-output")
            .help("start every line of output with its rank: [3] ...");
    static final Option VARIABLE = Option.text("NAME[=VALUE]", "-x").repeats()
            .help("set an environment variable for the ranks; may be repeated");
    static final Option DIRECTORY = Option.directory("--wdir").help("the directory that the ranks run in");
    static final Option TIMEOUT = Option.seconds(1, "--timeout")
            .help("end the job after this time with exit status 124, and print what each rank was doing");
    static final Option STALL = Option.seconds(0, "--stall").otherwise("" + (int) StallRule.DEFAULT_SECONDS)
            .help("report a job that makes no progress for this time, with what each rank does and the stacks of its"
                    + " threads; 0 for never");
    static final Option ON_STALL = Option.choice("ACTION", List.of("report", "end"), "--on-stall").otherwise("report")
            .help("report a job that makes no progress, or also end it with exit status 35");
    static final Option ON_FAILURE = Option.choice("ACTION", List.of("end", CONTINUE), "--on-failure").otherwise("end")
            .help("""
                    when a rank fails
                      end       end the job
                      continue  go on without it: calls that need it fail at the other ranks""");
    static final Option SPARES = Option.number("K", 1, MOST_RANKS, "--spares")
            .help("with --on-failure continue: start K processes more, which wait to replace ranks that fail; without"
                    + " one that waits, a process is started when a rank is to be replaced. Not for --threads or"
                    + " several programs; N + K is at most " + MOST_RANKS);
    static final Option DEBUG = Option.text("RANK[:PORT]", "--debug").never(TIMEOUT, STALL, ON_STALL, START_TIMEOUT)
            .help("have this rank wait for a debugger before it runs the program; a line says how to attach. Without a"
                    + " port it is " + Debugger.USUAL_PORT + ", or any if that is in use. Stalls and deadlocks are not"
                    + " reported");
    static final Option PAUSE_ON_ERROR = Option.flag("--pause-on-error").never(DEBUG)
            .help("keep the job when a rank fails, at a deadlock and at the end of --timeout: debuggers can attach to"
                    + " all ranks until Enter is pressed");
    static final Option VERBOSE = Option.flag("--verbose")
            .help("print what the launcher does: directory, fabric, costs, the command line of each rank, and when"
                    + " ranks start, join and end");
    static final Option CLASS_PATH = Option.path("PATH", "-cp", "-classpath", "--class-path")
            .help("where the program's classes are; without it, CLASSPATH or the current directory");
    static final Option JVM = Option.text("OPTIONS", "--jvm").repeats()
            .help("options for the JVMs of the ranks, one quoted string: --jvm \"-Xmx1g -Dx=y\"; may be repeated;"
                    + " quotes inside protect blanks: --jvm \"-Dx='a b'\"");

    static final Syntax SYNTAX = new Syntax("run", "run a program on N ranks", RANKS, PROGRAM, THREADS, FABRIC,
            INTERFACE, SUBNET, PORTS, START_TIMEOUT, ENCRYPT, PROGRESS, EXPLAIN, STATS, TAG_OUTPUT, VARIABLE, DIRECTORY,
            TIMEOUT, STALL, ON_STALL, ON_FAILURE, SPARES, DEBUG, PAUSE_ON_ERROR, VERBOSE, CLASS_PATH, JVM,
            HostOptions.HOSTS, HostOptions.HOSTFILE, HostOptions.SSH, HostOptions.COPY, HostOptions.MAP_BY,
            HostOptions.BIND_TO, HostOptions.REPORT_BINDINGS, HostOptions.OVERSUBSCRIBE)
            .forms("""
                    run -n N [options] PROGRAM [args]
                    run -n N --hosts a:4,b:4 [options] PROGRAM [args]
                    run -n N [options] PROGRAM [args] : -n N [options] PROGRAM [args] ...
                    """)
            .about("Runs a program on N ranks, or several programs in one job.")
            .notes("Standard input goes to rank 0. The exit status is that of the first rank that fails, or with"
                    + " --on-failure continue 0 if a rank ends well, 35 for a deadlock, 2 for a wrong command line, 141"
                    + " when the reader of the output has gone. Files of a running job are in /dev/shm, or in the"
                    + " directory that RANKWIRE_DIR names.");

    /** The options of the whole job, which stand before its first program. */
    private static final Option[] OF_THE_JOB = {Option.HELP, THREADS, FABRIC, INTERFACE, SUBNET, PORTS, START_TIMEOUT,
        ENCRYPT, EXPLAIN, STATS, TAG_OUTPUT, TIMEOUT, STALL, ON_STALL, ON_FAILURE, SPARES, DEBUG, PAUSE_ON_ERROR,
        VERBOSE};
    /** The options of jobs whose ranks use a network, and the variables by which ranks get them. */
    private static final Option[] OF_NETWORKS = {INTERFACE, SUBNET, PORTS, START_TIMEOUT};
    private static final String[] NETWORK_VARIABLES =
            {LocalAddresses.INTERFACE, LocalAddresses.SUBNET, PortRange.VARIABLE, Fabrics.START_TIMEOUT};

    int ranks;
    boolean threads;
    /** What carries messages between ranks that are processes. */
    String fabric = Fabrics.AUTO;
    boolean tagOutput;
    Progress progress = Progress.HELPER;
    boolean explain;
    /** Whether the counters of all ranks are printed at the end. */
    boolean stats;
    double timeoutSeconds;
    StallRule stall = StallRule.of(StallRule.DEFAULT_SECONDS, false);
    Path directory;
    String classPath;
    String program;
    /** The machine to simulate; null for this one. */
    Settings simulated;
    /** The most runs that try other messages for any-source receives; 0 for one plain run. */
    int explores;
    /** The messages that any-source receives match, as an exploration has printed; null for any. */
    String choices;
    /** The seed of what goes wrong on the simulated machine; null for nothing. */
    Long faults;
    /** Which simulated ranks are killed and when; blank for by the seed, null for none. */
    String kill;
    /** Classes that come before the program's own; may be null. */
    String library;
    /** When set, each rank has its number, the number of ranks and this before its arguments. */
    String device;
    /** Whether the program is no Java class but any command, which finds its rank in its environment. */
    boolean command;
    /** Whether a program may end without closing its world, as MPJ Express lets it. */
    boolean mayStayOpen;
    /** Whether the job goes on when a rank has failed. */
    boolean goesOn;
    /** Whether ranks die as planned, which is not worth a report. */
    boolean rehearses;
    /** How many processes wait to replace ranks that fail. */
    int spares;
    /** Which ranks wait for a debugger, and where; null for none. */
    DebugPlan debug;
    /** Whether the job is kept for debuggers when it fails. */
    boolean pauses;
    /** Whether the launcher prints what it does. */
    boolean verbose;
    /** The hosts that the job runs on; null for this one alone. */
    HostOptions hosts;
    /**
     * The next program of the same job, with the ranks that follow; in a simulation, of the next job on the same nodes.
     * Null for none.
     */
    RunOptions next;
    /** Whether ranks find their number in the environment under the names of Open MPI too. */
    boolean hasOpenMpiVariables;
    final List<String> environment = new ArrayList<>();
    /** Where ranks listen and how long they wait for each other, as variables. */
    final Map<String, String> network = new HashMap<>();
    final List<String> jvm = new ArrayList<>();
    /** More options for the JVM of rank 0, or the file for the classes of an agent; never given by users. */
    final List<String> firstRankJvm = new ArrayList<>();
    /** The same for rank 1. */
    final List<String> secondRankJvm = new ArrayList<>();
    final List<String> arguments = new ArrayList<>();

    static RunOptions parse(String... words) {
        return parse(SYNTAX.parse(words));
    }

    static RunOptions parse(Given given) {
        RunOptions options = of(given);
        String[] others = options.arguments(given);
        if (others != null) {
            Given next = SYNTAX.parse(others);
            for (Option[] some : new Option[][] {OF_THE_JOB, HostOptions.all()}) {
                for (Option each : some) {
                    if (next.has(each)) {
                        throw next.wrong("option " + each + " is for the whole job: give it before the first program");
                    }
                }
            }
            options.next = parse(next);
            if (options.threads || options.spares > 0) {
                throw given.wrong("option " + (options.threads ? THREADS : SPARES)
                        + " does not go with several programs");
            }
        }
        if (options.debug != null && options.debug.rank() >= options.size()) {
            throw given.wrong("option --debug: there is no rank " + options.debug.rank() + " among " + options.size());
        }
        return options;
    }

    /** The job that the options of a command describe; the command may have some of them only. */
    static RunOptions of(Given given) {
        RunOptions options = new RunOptions();
        options.ranks = given.number(RANKS);
        options.program = given.text(PROGRAM);
        options.threads = given.has(THREADS);
        options.fabric = given.text(FABRIC);
        if (options.threads && given.has(FABRIC)) {
            throw given.wrong("option --fabric does not go with --threads");
        }
        if (!Fabrics.isKnown(options.fabric)) {
            throw given.wrong("option --fabric needs a provider of libfabric behind the colon, such as ofi:net, not "
                    + options.fabric);
        }
        options.hosts = given.isOf(SYNTAX) ? HostOptions.of(given, System.getenv()) : null;
        options.network(given);
        if (given.has(ENCRYPT) || "1".equals(System.getenv(Fabrics.ENCRYPT))) {
            String obstacle = Fabrics.notSealed(options.fabric, given.has(ENCRYPT) ? "option " + ENCRYPT
                    : Fabrics.ENCRYPT);
            if (obstacle != null) {
                throw given.wrong(obstacle);
            }
            options.network.put(Fabrics.ENCRYPT, "1");
        }
        options.progress = Progress.named(given.text(PROGRESS));
        options.explain = given.has(EXPLAIN);
        options.stats = given.has(STATS);
        options.tagOutput = given.has(TAG_OUTPUT);
        for (String each : given.all(VARIABLE)) {
            options.variable(given, each);
        }
        options.directory(given.text(DIRECTORY));
        options.timeoutSeconds = given.seconds(TIMEOUT);
        options.stall = StallRule.of(given.seconds(STALL), given.text(ON_STALL).equals("end"));
        if (given.has(ON_STALL) && given.seconds(STALL) == 0) {
            throw given.wrong("option --on-stall does not go with --stall 0");
        }
        options.onFailure(given, false);
        if (options.goesOn && given.has(PAUSE_ON_ERROR)) {
            throw given.wrong("option --pause-on-error does not go with --on-failure continue");
        }
        if (options.spares > 0 && options.threads) {
            throw given.wrong("option --spares does not go with --threads, where ranks start at once");
        }
        options.checkSpares(given);
        options.debug = given.has(DEBUG) ? DebugPlan.of(given, DEBUG, given.text(DEBUG)) : null;
        options.pauses = given.has(PAUSE_ON_ERROR);
        options.verbose = given.has(VERBOSE);
        if (options.debug != null && options.fabric.equals(Fabrics.UDP)) {
            throw given.wrong("option --debug does not go with --fabric udp, which gives up a rank that is stopped for"
                    + " a minute and a half: use tcp");
        }
        if (options.pauses && options.hosts != null) {
            throw given.wrong("option --pause-on-error does not go with --hosts: there, use --debug RANK");
        }
        options.classPath = given.text(CLASS_PATH);
        for (String each : given.all(JVM)) {
            options.jvm.addAll(words(given, JVM, each));
        }
        return options;
    }

    /**
     * Takes what happens when a rank fails.
     *
     * @param otherwise whether the job goes on if {@code --on-failure} is not given
     */
    void onFailure(Given given, boolean otherwise) {
        goesOn = given.has(ON_FAILURE) ? given.text(ON_FAILURE).equals(CONTINUE) : otherwise;
        spares = given.has(SPARES) ? given.number(SPARES) : 0;
        if (spares > 0 && !goesOn) {
            throw given.wrong("option --spares needs --on-failure continue");
        }
    }

    /** Refuses more ranks and spares than a job can have. */
    void checkSpares(Given given) {
        if (ranks + spares > MOST_RANKS) {
            throw given.wrong("option --spares: " + ranks + " ranks and " + spares + " spares are more than "
                    + MOST_RANKS + " together");
        }
    }

    private void network(Given given) {
        for (int i = 0; i < OF_NETWORKS.length; i++) {
            Option each = OF_NETWORKS[i];
            if (given.has(each)) {
                if (hosts == null && !Fabrics.isNetworkAlone(fabric)) {
                    throw given.wrong("option " + each + " needs --fabric tcp, udp or ofi, or --hosts: with shared"
                            + " memory ranks do not listen");
                }
                if (hosts == null && each == PORTS && Fabrics.isOfi(fabric)) {
                    throw given.wrong("option " + each + " does not go with --fabric ofi: libfabric chooses its ports");
                }
                network.put(NETWORK_VARIABLES[i], given.text(each));
            }
        }
        if (!network.isEmpty()) {
            try {
                if (hosts == null) {
                    LocalAddresses.choose(given.text(INTERFACE), given.text(SUBNET), InetAddress.getLoopbackAddress(),
                            "option " + INTERFACE, "option " + SUBNET);
                }
                PortRange.parse(given.text(PORTS), "option " + PORTS);
            } catch (IllegalArgumentException e) {
                throw given.wrong(e.getMessage());
            }
        }
    }

    /** Takes the words after the program; returns those of the next program, or null. */
    String[] arguments(Given given) {
        String[] words = given.rest();
        int at = 1;
        if (classPath == null && isClassName(program) && at + 1 < words.length && CLASS_PATH.isNamed(words[at])) {
            classPath = words[at + 1];
            at += 2;
        }
        for (; at < words.length; at++) {
            if (words[at].equals(":") && at + 1 < words.length && isRanks(words[at + 1])) {
                return Arrays.copyOfRange(words, at + 1, words.length);
            }
            arguments.add(words[at]);
        }
        return null;
    }

    private static boolean isRanks(String word) {
        int equals = word.indexOf('=');
        return RANKS.isNamed(equals < 0 ? word : word.substring(0, equals));
    }

    /** The ranks of all programs together. */
    int size() {
        int size = 0;
        for (RunOptions each = this; each != null; each = each.next) {
            size += each.ranks;
        }
        return size;
    }

    /**
     * The number of ranks that the job can have at most, one after another: as many more as it has spares, and in a job
     * that goes on some more for processes that are started when a rank is to be replaced.
     */
    int places() {
        return !goesOn ? size() : Math.min(Replacements.places(size() + spares, true), Math.max(size(), MOST_RANKS));
    }

    /** The number of ranks of each job: there are several only where jobs share a simulated machine. */
    int[] jobs() {
        if (simulated == null) {
            return new int[] {size()};
        }
        List<Integer> sizes = new ArrayList<>();
        for (RunOptions each = this; each != null; each = each.next) {
            sizes.add(each.ranks);
        }
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * The name of a rank, and of its job if there are several.
     *
     * @param all whether it names the number of all ranks, too
     */
    String nameOf(int rank, boolean all) {
        int[] jobs = jobs();
        int job = 0;
        int left = rank;
        while (left >= jobs[job]) {
            left -= jobs[job++];
        }
        return "rank " + left + (all ? " of " + jobs[job] : "") + (jobs.length == 1 ? "" : " in job " + (job + 1));
    }

    /** The program that is this rank. */
    RunOptions of(int rank) {
        RunOptions each = this;
        for (int first = each.ranks; rank >= first && each.next != null; first += each.ranks) {
            each = each.next;
        }
        return each;
    }

    /** What -x has set a variable to, the last time, or null. */
    String environmentOf(String name) {
        for (int i = environment.size() - 1; i >= 0; i--) {
            String each = environment.get(i);
            if (each.startsWith(name) && each.indexOf('=') == name.length()) {
                return each.substring(name.length() + 1);
            }
        }
        return null;
    }

    /** The class path that a program has when none is given. */
    static String inheritedClassPath() {
        String inherited = System.getenv("CLASSPATH");
        return inherited == null || inherited.isEmpty() ? "." : inherited;
    }

    String classPathOrInherited() {
        return classPath != null ? classPath : inheritedClassPath();
    }

    static boolean isClassName(String program) {
        return !program.endsWith(".java") && !program.endsWith(".jar");
    }

    void directory(String text) {
        directory = text == null ? null : Path.of(text).toAbsolutePath();
    }

    void variable(Given given, String text) {
        int equals = text.indexOf('=');
        if (text.isEmpty() || equals == 0) {
            throw given.wrong("option -x needs NAME or NAME=VALUE, not " + text);
        }
        if (equals < 0 && System.getenv(text) == null) {
            System.err.println("rankwire: -x " + text + ": there is no such environment variable");
        } else {
            // The ranks have the launcher's environment anyway; on other hosts they will not.
            environment.add(equals < 0 ? text + "=" + System.getenv(text) : text);
        }
    }

    /** Splits the value of an option at blanks outside single and double quotes, which are dropped. */
    static List<String> words(Given given, Option option, String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0 ? c == quote : c == '\'' || c == '"') {
                quote = quote == 0 ? c : 0;
                inWord = true;
            } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw given.wrong("option " + option + ": a quote is not closed in " + text);
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
