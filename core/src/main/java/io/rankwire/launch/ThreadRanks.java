package io.rankwire.launch;

import io.rankwire.fabric.Port;

/**
 * Runs ranks as threads of this process, each in its own thread group. Used for worlds embedded in a program and by
 * {@link ThreadsMain}; the caller's thread waits for the ranks and watches them.
 */
public final class ThreadRanks {
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

    private final int size;
    private final Board board;
    private final Places places;
    private final ThreadGroup[] groups;
    private final Thread[] threads;
    /** Ranks that have exited, and wait for the others. */
    private final boolean[] done;
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
        groups = new ThreadGroup[size];
        threads = new Thread[size];
        done = new boolean[size];
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
     */
    public static void run(int size, Body body, Patience patience, boolean daemon) {
        ThreadRanks ranks = new ThreadRanks(size, Board.inMemory(size), new Fabrics(size));
        ranks.daemon = daemon;
        run(ranks, body, patience);
    }

    private static void run(ThreadRanks ranks, Body body, Patience patience) {
        Board board = ranks.board;
        ranks.start(body, (rank, thrown) -> board.abort(1, "rank " + rank + " failed: " + thrown));
        ranks.awaitAll(new SelfWatch(board, patience.stall()), patience);
        if (ranks.left.isEmpty()) {
            // Ranks that go on may still use the memory of the fabric.
            ranks.places.close();
        }
        if (ranks.failure != null) {
            throw new Failed(ranks.failedRank, ranks.failure);
        }
        if (board.aborted()) {
            throw new Failed(-1, new IllegalStateException(board.abortReason() + ranks.left));
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

    void start(Body body, OnFailure onFailure) {
        for (int rank = 0; rank < size; rank++) {
            int mine = rank;
            ThreadJob job = new ThreadJob(rank, board, places::node, world -> places.open(world, mine), thrown -> {
                if (isFirst(mine, thrown)) {
                    onFailure.failed(mine, thrown);
                }
            });
            groups[rank] = new ThreadGroup(nameOfGroup(rank));
            threads[rank] = new Thread(groups[rank], () -> job.run(body), "rank-" + rank);
            if (daemon != null) {
                threads[rank].setDaemon(daemon);
            }
        }
        for (Thread thread : threads) {
            thread.start();
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
        long overNs = 0;
        boolean interrupted = false;
        boolean over = false;
        for (int next = 0; next < size && left.isEmpty(); ) {
            try {
                threads[next].join(DeadlockWatch.INTERVAL_MS);
            } catch (InterruptedException e) {
                interrupted = true;
                board.abort(1, "interrupted");
            }
            if (!threads[next].isAlive()) {
                next++;
                continue;
            }
            long now = System.nanoTime();
            if (patience.isOver(now - start) && !board.aborted()) {
                board.abort(Patience.TIMEOUT_STATUS, new DeadlockWatch(board, rank -> true)
                        .report(patience.heading(), "threads of rank ", this::stacks));
            }
            if (board.aborted() && !over) {
                // Blocked calls see it for themselves; this is for ranks that sleep or wait elsewhere.
                over = true;
                overNs = now;
                interruptAll();
            }
            if (over && patience.leaves() && (interrupted || patience.isOver(now - start))
                    && now - overNs > Patience.GRACE_NS) {
                left = leftBehind();
            }
            if (watch != null) {
                watch.check();
            }
        }
        board.leave(Thread.currentThread());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String stacks(int rank) {
        return ThreadStacks.describe(board.ownThreads(), groups[rank]);
    }

    private String leftBehind() {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < size; rank++) {
            if (threads[rank].isAlive()) {
                text.append("\n  rank ").append(rank).append(" could not be ended: its thread goes on");
            }
        }
        return text.toString();
    }

    private void interruptAll() {
        for (ThreadGroup group : groups) {
            group.interrupt();
        }
    }

    /** A rank that exits with status 0 has done its part; as a process of its own it would leave the others alone. */
    synchronized void awaitOthers(int rank) {
        done[rank] = true;
        board.left(rank);
        try {
            for (int other = 0; other < size; other++) {
                while (!done[other] && threads[other].isAlive()) {
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
        for (int rank = 0; rank < size; rank++) {
            ThreadGroup group = thread.getThreadGroup();
            if (group != null && groups[rank].parentOf(group)) {
                return rank;
            }
        }
        return -1;
    }
}
