package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.fabric.Geometry;
import io.rankwire.launch.Board;
import io.rankwire.launch.Debugger;
import io.rankwire.launch.Ending;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.FailureWatch;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.Limits;
import io.rankwire.launch.Lines;
import io.rankwire.launch.ProcessReplacing;
import io.rankwire.launch.Progress;
import io.rankwire.launch.RankJvm;
import io.rankwire.launch.RankMain;
import io.rankwire.launch.RankProcesses;
import io.rankwire.sim.program.SimMain;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** The processes of one job: one per rank, or one for all when ranks are threads. */
final class Launch {
    /** Of the first program; what concerns the whole job counts there. */
    private final RunOptions options;
    private final Map<RunOptions, Program> programs;
    private final JobDirectory directory;
    private final Lines.Shared out;
    private final Lines.Shared err;
    /** Null if nothing is to be said. */
    private final LaunchLog log;
    private final DebugPlan debug;
    private final RankProcesses processes;
    /** The rank whose program a rank runs that replaces another. */
    private final Map<Integer, Integer> likes = new ConcurrentHashMap<>();
    /** Prepares the processes of ranks that replace others. */
    private IntFunction<ProcessBuilder> more;
    /** Null until it has been opened, while the ranks start. */
    private volatile Board board;

    Launch(RunOptions options, Map<RunOptions, Program> programs, JobDirectory directory, Lines.Shared out,
            Lines.Shared err, LaunchLog log) {
        this.options = options;
        this.programs = programs;
        this.directory = directory;
        this.out = out;
        this.err = err;
        this.log = log;
        this.debug = options.debug == null ? null : options.debug.here();
        processes = new RankProcesses(options.threads, rank -> of(rank).command);
    }

    /** The directory or jar a class was loaded from. */
    static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The location of Rankwire: the property that the script sets, or else the location of its classes. */
    static String core() {
        String core = System.getProperty("rankwire.core");
        return core == null ? locationOf(RankMain.class) : core;
    }

    void start() throws IOException {
        if (options.simulated != null) {
            JobDirectory.write(model(), ByteBuffer.wrap(options.simulated.text().getBytes(StandardCharsets.UTF_8)));
        }
        int count = options.threads ? 1 : options.size() + options.spares;
        String limit = Limits.tooFewFiles(count);
        if (limit != null) {
            throw new IOException("cannot start the ranks: " + limit);
        }
        MeasuredCosts measured = MeasuredCosts.read(MeasuredCosts.file());
        String costs = costs(measured);
        String geometry = geometry(measured);
        if (log != null) {
            log.say("directory " + directory.path() + ", fabric " + options.fabric + ", costs " + costs
                    + " ps, geometry " + geometry + " bytes");
        }
        checkPort();
        RunOptions before = null;
        ProcessBuilder builder = null;
        for (int rank = 0; rank < count; rank++) {
            RunOptions mine = of(rank);
            if (mine != before) {
                builder = builder(mine, costs, geometry);
            }
            before = mine;
            if (!start(builder, rank)) {
                return;
            }
        }
        more = rank -> builder(of(rank), costs, geometry);
    }

    /** The program of a rank, which may be one that replaces another. */
    private RunOptions of(int rank) {
        return options.of(likes.getOrDefault(rank, rank));
    }

    /** Starts a rank that replaces another one, with the program of that. */
    private void startAnother(int rank, int like) throws IOException {
        likes.put(rank, like);
        start(more.apply(rank), rank);
    }

    /** Gives places to processes that replace others; null if there are none. */
    ProcessReplacing replacing() {
        return options.threads || options.simulated != null || options.places() == options.size() ? null
                : new ProcessReplacing(board, directory, processes, this::startAnother);
    }

    private void checkPort() throws IOException {
        if (debug != null && debug.rank() >= 0 && debug.port() != 0 && !Debugger.isFree(debug.port())) {
            throw new IOException("port " + debug.port() + " of 127.0.0.1 is in use: name another one for the debugger,"
                    + " or none");
        }
    }

