package io.rankwire.launch;

import java.net.URL;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** A process that runs the user's program as all ranks of a job, each with its own copy of the program's classes. */
public final class ProgramProcess {
    private final JobDirectory directory;
    private final Board board;
    private final RankStreams streams;
    private final String mainClass;
    private final String[] args;
    private final URL[] classPath;
    /** Whether the program's time is not the machine's. */
    private final boolean simulated;
    /** The loader of all ranks, when none of the program's classes keeps anything; else null. */
    private final RankLoader common;
    /** What all ranks share of the class path whatever the program keeps; else null. */
    private final SharedLibrary library;

    private ProgramProcess(JobDirectory directory, Board board, RankStreams streams, String mainClass, String[] args,
            URL[] classPath, boolean simulated) {
        this.directory = directory;
        this.board = board;
        this.streams = streams;
        this.mainClass = mainClass;
        this.args = args;
        this.classPath = classPath;
        this.simulated = simulated;
        this.library = simulated ? SharedLibrary.find(classPath) : null;
        URL[] own = library == null ? classPath : library.without(classPath);
        this.common = simulated && Statics.areConstant(own) ? loader(-1) : null;
    }

    /**
     * Takes over the process, as the launcher's environment says. Ends it when that makes no sense.
     *
     * @param tag whether each line of output begins with its rank
     */
    static ProgramProcess start(boolean tag, String mainClass, String[] args) {
        return start(tag, mainClass, args, false);
    }

    /**
     * The same, for ranks of a simulation: the program reads their clock for the machine's, and they use the same
     * classes where no rank can see that.
     *
     * @param others the number of ranks of each other job in this process: the last ones of the board
     */
    public static ProgramProcess start(boolean tag, String mainClass, String[] args, boolean simulated,
            int... others) {
        JobDirectory directory;
        Board board;
        int size;
        try {
            size = ProcessJob.number(ProcessJob.SIZE, 1, Integer.MAX_VALUE);
            directory = ProcessJob.directoryFromEnvironment();
            board = ProcessJob.boardOf(directory, size);
        } catch (IllegalStateException e) {
            System.err.println("rankwire: " + e.getMessage());
            System.exit(2);
            throw e;
        }
        Job.claimProcess();
        ProcessJob.begin(board, 0, size);
        new RankWatch(directory, board).start();
        int[] sizes = new int[1 + others.length];
        sizes[0] = board.size() - Arrays.stream(others).sum();
        System.arraycopy(others, 0, sizes, 1, others.length);
        return new ProgramProcess(directory, board, new RankStreams(tag, sizes), mainClass, args,
                RankLoader.classPath(), simulated);
    }

    /** Another program that runs beside this one in the same process; its jobs are on the same board. */
    public ProgramProcess beside(String otherPath, String otherClass, String[] otherArgs) {
        return new ProgramProcess(
                directory, board, streams, otherClass, otherArgs, RankLoader.classPath(otherPath), simulated);
    }

    /** The main class of the program. */
    public String mainClass() {
        return mainClass;
    }

    public int size() {
        return board.size();
    }

    public Board board() {
        return board;
    }

    /**
     * At the end of the process says on the board which rank has ended it, and lets out the last lines.
     *
     * @param exiting gives the rank inside a call that ends the process, or -1
     */
    public void atExit(IntSupplier exiting) {
        ProcessJob.atExit(new Thread(() -> {
            int rank = exiting.getAsInt();
            if (rank >= 0) {
                board.left(rank);
            }
            streams.finish();
        }));
    }

    /** Lets out lines that have no end yet. */
    public void finishOutput() {
        streams.finish();
    }

    /** Runs the program as the rank of this job. */
    public void run(Job job) throws Throwable {
        // Never closed: threads that the program leaves running may load classes until the process ends.
        RankLoader loader = common != null ? common : loader(job.rank());
        Thread.currentThread().setContextClassLoader(loader);
        ProgramEntry.of(mainClass, loader).run(args.clone());
    }

    private RankLoader loader(int rank) {
        return new RankLoader(classPath, simulated, rank, library);
    }

    /** From now on output is kept, for {@link #taken}, and a program that exits ends its job and not the process. */
    public void keep() {
        streams.keep();
        ProgramClock.catchExit();
    }

    /** What the ranks have written since the last time, rank by rank. */
    public String taken() {
        return streams.taken();
    }

    /** What a process exits with because of what was thrown. */
    public static int status(Throwable thrown) {
        return Aborted.status(thrown);
    }

    /** Whether a rank has failed, and its story is where the launcher looks. */
    boolean hasFailed() {
        for (int rank = 0; rank < board.size(); rank++) {
            if (board.failure(rank) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Called when a rank exits the process: reports a failure to the launcher and writes the last lines. */
    void exits(int rank, int status) {
        if (status != 0) {
            Failure.write(directory, board, rank, new Aborted("it exited with status " + status, status));
        }
        streams.finish();
    }

    /** Reports the failure of a rank to the launcher, which declares it dead; the others go on. */
    void died(int rank, Throwable thrown) {
        if (board.failure(rank) < 0) {
            Failure.write(directory, board, rank, thrown);
        }
    }

    /**
     * How a rank has died, in words.
     *
     * @param size the number of ranks
     * @param note stands behind the first line
     */
    public static String story(int rank, int size, Throwable how, String note) {
        String name = "rank " + rank + (rank < size ? " of " + size : "") + " failed: ";
        return how instanceof Aborted ? name + how.getMessage() + note + "\n"
                : name + "it threw an exception" + note + "\n" + Failure.story(how);
    }

    /** Ends the process because of what a rank has thrown. */
    public void fail(int rank, Throwable thrown) {
        fail(rank, thrown, Aborted.status(thrown));
    }

    /** Writes a failure whose status is not that of what was thrown. */
    public void fail(int rank, Throwable thrown, int status) {
        Failure.write(directory, board, rank, thrown, status);
        Debugger.stay();
        System.exit(status);
    }
}
