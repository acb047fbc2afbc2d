package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.launch.Board;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.Lines;
import io.rankwire.launch.Progress;
import io.rankwire.launch.RankMain;
import io.rankwire.sim.program.SimMain;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The processes of one job: one per rank, or one for all when ranks are threads. */
final class Launch {
    /** How long a rank may take to end by itself when told to, before it is killed. */
    private static final int GRACE_MS = 1000;
    /** How long to wait for more output once its process has gone; a child it left may hold the pipe open for ever. */
    private static final int OUTPUT_MS = 500;

    private final RunOptions options;
    private final Program program;
    private final JobDirectory directory;
    private final Lines.Shared out;
    private final Lines.Shared err;
    private final List<Process> processes = new ArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();
    private boolean ending;

    Launch(RunOptions options, Program program, JobDirectory directory, Lines.Shared out, Lines.Shared err) {
        this.options = options;
        this.program = program;
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

    /** Where Rankwire itself is: the script says so; without it, where this class comes from. */
    static String core() {
        String core = System.getProperty("rankwire.core");
        return core == null ? locationOf(RankMain.class) : core;
    }

    void start() throws IOException {
        if (options.simulated != null) {
            Files.writeString(model(), options.simulated.text());
        }
        int count = options.threads ? 1 : options.ranks;
        ProcessBuilder builder = new ProcessBuilder();
        if (options.directory != null) {
            builder.directory(options.directory.toFile());
        }
        Map<String, String> environment = builder.environment();
        for (String each : options.environment) {
            int equals = each.indexOf('=');
            environment.put(each.substring(0, equals), each.substring(equals + 1));
        }
        environment.put("RANKWIRE_SIZE", Integer.toString(options.ranks));
        environment.put("RANKWIRE_JOB", directory.path().toString());
        environment.put("RANKWIRE_LAUNCHER", Long.toString(ProcessHandle.current().pid()));
        environment.put(Progress.VARIABLE, options.progress.toString());
        environment.put(MeasuredCosts.VARIABLE, costs());
        if (options.explain) {
            environment.put("RANKWIRE_EXPLAIN", "1");
        }
        environment.remove("RANKWIRE_RANK");
        File nothing = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");
        for (int rank = 0; rank < count; rank++) {
            if (!options.threads) {
                environment.put("RANKWIRE_RANK", Integer.toString(rank));
            }
            if (options.tellsOpenMpiRanks) {
                tellOpenMpiRank(environment, rank);
            }
            if (rank < 2 || options.device != null) {
                builder.command(command(rank));
            }
            builder.redirectInput(rank == 0 ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(nothing));
            if (!start(builder, rank)) {
                return;
            }
        }
    }

    /** Programs look here when they want their rank before they may call the library. */
    private void tellOpenMpiRank(Map<String, String> environment, int rank) {
        String size = Integer.toString(options.ranks);
        environment.put("OMPI_COMM_WORLD_SIZE", size);
        environment.put("OMPI_COMM_WORLD_LOCAL_SIZE", size);
        environment.put("OMPI_COMM_WORLD_RANK", Integer.toString(rank));
        environment.put("OMPI_COMM_WORLD_LOCAL_RANK", Integer.toString(rank));
    }

    /** Read once for all ranks, since all must choose the same algorithms; -x gives others, to try them out. */
    private String costs() throws IOException {
        String told = options.environmentOf(MeasuredCosts.VARIABLE);
        Cost cost;
        String origin;
        if (told != null) {
            cost = Cost.parse(told);
            origin = "given";
            if (cost == null) {
                throw new UsageException(MeasuredCosts.VARIABLE + ": \"" + told
                        + "\" is not six plausible costs in picoseconds");
            }
        } else {
            MeasuredCosts measured = MeasuredCosts.read(MeasuredCosts.file());
            cost = MeasuredCosts.of(measured, options.ranks);
            origin = measured == null ? "estimated" : "measured";
        }
        if (options.explain) {
            err.print("rankwire: costs, " + origin + ": " + cost.describe() + "\n");
        }
        return cost.text();
    }

    private synchronized boolean start(ProcessBuilder builder, int rank) throws IOException {
        if (ending) {
            return false;
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException("cannot start rank " + rank + ": " + e.getMessage()
                    + "; `rankwire doctor` shows the limits of this machine", e);
        }
        processes.add(process);
        String tag = options.tagOutput && !options.threads ? "[" + rank + "] " : "";
        pump(process.getInputStream(), new Lines(out, tag));
        pump(process.getErrorStream(), new Lines(err, tag));
        return true;
    }

    private void pump(InputStream from, Lines to) {
        OutputPump pump = new OutputPump(from, to);
        pumps.add(pump);
        pump.start();
    }

    /** The same for all ranks but the first, unless the arguments tell the rank. */
    private List<String> command(int rank) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        if (!choosesCollector()) {
            command.add("-XX:+UseParallelGC");
        }
        // No statistics file in the temporary directory, which a killed rank would leave behind.
        command.add("-XX:-UsePerfData");
        // For copies between processes by system call, and to reach rings without the checks of a segment.
        command.add("--enable-native-access=ALL-UNNAMED");
        if (rank == 0 && !options.firstRankJvm.isEmpty()) {
            command.addAll(options.firstRankJvm);
        } else {
            ClassArchive.use(command, options.jvm, options.library);
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
        }
        command.addAll(program.jvmOptions());
        command.addAll(options.jvm);
        command.add("-cp");
        String core = core();
        String library = options.library == null ? core : core + File.pathSeparator + options.library;
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
        if (options.device != null) {
            command.add(Integer.toString(rank));
            command.add(Integer.toString(options.ranks));
            command.add(options.device);
        }
        command.addAll(options.arguments);
        return command;
    }

