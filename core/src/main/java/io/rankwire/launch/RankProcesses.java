package io.rankwire.launch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/**
 * The processes of one job on this host, which this process has started, and their output: one per rank, or one for
 * all when ranks are threads.
 */
public final class RankProcesses {
    /** How long a rank may take to end by itself when asked to, before it is killed. */
    static final int GRACE_MS = 1000;
    /** How long to wait for more output once its process has gone; a child it left may hold the pipe open for ever. */
    private static final int OUTPUT_MS = 500;
    /** The same for one rank, while the job goes on. */
    private static final int LAST_OUTPUT_MS = 20;
    /** What a JVM prints when it cannot start one of its threads. */
    private static final String[] NO_THREAD =
            {"unable to create native thread", "Out of system resources", "Failed to create worker thread"};

    private final boolean single;
    private final IntPredicate isCommand;
    private final List<Process> processes = new ArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();
    /** Processes that have closed an output, which most do when they end. */
    private final BlockingQueue<Process> closed = new LinkedBlockingQueue<>();
    /** Null until it has been opened, while the ranks start. */
    private volatile Board board;
    private boolean ending;
    /** Ranks whose processes were not needed. */
    private final BitSet dismissed = new BitSet();
    /** Of ranks that may be scripts: the process that is the rank itself, and those that are killed with it. */
    private final Map<Integer, Set<ProcessIdentity>> children = new ConcurrentHashMap<>();

    /**
     * @param single whether one process runs all ranks
     * @param isCommand whether a rank is any program, and not one that this library has a JVM run
     */
    public RankProcesses(boolean single, IntPredicate isCommand) {
        this.single = single;
        this.isCommand = isCommand;
    }

    /** The process of a rank, and where its output goes; false if the job is being ended and it was not started. */
    public synchronized boolean start(ProcessBuilder builder, int rank, Lines out, Lines err) throws IOException {
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
        pump(rank, process, process.getInputStream(), out);
        pump(rank, process, process.getErrorStream(), err);
        return true;
    }

    private void pump(int rank, Process process, InputStream from, Lines to) {
        OutputPump pump = new OutputPump(from, to, () -> isStarted(rank), () -> closed.add(process));
        pumps.add(pump);
        pump.start();
    }

    /** From now on it can be seen which ranks have started. */
    public void watch(Board of) {
        board = of;
    }

    /** Whether a rank has come so far that its program runs, or is just about to. */
    public boolean isStarted(int rank) {
        if (isCommand.test(rank)) {
            return true;
        }
        Board seen = board;
        return seen != null && seen.pid(rank) != 0;
    }