    /** What all ranks of a program have in common. */
    private ProcessBuilder builder(RunOptions of, String costs, String geometry) {
        ProcessBuilder builder = new ProcessBuilder();
        if (of.directory != null) {
            builder.directory(of.directory.toFile());
        }
        Map<String, String> environment = builder.environment();
        for (String each : of.environment) {
            int equals = each.indexOf('=');
            environment.put(each.substring(0, equals), each.substring(equals + 1));
        }
        environment.put("RANKWIRE_SIZE", Integer.toString(options.size()));
        environment.put("RANKWIRE_JOB", directory.path().toString());
        environment.put("RANKWIRE_LAUNCHER", Long.toString(ProcessHandle.current().pid()));
        environment.put(Progress.VARIABLE, of.progress.toString());
        environment.put(MeasuredCosts.VARIABLE, costs);
        environment.put(Fabrics.GEOMETRY, geometry);
        environment.put(Fabrics.FABRIC, options.fabric);
        environment.putAll(options.network);
        if (options.explain) {
            environment.put("RANKWIRE_EXPLAIN", "1");
        }
        if (options.stats) {
            environment.put(Board.STATS, "1");
        }
        environment.remove("RANKWIRE_RANK");
        if (of.command) {
            // A script that says java Main means this JVM and the mpi package, as it would without the script.
            String java = System.getProperty("java.home") + File.separator + "bin";
            environment.merge("PATH", java, (path, first) -> first + File.pathSeparator + path);
            environment.merge("CLASSPATH", of.library + File.pathSeparator + ".",
                    (path, first) -> of.library + File.pathSeparator + path);
        }
        return builder;
    }

    /** Programs look here for their rank before they may call the library. */
    private void setOpenMpiVariables(Map<String, String> environment, int rank) {
        String size = Integer.toString(options.size());
        environment.put("OMPI_COMM_WORLD_SIZE", size);
        environment.put("OMPI_COMM_WORLD_LOCAL_SIZE", size);
        environment.put("OMPI_COMM_WORLD_RANK", Integer.toString(rank));
        environment.put("OMPI_COMM_WORLD_LOCAL_RANK", Integer.toString(rank));
    }

    /** Read once for all ranks, since all must choose the same algorithms; -x gives others, to try them out. */
    private String costs(MeasuredCosts measured) throws IOException {
        String given = options.environmentOf(MeasuredCosts.VARIABLE);
        Cost cost;
        String origin;
        if (given != null) {
            cost = Cost.parse(given);
            origin = "given";
            if (cost == null) {
                throw new UsageException(MeasuredCosts.VARIABLE + ": \"" + given
                        + "\" is not six plausible costs in picoseconds");
            }
        } else {
            cost = MeasuredCosts.of(measured, options.size());
            origin = measured == null || !measured.areMeasured() ? "estimated" : "measured";
        }
        if (options.explain) {
            err.print("rankwire: costs, " + origin + ": " + cost.describe() + "\n");
        }
        return cost.text();
    }

    /** The same for all ranks, since they map each other's memory; -x gives another, to try it out. */
    private String geometry(MeasuredCosts measured) {
        String given = options.environmentOf(Fabrics.GEOMETRY);
        if (given == null) {
            return (measured == null ? Geometry.DEFAULT : measured.geometry()).text();
        }
        if (Geometry.parse(given) == null) {
            throw new UsageException(Fabrics.GEOMETRY + ": \"" + given + "\" is not two plausible sizes in bytes");
        }
        return given;
    }

    private boolean start(ProcessBuilder builder, int rank) throws IOException {
        RunOptions mine = of(rank);
        if (!options.threads) {
            builder.environment().put("RANKWIRE_RANK", Integer.toString(rank));
        }
        if (mine.hasOpenMpiVariables) {
            setOpenMpiVariables(builder.environment(), rank);
        }
        builder.command(command(mine, rank));
        if (log != null) {
            log.say("starting rank " + rank + ": " + LaunchLog.line(builder.command()));
        }
        File nothing = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");
        builder.redirectInput(rank == 0 ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(nothing));
        String tag = options.tagOutput && !options.threads ? "[" + rank + "] " : "";
        return processes.start(builder, rank, new Lines(out, tag), new Lines(err, tag));
    }

    /** From now on it can be seen which ranks have started. */
    void watch(Board of) {
        board = of;
        processes.watch(of);
    }

    /** The processes that were started. */
    RankProcesses processes() {
        return processes;
    }

