package io.rankwire.launch;

import io.rankwire.fabric.Port;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Runs ranks as threads of this process, each in its own thread group. Used for worlds embedded in a program and by
 * {@link ThreadsMain}; the caller's thread waits for the ranks and watches them.
 */
public final class ThreadRanks {
    /** How often the calling thread looks for dead ranks. */
    private static final int SOON_MS = 10;

    /** What a rank does; may throw anything. */
    @FunctionalInterface
    public interface Body {
        void run(Job job) throws Throwable;
    }

    /** Called with the first failure of a rank, on that rank's thread. */
    @FunctionalInterface
    interface OnFailure {
        void failed(int rank, Throwable thrown);
    }

    /** Where the ranks are. */
    interface Places {
        /** The node of a rank. */
        int node(int rank);

        /** Opens the port of a rank in a world. */
        Port open(int world, int rank);

        /** Called when all ranks have ended. */
        void close();
    }

    /** The number of ranks of the world at the start. */
    private final int size;
    private final Board board;
    private final Places places;
    private final ThreadGroup[] groups;
    private final Thread[] threads;
    /** Ranks that have exited, and wait for the others. */
    private final boolean[] done;
    /** Whether the others go on when a rank has failed. */
    private final boolean goesOn;
    /** Gives places to ranks that replace others; guarded by this, as all of the following. */
    private final Replacing replacing;
    private final Map<Integer, Replacements.Part> parts = new HashMap<>();
    /** How many places are used. The threads of the last ones may not have been started yet. */
    private int used;
    private boolean over;
    /** Starts a rank; null before the first one. */
    private IntConsumer starter;
    /** What ranks that are dead have thrown, in the order of their deaths. */
    private final Map<Integer, Throwable> deaths = new LinkedHashMap<>();
    /** Ranks that are dead and whose threads were interrupted. */
    private final BitSet interrupted = new BitSet();
    private Throwable failure;
    private int failedRank = -1;
    /** Whether the threads are such that let the process end; null for those of the calling thread. */
    private Boolean daemon;
    /** Ranks that did not end, in words. */
    private String left = "";

    ThreadRanks(int size, Board board, Places places) {
        this.size = size;
        this.board = board;
        this.places = places;
        groups = new ThreadGroup[board.size()];
        threads = new Thread[board.size()];
        done = new boolean[board.size()];
        replacing = new Replacing(board.size(), new Crew());
        goesOn = board.failures().goesOn();
    }

    /**
     * Runs {@code body} as {@code size} ranks and returns when all have ended.
     *
     * @throws Failed with the first failure; a deadlock is one too
     */
    public static void run(int size, Body body) {
        run(size, new Fabrics(size), body);
    }

    /** The same with ranks on several nodes, or on another fabric. */
    static void run(int size, Places places, Body body) {
        run(new ThreadRanks(size, Board.inMemory(size), places), body, Patience.endless());
    }

    /**
     * The same with a limit.
     *
     * @param daemon whether a rank that cannot be ended lets the process end
     * @param goesOn whether the others go on when a rank has failed
     */
    public static Outcome run(int size, Body body, Patience patience, boolean daemon, boolean goesOn) {
        Board board = Board.inMemory(Replacements.places(size, goesOn), size);
        if (goesOn) {
            board.failures().goOn();
        }
        ThreadRanks ranks = new ThreadRanks(size, board, new Fabrics(board.size(), size));
        ranks.daemon = daemon;
        run(ranks, body, patience);
        return new Outcome(ranks.deaths, ranks.replacing::origin);
    }

    /**
     * What came of ranks.
     *
     * @param deaths what ranks have thrown that have failed while others have not, in the order of their failures
     * @param origin gives for each rank that of the world at the start in whose place it was: the same one, unless it
     *     has replaced another
     */
    public record Outcome(Map<Integer, Throwable> deaths, IntUnaryOperator origin) {
        /** Gives each rank of the world at the start the value of the last rank in its place; null if that is dead. */
        public void settle(Object[] values) {
            for (int rank = 0; rank < values.length; rank++) {
                values[origin.applyAsInt(rank)] = deaths.containsKey(rank) ? null : values[rank];
            }
        }
    }

    private static void run(ThreadRanks ranks, Body body, Patience patience) {
        Board board = ranks.board;
        ranks.start(body, (rank, thrown) -> board.abort(1, "rank " + rank + " failed: " + thrown), ranks::declare);
        ranks.awaitAll(new SelfWatch(board, patience.stall()), patience);
        if (ranks.left.isEmpty() && !ranks.hasLiveDead()) {
            // Ranks that go on may still use the memory of the fabric.
            ranks.places.close();
        }
        if (ranks.failure != null) {
            throw new Failed(ranks.failedRank, ranks.failure);
        }
        if (board.aborted()) {
            throw new Failed(-1, new IllegalStateException(board.abortReason() + ranks.left));
        }
        if (ranks.deaths.size() == ranks.used()) {
            Map.Entry<Integer, Throwable> first = ranks.deaths.entrySet().iterator().next();
            throw new Failed(first.getKey(), first.getValue());
        }
    }

