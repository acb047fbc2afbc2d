package io.rankwire.launch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Ranks as threads that go on without those that die. This class is their watcher: a rank that throws {@link Death} is
 * declared dead when its thread has left the library; a test may also declare one dead that is still in a call.
 */
public final class MortalRanks {
    /** Ends a rank without closing its world, as the death of a process does. */
    public static final class Death extends Error {
        private static final long serialVersionUID = 1;

        public Death() {
            super("of this rank", null, false, false);
        }
    }

    private static final long PATIENCE_MS = 180_000;

    private final int size;
    private final Board board;
    private final Map<Integer, Throwable> failures = Collections.synchronizedMap(new LinkedHashMap<>());

    private MortalRanks(int size) {
        this.size = size;
        this.board = Board.inMemory(size);
        board.failures().goOn();
    }

    /** What a rank does. */
    @FunctionalInterface
    public interface Body {
        void run(MortalRanks ranks, Job job) throws Throwable;
    }

    /**
     * Runs ranks until all have ended; throws what a rank has thrown that did not die.
     *
     * @param hosts the host of each rank
     */
    public static void run(int size, IntUnaryOperator hosts, Body body) {
        new MortalRanks(size).runAll(hosts, body);
    }

    /** Declares a rank dead that may be in a call; it ends itself. */
    public synchronized void declare(int rank) {
        board.failures().declare(rank, "rank " + rank + " was taken for dead");
    }

    private synchronized void died(int rank, Throwable thrown) {
        if (!(thrown instanceof Death) && !board.failures().isDead(rank)) {
            failures.put(rank, thrown);
        }
        board.failures().declare(rank, "rank " + rank + " died: " + thrown.getMessage());
    }

    /** Declares the suspects dead, as a watcher does that has ended them. */
    private synchronized void declareSuspects() {
        for (int by = 0; by < size; by++) {
            int suspect = board.failures().suspectOf(by);
            if (suspect >= 0) {
                board.failures().declare(suspect, "rank " + suspect + " could not be reached");
            }
        }
    }

    private void runAll(IntUnaryOperator hosts, Body body) {
        ThreadRanks.Places places = hosts == null ? new Fabrics(size) : PretendedHosts.places(size, hosts);
        Thread[] threads = new Thread[size];
        for (int rank = 0; rank < size; rank++) {
            int mine = rank;
            ThreadJob job = new ThreadJob(rank, board, places::node, world -> places.open(world, mine),
                    thrown -> died(mine, thrown));
            threads[rank] = new Thread(new ThreadGroup("rank " + rank), () -> job.run(of -> body.run(this, of)),
                    "rank-" + rank);
            threads[rank].setDaemon(true);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        long end = System.currentTimeMillis() + PATIENCE_MS;
        for (Thread thread : threads) {
            while (thread.isAlive() && System.currentTimeMillis() < end) {
                try {
                    thread.join(5);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                declareSuspects();
            }
            if (thread.isAlive()) {
                String report = new DeadlockWatch(board, rank -> true).report();
                board.abort(1, "time is over");
                throw new AssertionError(report);
            }
        }
        places.close();
        failures.forEach((rank, thrown) -> {
            throw new AssertionError("rank " + rank + ": " + thrown, thrown);
        });
    }
}
