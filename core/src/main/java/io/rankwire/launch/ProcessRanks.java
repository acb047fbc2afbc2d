package io.rankwire.launch;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs ranks as processes of a program that goes on after them: starts them, watches them, passes their output on, and
 * ends them. Whatever happens, their processes and files are gone when {@link #run} returns, and when this process
 * ends.
 */
public final class ProcessRanks {
    private static final int POLL_MS = 10;
    private static final String BODY = "body";
    private static final String INTERRUPTED = "interrupted";

    private final int size;
    private final String classPath;
    private final List<String> jvm;
    private final Patience patience;
    private final boolean goesOn;
    /** The ranks that have failed while others went on. */
    private final List<Failed> failures = new ArrayList<>();
    private final RankProcesses processes = new RankProcesses(false, rank -> false);
    private JobDirectory directory;
    /** Starts the process of a rank; null before the first one. */
    private RankStarter starter;
    /** Gives places to ranks that replace others; null unless ranks go on. */
    private ProcessReplacing replacing;
    /** Whether this process ends, and the ranks with it. */
    private volatile boolean exiting;
    private boolean over;

    /**
     * @param jvm options of the JVMs
     * @param goesOn whether the others go on when a rank has failed
     */
    public ProcessRanks(int size, String classPath, List<String> jvm, Patience patience, boolean goesOn) {
        this.size = size;
        this.classPath = classPath;
        this.jvm = jvm;
        this.patience = patience;
        this.goesOn = goesOn;
    }

    private interface RankStarter {
        void start(int rank) throws IOException;
    }

    /** Why the ranks have not ended well. */
    public static final class Failed extends Exception {
        private static final long serialVersionUID = 1;
        private final int rank;
        private final int origin;
        private final transient byte[] thrown;

        Failed(int rank, int origin, String story, byte[] thrown) {
            super(story.stripTrailing());
            this.rank = rank;
            this.origin = origin;
            this.thrown = thrown;
        }

        /** The rank that failed first, or -1 when all failed together. */
        public int rank() {
            return rank;
        }

        /** The rank of the world at the start in whose place it was: itself, unless it had replaced another. */
        public int origin() {
            return origin;
        }

        /** What that rank has left of the exception, or null. */
        public byte[] thrown() {
            return thrown;
        }
    }

    /**
     * Runs them.
     *
     * @param body what they read by {@link #body}; null for nothing
     * @return what each of them has written by {@link #value}, or null; of a rank that was replaced, what the last
     *     process in its place has
     * @throws Failed if one did not end well; where ranks go on, if none did
     * @throws IOException if they could not be started
     */
    public byte[][] run(byte[] body, String mainClass, List<String> args) throws Failed, IOException {
        Thread hook = new Thread(() -> {
            exiting = true;
            clear();
        }, "rankwire-end");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            throw new IOException("this process is being ended", e);
        }
        try {
            watch(start(body, mainClass, args));
            byte[][] values = new byte[size][];
            for (int rank = 0; rank < processes.count(); rank++) {
                int origin = origin(rank);
                if (origin < size) {
                    values[origin] = isFailed(rank) ? null : read(valueOf(directory, rank));
                }
            }
            return values;
        } catch (ClosedByInterruptException e) {
            throw new Failed(-1, -1, INTERRUPTED, null);
        } finally {
            clear();
            forget(hook);
        }
    }

    /** The ranks that have failed while others went on, in the order of their failures. */
    public List<Failed> failures() {
        return failures;
    }

    private boolean isFailed(int rank) {
        return failures.stream().anyMatch(each -> each.rank == rank);
    }

    private int origin(int rank) {
        return replacing == null || rank < 0 ? rank : replacing.origin(rank);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs already.
        }
    }

    private Board start(byte[] body, String mainClass, List<String> args) throws IOException {
        String limit = Limits.tooFewFiles(size);
        if (limit != null) {
            throw new IOException("cannot start the ranks: " + limit);
        }
        Path root = JobDirectory.root();
        synchronized (this) {
            directory = JobDirectory.create(root);
        }
        directory.createBoard(Replacements.places(size, goesOn), size);
        if (body != null) {
            JobDirectory.write(directory.path().resolve(BODY), ByteBuffer.wrap(body));
        }
        Board board = directory.openBoard();
        if (goesOn) {
            board.failures().goOn();
            replacing = new ProcessReplacing(board, directory, processes, (rank, like) -> starter.start(rank));
        }
        processes.watch(board);
        ProcessBuilder builder = new ProcessBuilder();
        environment(builder.environment());
        // Standard input may be that of a test runner, which reads commands from it.
        builder.redirectInput(new File(File.separatorChar == '/' ? "/dev/null" : "NUL"));
        Lines.Shared out = new Lines.Shared(flushed(System.out));
        Lines.Shared err = new Lines.Shared(flushed(System.err));
        starter = rank -> {
            builder.command(command(rank, mainClass, args));
            builder.environment().put(ProcessJob.RANK, Integer.toString(rank));
            processes.start(builder, rank, new Lines(out, ""), new Lines(err, ""));
        };
        for (int rank = 0; rank < size; rank++) {
            starter.start(rank);
        }
        JobDirectory.sweep(root);
        return board;
    }

    private List<String> command(int rank, String mainClass, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(RankJvm.java());
        command.addAll(RankJvm.flags(jvm));
        command.addAll(RankJvm.flagsAmong(size));
        command.add("-Dstdout.encoding=" + System.out.charset());
        command.add("-Dstderr.encoding=" + System.err.charset());
        command.addAll(jvm);
        command.add("-cp");
        command.add(classPath);
        command.addAll(RankMain.arguments(rank));
        command.add(mainClass);
        command.addAll(args);
        return command;
    }

    private void environment(Map<String, String> environment) {
        // What has made this process a rank must not make the others believe that they are ranks of the same job.
        environment.keySet().removeIf(name -> name.equals(AgentRank.DIRECTORY) || name.equals(NetworkSettings.ROOT)
                || name.equals(Board.STATS));
        environment.put(ProcessJob.SIZE, Integer.toString(size));
        environment.put(ProcessJob.DIRECTORY, directory.path().toString());
        environment.put(ProcessJob.LAUNCHER, Long.toString(ProcessHandle.current().pid()));
    }

    private static OutputStream flushed(PrintStream to) {
        return new OutputStream() {
            @Override
            public void write(int b) {
                to.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                to.write(bytes, offset, length);
            }

            @Override
            public void flush() {
                to.flush();
            }
        };
    }

    private void watch(Board board) throws Failed, IOException {
        long start = System.nanoTime();
        long lastCheck = start;
        JobWatch watch = new JobWatch(board, patience.stall(), processes::hasEnded, this::stacks);
        FailureWatch deaths = !goesOn ? null : new FailureWatch(board, processes, rank -> ending(board, rank),
                directory, Fabrics.isNetworkAlone(System.getenv(Fabrics.FABRIC)));
        while (true) {
            if (replacing != null) {
                replacing.look();
            }
            boolean allEnded = processes.awaitSome(POLL_MS);
            while (exiting) {
                // What has become of the ranks is no news: the process has ended them.
                LockSupport.park(this);
            }
            if (Thread.interrupted()) {
                try {
                    throw stop(board, 1, -1, INTERRUPTED);
                } finally {
                    Thread.currentThread().interrupt();
                }
            }
            Ending first = deaths == null ? processes.firstFailure(rank -> ending(board, rank)) : deaths.end();
            if (first != null) {
                String why = first.story("rank " + first.rank(), directory);
                throw stop(board, first.status(), first.rank(),
                        deaths == null ? why : why.stripTrailing() + deaths.whyEnd(first));
            }
            if (deaths != null && !goOn(deaths)) {
                allEnded = false;
                LockSupport.parkNanos(1_000_000);
            }
            if (allEnded) {
                processes.finishOutput();
                if (deaths != null && !deaths.anyLeft()) {
                    throw failures.getFirst();
                }
                return;
            }
            processes.releaseOutput();
            long now = System.nanoTime();
            if (patience.isOver(now - start)) {
                throw stop(board, Patience.TIMEOUT_STATUS, -1, watch.describe(patience.heading()));
            }
            if (now - lastCheck >= DeadlockWatch.INTERVAL_MS * 1_000_000L) {
                lastCheck = now;
                JobWatch.Finding found = watch.check(now);
                if (found != null && found.ends()) {
                    throw stop(board, DeadlockWatch.EXIT_STATUS, -1, found.text());
                } else if (found != null) {
                    System.err.println("rankwire: " + found.text());
                }
            }
        }
    }

    /** Notes the ranks that have died since the last time; false if there are more to come. */
    private boolean goOn(FailureWatch deaths) {
        for (FailureWatch.Death each : deaths.look(System.nanoTime())) {
            int rank = each.ending().rank();
            failures.add(new Failed(rank, origin(rank), each.ending().story("rank " + rank, directory),
                    read(thrownOf(directory, rank))));
        }
        return !deaths.anyUnclear();
    }

    private Ending ending(Board board, int rank) {
        if (board.failure(rank) >= 0) {
            return Ending.thrown(board, rank);
        }
        int status = processes.status(rank);
        if (status < 0 || processes.isDismissed(rank)) {
            return null;
        }
        Ending early = processes.early(rank, status);
        return early != null ? early : Ending.of(board, rank, status, false, false);
    }

    private String stacks(int rank) {
        try {
            return Files.readString(directory.stacks(rank));
        } catch (IOException e) {
            return "";
        }
    }

    /** Ends the ranks and passes on the rest of their output. */
    private Failed stop(Board board, int status, int rank, String why) {
        board.abort(status, why);
        processes.end(why.endsWith(Limits.noThread()));
        processes.finishOutput();
        return new Failed(rank, origin(rank), why, rank < 0 ? null : read(thrownOf(directory, rank)));
    }

    private synchronized void clear() {
        if (over) {
            return;
        }
        over = true;
        boolean interrupted = Thread.interrupted();
        processes.end(false);
        if (directory != null) {
            directory.delete();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file + ": " + e, e);
        }
    }

    private static Path valueOf(JobDirectory directory, int rank) {
        return directory.path().resolve("value." + rank);
    }

    private static Path thrownOf(JobDirectory directory, int rank) {
        return directory.path().resolve("thrown." + rank);
    }

    // In the process of a rank.

    /** What this rank is to do. */
    public static byte[] body() throws IOException {
        return Files.readAllBytes(ProcessJob.directoryFromEnvironment().path().resolve(BODY));
    }

    /** Leaves the value of this rank for the program that has started it. */
    public static void value(byte[] bytes) throws IOException {
        JobDirectory.write(
                valueOf(ProcessJob.directoryFromEnvironment(), Job.current().rank()), ByteBuffer.wrap(bytes));
    }

    /** Leaves what this rank has thrown for the program that has started it. */
    public static void thrown(byte[] bytes) throws IOException {
        JobDirectory.write(
                thrownOf(ProcessJob.directoryFromEnvironment(), Job.current().rank()), ByteBuffer.wrap(bytes));
    }
}