    private Path model() {
        return directory.path().resolve("model");
    }

    private boolean choosesCollector() {
        for (String option : options.jvm) {
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
    Ending firstFailure(Board board) {
        Ending first = null;
        for (int rank = 0; rank < options.ranks; rank++) {
            Ending ending = ending(board, rank);
            if (ending != null && (first == null || isEarlier(board, rank, first.rank()))) {
                first = ending;
            }
        }
        return first;
    }

    private static boolean isEarlier(Board board, int rank, int than) {
        long mine = board.endedAt(rank);
        long other = board.endedAt(than);
        return mine == 0 ? other != 0 : other != 0 && mine - other < 0;
    }

    private Ending ending(Board board, int rank) {
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
        // One process for all: a status other than 0 is blamed on the rank that said last that it leaves.
        return options.threads && status != 0 && rank != lastToLeave(board) ? null
                : Ending.of(board, rank, status, options.library != null);
    }

    private int lastToLeave(Board board) {
        int last = 0;
        for (int rank = 1; rank < options.ranks; rank++) {
            if (board.endedAt(rank) != 0 && !isEarlier(board, rank, last)) {
                last = rank;
            }
        }
        return last;
    }

    /** Ends all processes: asks, and kills after a while. */
    void end() {
        synchronized (this) {
            ending = true;
        }
        List<Process> all = snapshot();
        for (Process process : all) {
            // Not Process.destroy, which also closes the streams, with what is still to be read from them.
            process.toHandle().destroy();
        }
        long deadline = System.nanoTime() + GRACE_MS * 1_000_000L;
        for (Process process : all) {
            if (!await(process, (deadline - System.nanoTime()) / 1_000_000)) {
                process.toHandle().destroyForcibly();
            }
        }
        for (Process process : all) {
            await(process, GRACE_MS);
        }
    }

    /** With a person at the terminal, what rank 0 has asked must be seen before it is answered. */
    void showQuestion() {
        pumps.get(0).showQuestion();
    }

    /** Waits until all that the ranks wrote has been passed on. */
    void finishOutput() {
        for (OutputPump pump : pumps) {
            pump.finish(OUTPUT_MS);
        }
    }
}
