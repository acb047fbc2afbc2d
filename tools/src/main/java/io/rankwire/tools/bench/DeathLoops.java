package io.rankwire.tools.bench;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.World;

/**
 * Rank 0 kills the last rank, over and over: the time until every other rank has noticed that, in a call that waits or
 * in the next one after a computation; until all have shrunk their communicator; and until a new rank has the place of
 * the dead one. All ranks read one clock. A new rank goes on where the others are.
 */
final class DeathLoops {
    private static final int TAG = 1;
    private static final long COMPUTE_NS = 1_000_000;
    /** Lets the ranks come to rest before one dies. */
    private static final long PAUSE_NS = 100_000_000;

    private final World world;
    private final String kind;
    private final boolean isComputing;
    private Communicator all;

    DeathLoops(World world, String kind) {
        this.world = world;
        this.kind = kind;
        this.isComputing = kind.contains("computing");
        this.all = world.communicator();
    }

    void run(Cell cell) {
        int[] turn = {0};
        if (world.isReplacement()) {
            all.broadcast(turn, 0);
        }
        while (turn[0] < cell.iterations()) {
            long victim = victim();
            long[] noticed = {all.rank() == 0 ? kill(victim) : Long.MIN_VALUE, notice()};
            long[] shrunk = {System.nanoTime(), 0};
            Communicator fewer = all.shrink();
            shrunk[1] = System.nanoTime();
            report("noticed", fewer, noticed);
            report("shrunk", fewer, shrunk);
            long[] replaced = {System.nanoTime(), 0};
            Communicator before = all;
            all = before.replace();
            replaced[1] = System.nanoTime();
            report("replaced", fewer, replaced);
            fewer.free();
            if (before != world.communicator()) {
                before.free();
            }
            turn[0]++;
            all.broadcast(turn, 0);
        }
    }

    /** The process of the last rank. */
    private long victim() {
        long[] mine = {ProcessHandle.current().pid()};
        long[] every = new long[all.size()];
        all.allgather(mine, every);
        if (all.rank() == all.size() - 1) {
            all.receive(mine, 0, TAG);
            throw new IllegalStateException("killed, and alive");
        }
        return every[all.size() - 1];
    }

    /** Returns when. */
    private static long kill(long pid) {
        long wait = System.nanoTime() + PAUSE_NS;
        while (System.nanoTime() - wait < 0) {
            Thread.yield();
        }
        long now = System.nanoTime();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        return now;
    }

    /** Returns when this rank has noticed the death. */
    private long notice() {
        try {
            while (isComputing) {
                long until = System.nanoTime() + COMPUTE_NS;
                while (System.nanoTime() - until < 0) {
                    Thread.onSpinWait();
                }
                all.iprobe(all.size() - 1, TAG);
            }
            all.barrier();
            throw new IllegalStateException("a barrier without all ranks");
        } catch (RankwireException e) {
            return System.nanoTime();
        }
    }

    /** Rank 0 prints the time from the last begin to the last end, in ms. */
    private void report(String part, Communicator on, long[] fromTo) {
        long[] last = new long[2];
        on.allreduce(fromTo, last, Op.MAX);
        if (on.rank() == 0) {
            System.out.println(new Point(kind + "." + part, 0, 0).line((last[1] - last[0]) / 1e6));
        }
    }
}