    /** A rank has failed, and the others go on. */
    private synchronized void declare(int rank, Throwable thrown) {
        if (!board.aborted() && board.failures().declare(rank, Ending.cause(rank, thrown))) {
            deaths.put(rank, thrown);
        }
    }

    /** Declares ranks dead that others cannot reach. */
    private void declareSuspects() {
        for (int by = 0; by < board.size(); by++) {
            int suspect = board.failures().suspectOf(by);
            if (suspect >= 0) {
                declare(suspect, new Aborted("it was ended: rank " + by + " could not reach it", 1));
            }
        }
    }

    /** Waits for ranks that the launcher watches over. */
    void awaitAll() {
        awaitAll(null, Patience.endless());
    }

    /** The first failure of an embedded job; its cause is what the rank threw. */
    public static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int rank;

        public Failed(int rank, Throwable cause) {
            this(rank, "rank " + rank, cause);
        }

        /** @param name of the rank */
        public Failed(int rank, String name, Throwable cause) {
            super(rank < 0 ? cause.getMessage() : name + " failed: " + cause, cause);
            this.rank = rank;
        }

        /** The rank that failed first, or -1 when all failed together. */
        public int rank() {
            return rank;
        }
    }

    /**
     * @param onDeath called with the failure of each rank that the others go on without
     */
    void start(Body body, OnFailure onFailure, OnFailure onDeath) {
        starter = rank -> {
            ThreadJob job = new ThreadJob(rank, board, places::node, world -> places.open(world, rank), thrown -> {
                if (goesOn && !board.isEndOfJob(rank)) {
                    onDeath.failed(rank, thrown);
                } else if (isFirst(rank, thrown)) {
                    onFailure.failed(rank, thrown);
                }
            }, board.size() == size ? null : new Asking(rank));
            groups[rank] = new ThreadGroup(nameOfGroup(rank));
            threads[rank] = new Thread(groups[rank], () -> job.run(body), "rank-" + rank);
            if (daemon != null) {
                threads[rank].setDaemon(daemon);
            }
        };
        for (int rank = 0; rank < size; rank++) {
            starter.accept(rank);
        }
        for (int rank = 0; rank < size; rank++) {
            threads[rank].start();
        }
        used = size;
    }

    /**
     * Starts the ranks that are to replace others. The thread that has started the first ranks calls this, and never a
     * rank: a thread inherits values of thread locals from the thread that starts it, and those of a rank are not for
     * another one.
     */
    private synchronized void startMore() {
        for (int rank = size; rank < used; rank++) {
            if (threads[rank] == null) {
                starter.accept(rank);
                threads[rank].start();
            }
        }
    }

    private synchronized int used() {
        return used;
    }

    /** No rank is started from now on. */
    private synchronized void end() {
        over = true;
    }

    /** Threads are started when they are needed, so none waits. */
    private final class Crew implements Replacing.Crew {
        @Override
        public List<Integer> spares(int dead) {
            return List.of();
        }

        @Override
        public int next() {
            return used;
        }

        @Override
        public void start(int rank, int like, int dead) {
            used++;
        }

        @Override
        public void give(int rank, Replacements.Part part) {
            parts.put(rank, part);
            board.failures().give(rank);
        }
    }

    private final class Asking implements Replacements {
        private final int rank;
        private final List<Answer> answers = new ArrayList<>();

        Asking(int rank) {
            this.rank = rank;
        }

        @Override
        public int ask(Request request) throws IOException {
            synchronized (ThreadRanks.this) {
                answers.add(board.failures().isDead(rank) ? new Answer(null, "this rank is dead")
                        : over ? new Answer(null, "the job has ended") : replacing.answer(request));
                return answers.size() - 1;
            }
        }

        @Override
        public Answer answer(int number) {
            synchronized (ThreadRanks.this) {
                return answers.get(number);
            }
        }

        @Override
        public boolean areThere(List<Integer> ranks) {
            return Replacements.areThere(board, ranks);
        }

        @Override
        public Part part() {
            synchronized (ThreadRanks.this) {
                return parts.get(rank);
            }
        }
    }

    /** The name of the group that all threads of a rank are in. */
    static String nameOfGroup(int rank) {
        return "rank " + rank;
    }

    private synchronized boolean isFirst(int rank, Throwable thrown) {
        if (failure != null || board.aborted()) {
            return false;
        }
        failure = thrown;
        failedRank = rank;
        return true;
    }

    /**
     * Waits for the ranks.
     *
     * @param watch watches over them; null when the launcher does
     */
    private void awaitAll(SelfWatch watch, Patience patience) {
        board.enter(Thread.currentThread());
        long start = System.nanoTime();
        long checkedNs = start;
        long overNs = 0;
        boolean wasInterrupted = false;
        boolean isEnding = false;
        for (int next = 0; next < used() && left.isEmpty(); ) {
            startMore();
            try {
                threads[next].join(goesOn ? SOON_MS : DeadlockWatch.INTERVAL_MS);
            } catch (InterruptedException e) {
                wasInterrupted = true;
                board.abort(1, "interrupted");
            }
            long now = System.nanoTime();
            if (goesOn) {
                lookAtDead(watch != null);
            }
            if (!threads[next].isAlive() || goesOn && board.failures().isDead(next)) {
                next++;
                continue;
            }
            if (patience.isOver(now - start) && !board.aborted()) {
                board.abort(Patience.TIMEOUT_STATUS, new DeadlockWatch(board, rank -> true)
                        .report(patience.heading(), "threads of rank ", this::stacks));
            }
            if (board.aborted() && !isEnding) {
                // Blocked calls see it for themselves; this is for ranks that sleep or wait elsewhere.
                isEnding = true;
                overNs = now;
                // Ranks that were asked for meanwhile are started: no more are from now on, and all are interrupted.
                end();
                startMore();
                interruptAll();
            }
            if (isEnding && patience.leaves() && (wasInterrupted || patience.isOver(now - start))
                    && now - overNs > Patience.GRACE_NS) {
                left = leftBehind();
            }
            if (watch != null && now - checkedNs >= DeadlockWatch.INTERVAL_MS * 1_000_000L) {
                checkedNs = now;
                watch.check();
            }
        }
        end();
        if (goesOn) {
            awaitDead();
        }
        board.leave(Thread.currentThread());
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Interrupts what is left of ranks that are dead.
     *
     * @param declares whether this thread declares them
     */
    private void lookAtDead(boolean declares) {
        if (declares) {
            declareSuspects();
        }
        FailureLog log = board.failures();
        for (int i = interrupted.cardinality(); i < log.count(); i++) {
            interrupted.set(log.rank(i));
            groups[log.rank(i)].interrupt();
        }
    }

    /** Gives the threads of dead ranks some time to end; what they do has no effect on the others any more. */
    private void awaitDead() {
        while (anyUndeclared()) {
            LockSupport.parkNanos(SOON_MS * 1_000_000L);
        }
        lookAtDead(false);
        long start = System.nanoTime();
        while (hasLiveDead() && System.nanoTime() - start < Patience.GRACE_NS) {
            LockSupport.parkNanos(SOON_MS * 1_000_000L);
        }
    }

    /** Whether a rank has failed that the launcher has yet to declare. */
    private boolean anyUndeclared() {
        FailureLog log = board.failures();
        return !board.aborted() && IntStream.range(0, used()).anyMatch(rank ->
                board.failure(rank) >= 0 && !log.isDead(rank));
    }

    private boolean hasLiveDead() {
        return interrupted.stream().anyMatch(rank -> threads[rank].isAlive());
    }

    /**
     * Waits for the threads that ranks which are not dead have started; true if there may be threads of dead ranks,
     * which do not end by themselves. Does nothing if ranks do not go on.
     */
    boolean awaitThreads() {
        board.enter(Thread.currentThread());
        for (int rank = 0; goesOn && rank < used(); rank++) {
            while (!interrupted.get(rank) && groups[rank] != null && hasThreads(groups[rank])) {
                LockSupport.parkNanos(DeadlockWatch.INTERVAL_MS * 1_000_000L);
                lookAtDead(false);
            }
        }
        board.leave(Thread.currentThread());
        return !interrupted.isEmpty();
    }

    private static boolean hasThreads(ThreadGroup group) {
        Thread[] some = new Thread[group.activeCount() + 1];
        int count = group.enumerate(some);
        return Arrays.stream(some, 0, count).anyMatch(each -> each.isAlive() && !each.isDaemon());
    }

    private String stacks(int rank) {
        return groups[rank] == null ? "" : ThreadStacks.describe(board.ownThreads(), groups[rank]);
    }

    private String leftBehind() {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < used(); rank++) {
            if (threads[rank].isAlive()) {
                text.append("\n  rank ").append(rank).append(" could not be ended: its thread goes on");
            }
        }
        return text.toString();
    }

    private void interruptAll() {
        for (int rank = 0; rank < used(); rank++) {
            groups[rank].interrupt();
        }
    }

    /** A rank that exits with status 0 has done its part; as a process of its own it would leave the others alone. */
    synchronized void awaitOthers(int rank) {
        done[rank] = true;
        board.left(rank);
        try {
            for (int other = 0; other < used; other++) {
                while (!done[other] && (threads[other] == null || threads[other].isAlive())
                        && !board.failures().isDead(other)) {
                    wait(DeadlockWatch.INTERVAL_MS);
                }
            }
        } catch (InterruptedException e) {
            // The job is being ended.
        }
    }

    /** Says on the board which thread is inside a call that ends the process, if any is. */
    void reportWhoExits() {
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            for (StackTraceElement frame : stack) {
                if (frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit")) {
                    int rank = rankOf(thread);
                    board.abort(1, "a thread named " + thread.getName()
                            + (rank < 0 ? "" : ", of rank " + rank + ",") + " called System.exit");
                }
            }
        });
    }

    /** The rank that started a thread, as far as thread groups show it; else -1. */
    private int rankOf(Thread thread) {
        for (int rank = 0; rank < used(); rank++) {
            ThreadGroup group = thread.getThreadGroup();
            if (group != null && groups[rank] != null && groups[rank].parentOf(group)) {
                return rank;
            }
        }
        return -1;
    }
}