    /** Waits a little for a process to end; true when all have. */
    public boolean awaitSome(int ms) {
        if (!anyAlive()) {
            return true;
        }
        try {
            Process ending = closed.poll(ms, TimeUnit.MILLISECONDS);
            if (ending != null) {
                await(ending, ms);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !anyAlive();
    }

    private synchronized boolean anyAlive() {
        for (Process process : processes) {
            if (process.isAlive()) {
                return true;
            }
        }
        return false;
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

    /** Whether one process runs all ranks. */
    boolean isSingle() {
        return single;
    }

    /** How many were started. */
    public synchronized int count() {
        return processes.size();
    }

    /** Ends the process of a rank that is not needed, which is no failure of it. */
    void dismiss(int rank) {
        if (!dismissed.get(rank)) {
            dismissed.set(rank);
            kill(rank);
        }
    }

    /** Whether the process of a rank was ended because it was not needed. */
    public boolean isDismissed(int rank) {
        return dismissed.get(rank);
    }

    /** Ends the process of a rank at once, and those that a script has started. */
    void kill(int rank) {
        ProcessHandle handle = process(rank).toHandle();
        if (isCommand.test(rank)) {
            handle.descendants().forEach(each -> startedBy(rank, each.pid()));
        }
        // First the script, which could start another one.
        handle.destroyForcibly();
        children.getOrDefault(rank, Set.of()).stream().filter(ProcessIdentity::isAlive)
                .forEach(each -> ProcessHandle.of(each.pid()).ifPresent(ProcessHandle::destroyForcibly));
    }

    /** Notes the program that a script has begun as this rank: something else may end the script alone. */
    void noteProgram(int rank) {
        if (isCommand.test(rank) && !children.containsKey(rank) && board.pid(rank) != 0) {
            startedBy(rank, board.pid(rank));
        }
    }

    private void startedBy(int rank, long process) {
        children.computeIfAbsent(rank, first -> ConcurrentHashMap.newKeySet()).add(ProcessIdentity.of(process));
    }

    /** Waits until what a rank wrote has been passed on: its process has ended. */
    public void finishOutput(int rank) {
        for (int i = 2 * index(rank); !single && i < 2 * index(rank) + 2; i++) {
            pumps.get(i).finish(LAST_OUTPUT_MS);
        }
    }

    /** Whether the process of a rank is gone. */
    public boolean hasEnded(int rank) {
        // Ranks that are threads leave one by one; what they leave running is counted with their process.
        return single || !process(rank).isAlive()
                && children.getOrDefault(rank, Set.of()).stream().noneMatch(ProcessIdentity::isAlive);
    }

    /** The exit status of the process of a rank; -1 while it lives, or was not started. */
    public int status(int rank) {
        Process process = process(rank);
        return process == null || process.isAlive() ? -1 : process.exitValue();
    }

    /** The process of a rank that was started. */
    public long pid(int rank) {
        return process(rank).pid();
    }

    /** Null if it was not started. */
    private synchronized Process process(int rank) {
        return index(rank) < processes.size() ? processes.get(index(rank)) : null;
    }

    private int index(int rank) {
        return single ? 0 : rank;
    }

    /** Gives how a rank has ended; null if it lives, or has ended well. */
    @FunctionalInterface
    public interface Endings {
        Ending of(int rank);
    }

    /**
     * The rank that failed before the others, or null. A rank that was killed said nothing of its end, and those that
     * stumbled over it did, so no time counts as the earliest.
     */
    public Ending firstFailure(Endings endings) {
        Ending first = null;
        for (int rank = 0; rank < board.size(); rank++) {
            Ending ending = endings.of(rank);
            if (first == null || ending != null && ending.rank() >= 0
                    && (first.rank() < 0 || isEarlier(rank, first.rank()))) {
                first = ending;
            }
        }
        return first;
    }

    /** Whether a rank has ended before another one. */
    public boolean isEarlier(int rank, int than) {
        long mine = board.endedAt(rank);
        long other = board.endedAt(than);
        return mine == 0 ? other != 0 : other != 0 && mine - other < 0;
    }

    /** How a rank failed that ended before its program began, when that is known better than by its JVM; else null. */
    public Ending early(int rank, int status) {
        String notBegun = isStarted(rank) ? null : whyNotBegun(index(rank), status);
        return notBegun == null ? null : Ending.early(rank, status, notBegun);
    }

    private String whyNotBegun(int index, int status) {
        if (status == Ending.SIGNALLED + 1 || status == Ending.SIGNALLED + 2 || status == Ending.SIGNALLED + 15) {
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
    public void end(boolean atOnce) {
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
            if (isCommand.test(i)) {
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
            RankJvm.clear(process.pid());
        }
        for (ProcessHandle child : children) {
            while (child.isAlive() && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            child.destroyForcibly();
        }
    }

    /** With a person at the terminal, what rank 0 has asked must be seen before it is answered. */
    public void showQuestion() {
        pumps.get(0).showQuestion();
    }

    /** Passes on what JVMs printed before they ran the program, unless they have only just printed it. */
    public void releaseOutput() {
        for (OutputPump pump : pumps) {
            pump.releaseWhenDue();
        }
    }

    /** Waits until all that the ranks wrote has been passed on. */
    public void finishOutput() {
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

    /** Why output could not be written, or null. */
    public IOException brokenOutput() {
        for (OutputPump pump : pumps) {
            if (pump.broken() != null) {
                return pump.broken();
            }
        }
        return null;
    }
}
