package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.fabric.Geometry;
import io.rankwire.launch.Board;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.Lines;
import io.rankwire.launch.Progress;
import io.rankwire.launch.RankMain;
import io.rankwire.sim.program.SimMain;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.VarHandle;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The processes of one job: one per rank, or one for all when ranks are threads. */
final class Launch {
    /** How long a rank may take to end by itself when asked to, before it is killed. */
    private static final int GRACE_MS = 1000;
    /** How long to wait for more output once its process has gone; a child it left may hold the pipe open for ever. */
    private static final int OUTPUT_MS = 500;
    /** What a JVM prints when it cannot start one of its threads. */
    private static final String[] NO_THREAD =
            {"unable to create native thread", "Out of system resources", "Failed to create worker thread"};
    /** The status of a process that a signal has ended is this and the signal's number. */
    private static final int SIGNALLED = 128;

    /** Of the first program; what concerns the whole job counts there. */
    private final RunOptions options;
    private final Map<RunOptions, Program> programs;
    private final JobDirectory directory;
    private final Lines.Shared out;
    private final Lines.Shared err;
    private final List<Process> processes = new ArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();
    /** Null until it has been opened, while the ranks start. */
    private volatile Board board;
    private boolean ending;

    Launch(RunOptions options, Map<RunOptions, Program> programs, JobDirectory directory, Lines.Shared out,
            Lines.Shared err) {
        this.options = options;
        this.programs = programs;
        this.directory = directory;
        this.out = out;
        this.err = err;
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
        int count = options.threads ? 1 : options.size();
        String limit = Limits.tooFewFiles(count);
        if (limit != null) {
            throw new IOException("cannot start the ranks: " + limit);
        }
        MeasuredCosts measured = MeasuredCosts.read(MeasuredCosts.file());
        String costs = costs(measured);
        String geometry = geometry(measured);
        RunOptions before = null;
        ProcessBuilder builder = null;
        File nothing = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");
        for (int rank = 0; rank < count; rank++) {
            RunOptions mine = options.of(rank);
            if (mine != before) {
                builder = builder(mine, costs, geometry);
            }
            if (!options.threads) {
                builder.environment().put("RANKWIRE_RANK", Integer.toString(rank));
            }
            if (mine.hasOpenMpiVariables) {
                setOpenMpiVariables(builder.environment(), rank);
            }
            if (mine != before || rank < 2 || mine.device != null || mine.debugPort > 0) {
                builder.command(command(mine, rank));
            }
            before = mine;
            builder.redirectInput(rank == 0 ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(nothing));
            if (!start(builder, rank)) {
                return;
            }
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

    private synchronized boolean start(ProcessBuilder builder, int rank) throws IOException {
        if (ending) {
            return false;
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException("cannot start rank " + rank + ": " + Limits.whyNotStarted(e), e);
        }
        processes.add(process);
        String tag = options.tagOutput && !options.threads ? "[" + rank + "] " : "";
        pump(rank, process.getInputStream(), new Lines(out, tag));
        pump(rank, process.getErrorStream(), new Lines(err, tag));
        return true;
    }

    private void pump(int rank, InputStream from, Lines to) {
        OutputPump pump = new OutputPump(from, to, () -> isStarted(rank));
        pumps.add(pump);
        pump.start();
    }

    /** Whether a rank has come so far that its program runs, or is just about to. */
    private boolean isStarted(int rank) {
        if (options.of(rank).command) {
            return true;
        }
        Board seen = board;
        return seen != null && seen.pid(rank) != 0;
    }

    /** From now on it can be seen which ranks have started. */
    void watch(Board of) {
        board = of;
    }

    /** The same for all ranks of a program but the first, unless the arguments contain the rank. */
    private List<String> command(RunOptions of, int rank) {
        List<String> command = new ArrayList<>();
        if (of.command) {
            command.add(of.program);
            command.addAll(of.arguments);
            return command;
        }
        Program program = programs.get(of);
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags(of));
        command.addAll(flagsAmong(options.threads ? 1 : options.size()));
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
            int job = 2;
            for (RunOptions each = options.next; each != null; each = each.next) {
                command.add("-D" + SimMain.BESIDE + job++ + "=" + beside(each));
            }
        }
        if (of.debugPort > 0) {
            command.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=" + (of.debugPort + rank));
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
            command.add("io.rankwire.launch.RankMain");
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
        List<String> flags = new ArrayList<>();
        if (!choosesCollector(of)) {
            flags.add("-XX:+UseParallelGC");
        }
        // No statistics file in the temporary directory, which a killed rank would leave behind.
        flags.add("-XX:-UsePerfData");
        // A thread that cannot be started is an exception in the program, which is enough.
        flags.add("-Xlog:os+thread=off");
        // For copies between processes by system call, and to reach rings without the checks of a segment.
        flags.add("--enable-native-access=ALL-UNNAMED");
        if (Main.IS_ASCII) {
            flags.add("-Dstderr.encoding=UTF-8");
        }
        return flags;
    }

    /**
     * More options where more ranks than processors are on a host. The compilers of all ranks then compete with the
     * starts of the others, so methods are compiled after three times as many calls. The archive of classes is mapped
     * where it was made for, and not at a random place, so that ranks share its memory. Both together save a quarter
     * of the processor time of a start.
     */
    static List<String> flagsAmong(int ranks) {
        return ranks <= Runtime.getRuntime().availableProcessors() ? List.of() : List.of(
                "-XX:CompileThresholdScaling=3", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");
    }

    private Path model() {
        return directory.path().resolve("model");
    }

    private static boolean choosesCollector(RunOptions of) {
        for (String option : of.jvm) {
            if (option.startsWith("-XX:+Use") && option.endsWith("GC")) {
                return true;
            }
        }
        return false;
    }

    /** Waits a little for a process to end; true when all have. */
    boolean awaitSome(int ms) {
        List<Process> all = snapshot();
        for (Process process : all) {
            if (process.isAlive()) {
                await(process, ms);
                break;
            }
        }
        for (Process process : all) {
            if (process.isAlive()) {
                return false;
            }
        }
        return true;
    }

    private synchronized List<Process> snapshot() {
        return new ArrayList<>(processes);
    }

    private static boolean await(Process process, long ms) {
        try {
            return process.waitFor(Math.max(0, ms), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /**
     * The rank that failed before the others, or null. A rank that was killed said nothing of its end, and those that
     * stumbled over it did, so no time counts as the earliest.
     */
    Ending firstFailure() {
        Ending first = null;
        for (int rank = 0; rank < options.size(); rank++) {
            Ending ending = ending(rank);
            if (first == null || ending != null && ending.rank() >= 0
                    && (first.rank() < 0 || isEarlier(rank, first.rank()))) {
                first = ending;
            }
        }
        return first;
    }

    private boolean isEarlier(int rank, int than) {
        long mine = board.endedAt(rank);
        long other = board.endedAt(than);
        return mine == 0 ? other != 0 : other != 0 && mine - other < 0;
    }

    private Ending ending(int rank) {
        if (board.failure(rank) >= 0) {
            return Ending.thrown(board, rank);
        }
        List<Process> all = snapshot();
        int index = options.threads ? 0 : rank;
        Process process = index < all.size() ? all.get(index) : null;
        if (process == null || process.isAlive()) {
            return null;
        }
        int status = process.exitValue();
        if (status == 0 && options.mayStayOpen) {
            return null;
        }
        String notBegun = isStarted(rank) ? null : whyNotBegun(index, status);
        if (notBegun != null) {
            return Ending.early(rank, status, notBegun);
        }
        if (options.threads && status != 0 && options.simulated == null) {
            return Ending.ofAll(board, status, options);
        }
        // One process for all: a status other than 0 is blamed on the rank that said last that it leaves.
        return options.threads && status != 0 && rank != lastToLeave() ? null
                : Ending.of(board, rank, status, options.of(rank));
    }

    private int lastToLeave() {
        int last = 0;
        for (int rank = 1; rank < options.size(); rank++) {
            if (board.endedAt(rank) != 0 && !isEarlier(rank, last)) {
                last = rank;
            }
        }
        return last;
    }

    /** Whether the process of a rank is gone. */
    boolean hasEnded(int rank) {
        // Ranks that are threads leave one by one; what they leave running is counted with their process.
        return options.threads || !snapshot().get(rank).isAlive();
    }

    /** Why a process ended before its program began, when that can be said better than by its JVM; else null. */
    private String whyNotBegun(int index, int status) {
        if (status == SIGNALLED + 1 || status == SIGNALLED + 2 || status == SIGNALLED + 15) {
            return Ending.ENDED_EARLY;
        }
        for (int i = 2 * index; i < 2 * index + 2; i++) {
            pumps.get(i).finish(OUTPUT_MS);
            if (pumps.get(i).says("java.lang.InternalError: Bad level: ")) {
                return Ending.ENDED_EARLY;
            }
            if (pumps.get(i).says(NO_THREAD)) {
                return "its JVM could not start: " + Limits.noThread();
            }
        }
        return null;
    }

    /**
     * Ends all processes: asks those whose program runs, and kills them after a while. A JVM that still starts is
     * killed at once: it has nothing to end in order, and would complain that it was asked so early.
     *
     * @param atOnce whether all are killed at once: they could not even start the threads to end in order
     */
    void end(boolean atOnce) {
        synchronized (this) {
            ending = true;
        }
        if (board != null && !board.aborted()) {
            board.abort(1, "the job has been ended");
        }
        VarHandle.fullFence();
        List<Process> all = snapshot();
        List<ProcessHandle> children = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ProcessHandle handle = all.get(i).toHandle();
            if (options.of(i).command) {
                // A script does not pass signals on to what it has started.
                handle.descendants().forEach(children::add);
            }
            // Not Process.destroy, which also closes the streams, with what is still to be read from them.
            if (isStarted(i) && !atOnce) {
                handle.destroy();
            } else {
                handle.destroyForcibly();
            }
        }
        children.forEach(ProcessHandle::destroy);
        long deadline = System.nanoTime() + GRACE_MS * 1_000_000L;
        for (Process process : all) {
            if (!await(process, (deadline - System.nanoTime()) / 1_000_000)) {
                process.toHandle().destroyForcibly();
            }
        }
        for (Process process : all) {
            await(process, GRACE_MS);
        }
        for (ProcessHandle child : children) {
            while (child.isAlive() && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            child.destroyForcibly();
        }
    }

    /** With a person at the terminal, what rank 0 has asked must be seen before it is answered. */
    void showQuestion() {
        pumps.get(0).showQuestion();
    }

    /** Passes on what JVMs printed before they ran the program, unless they have only just printed it. */
    void releaseOutput() {
        for (OutputPump pump : pumps) {
            pump.releaseWhenDue();
        }
    }

    /** Waits until all that the ranks wrote has been passed on. */
    void finishOutput() {
        List<Process> all = snapshot();
        for (int i = 0; i < pumps.size(); i++) {
            OutputPump pump = pumps.get(i);
            pump.finish(OUTPUT_MS);
            Process process = all.get(i / 2);
            if (isStarted(i / 2) || process.isAlive() || whyNotBegun(i / 2, process.exitValue()) == null) {
                pump.release();
            }
        }
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

    /** Why output could not be written, or null. */
    IOException brokenOutput() {
        for (OutputPump pump : pumps) {
            if (pump.broken() != null) {
                return pump.broken();
            }
        }
        return null;
    }
}