    private List<String> command(RunOptions of, int rank) throws IOException {
        List<String> command = new ArrayList<>();
        if (of.command) {
            command.add(of.program);
            command.addAll(of.arguments);
            return command;
        }
        Program program = programs.get(of);
        command.add(RankJvm.java());
        command.addAll(flags(of));
        command.addAll(RankJvm.flagsAmong(options.threads ? 1 : options.size()));
        if (rank == 0 && !of.firstRankJvm.isEmpty()) {
            command.addAll(of.firstRankJvm);
        } else if (rank == 1 && !of.secondRankJvm.isEmpty()) {
            command.addAll(of.secondRankJvm);
        } else {
            ClassArchive.use(command, of.jvm, of.library);
        }
        if (options.simulated != null) {
            // Ranks take turns, so one thread carries them all, and hands over without waking another.
            command.add("-Djdk.virtualThreadScheduler.parallelism=1");
            if (options.explores > 0) {
                command.add("-D" + SimMain.EXPLORE + "=" + options.explores);
            }
            if (options.choices != null) {
                command.add("-D" + SimMain.CHOICES + "=" + options.choices);
            }
            if (options.faults != null) {
                command.add("-D" + SimMain.FAULTS + "=" + options.faults);
            }
            if (options.kill != null) {
                command.add("-D" + SimMain.KILL + "=" + options.kill);
            }
            if (options.spares > 0) {
                command.add("-D" + SimMain.SPARES + "=" + options.spares);
            }
            int job = 2;
            for (RunOptions each = options.next; each != null; each = each.next) {
                command.add("-D" + SimMain.BESIDE + job++ + "=" + beside(each));
            }
        }
        if (options.pauses) {
            command.addAll(Debugger.onFailure(directory.path()));
        } else if (options.debug != null && (options.threads || options.debug.has(rank))) {
            command.addAll(Debugger.waiting(directory.path(), debug.port(rank)));
        }
        command.addAll(program.jvmOptions());
        command.addAll(of.jvm);
        command.add("-cp");
        String core = core();
        String library = of.library == null ? core : core + File.pathSeparator + of.library;
        // Behind what the archive of classes was made with.
        String ofi = OfiLibrary.of(options.fabric);
        library = ofi == null ? library : library + File.pathSeparator + ofi;
        command.add(program.classPath().isEmpty() ? library : library + File.pathSeparator + program.classPath());
        if (options.simulated != null) {
            command.add("io.rankwire.sim.program.SimMain");
            command.add(options.tagOutput ? "tag" : "plain");
            command.add(model().toString());
        } else if (options.threads) {
            command.add("io.rankwire.launch.ThreadsMain");
            command.add(options.tagOutput ? "tag" : "plain");
        } else {
            command.addAll(RankMain.arguments(rank));
        }
        command.add(program.mainClass());
        if (of.device != null) {
            command.add(Integer.toString(rank));
            command.add(Integer.toString(options.size()));
            command.add(of.device);
        }
        command.addAll(of.arguments);
        return command;
    }

    /** What runs beside the first job of a simulation, as {@link SimMain#BESIDE} has it. */
    private String beside(RunOptions other) {
        Program program = programs.get(other);
        List<String> parts = new ArrayList<>();
        parts.add(Integer.toString(other.ranks));
        parts.add(other.library == null ? program.classPath() : other.library + File.pathSeparator
                + program.classPath());
        parts.add(program.mainClass());
        parts.addAll(other.arguments);
        return String.join(SimMain.BETWEEN, parts);
    }

    /** The first options of the JVM of a rank. */
    static List<String> flags(RunOptions of) {
        List<String> flags = RankJvm.flags(of.jvm);
        if (Main.IS_ASCII) {
            flags.add("-Dstderr.encoding=UTF-8");
        }
        return flags;
    }

    private Path model() {
        return directory.path().resolve("model");
    }

    /** The rank that failed before the others, or null. */
    Ending firstFailure() {
        return processes.firstFailure(this::ending);
    }

    /** Declares the ranks that fail in a job that goes on. */
    FailureWatch failures() {
        return new FailureWatch(board, processes, this::ending, directory, Fabrics.isNetworkAlone(options.fabric));
    }

    private Ending ending(int rank) {
        if (board.failure(rank) >= 0) {
            return Ending.thrown(board, rank);
        }
        if (options.simulated != null && board.failures().isDead(rank)) {
            // The simulation has reported it.
            return null;
        }
        int status = processes.status(rank);
        if (status < 0 || status == 0 && options.mayStayOpen || board.isIdle(rank) && (options.threads
                || processes.isDismissed(rank))) {
            return null;
        }
        Ending early = processes.early(rank, status);
        if (early != null) {
            return early;
        }
        boolean isMpi = of(rank).library != null;
        if (options.threads && status != 0 && options.simulated == null) {
            return Ending.ofAll(board, status, isMpi);
        }
        // One process for all: a status other than 0 is blamed on the rank that said last that it leaves.
        return options.threads && status != 0 && rank != lastToLeave() ? null
                : Ending.of(board, rank, status, isMpi, of(rank).command);
    }

    private int lastToLeave() {
        int last = 0;
        for (int rank = 1; rank < board.size(); rank++) {
            if (board.endedAt(rank) != 0 && !processes.isEarlier(rank, last)) {
                last = rank;
            }
        }
        return last;
    }

    /** Ranks that have ended and never closed their world. */
    List<Integer> neverClosed() {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < options.size(); rank++) {
            if (board.stillOpen(rank)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }
}
