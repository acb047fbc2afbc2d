package io.rankwire.launch;

import io.rankwire.AnyCommunicator;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final Map<String, Throwable> failures = Collections.synchronizedMap(new LinkedHashMap<>());
    private final List<Thread> asides = new CopyOnWriteArrayList<>();

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
     * @param hosts the host of each rank, or null if all are on one
     */
    public static void run(int size, IntUnaryOperator hosts, Body body) {
        new MortalRanks(size).runAll(hosts, body);
    }

    /** The hosts of ranks for {@link #run}: all on one, or each on its own. */
    public static IntUnaryOperator places(boolean severalHosts) {
        return severalHosts ? rank -> rank : null;
    }

    /** Ends the rank that calls it. */
    public static void dies() {
        throw new Death();
    }

    /** Returns when a rank knows of a number of dead members. */
    public static void awaitDeaths(AnyCommunicator on, int count) {
        while (on.failed().size() < count) {
            Thread.onSpinWait();
        }
    }

    /** What a thread does beside the ranks. */
    @FunctionalInterface
    public interface Aside {
        void run() throws Throwable;
    }

    /** Starts a thread beside the ranks. {@link #run} waits for its end, too, and throws what it has thrown. */
    public void aside(String name, Aside action) {
        // Not of the group of the rank that starts it.
        Thread thread = new Thread(new ThreadGroup(name), () -> {
            try {
                action.run();
            } catch (Throwable thrown) {
                failures.put(name, thrown);
            }
        }, name);
        thread.setDaemon(true);
        asides.add(thread);
        thread.start();
    }

    /** Declares a rank dead that may be in a call; it ends itself. */
    public synchronized void declare(int rank) {
        board.failures().declare(rank, "rank " + rank + " was taken for dead");
    }

    private synchronized void died(int rank, Throwable thrown) {
        if (!(thrown instanceof Death) && !board.failures().isDead(rank)) {
            failures.put("rank " + rank, thrown);
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
                AssertionError late = new AssertionError(new DeadlockWatch(board, rank -> true).report());
                board.abort(1, "time is over");
                failures.values().forEach(late::addSuppressed);
                throw late;
            }
        }
        asides.forEach(each -> awaitEnd(each, end));
        places.close();
        failures.forEach((who, thrown) -> {
            throw new AssertionError(who + ": " + thrown, thrown);
        });
    }

    private void awaitEnd(Thread aside, long endMs) {
        try {
            aside.join(Math.max(1, endMs - System.currentTimeMillis()));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (aside.isAlive()) {
            failures.putIfAbsent(aside.getName(), new AssertionError("it does not end"));
        }
    }
}
