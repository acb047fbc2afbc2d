package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Window;
import io.rankwire.World;

/**
 * What calls of 8 bytes cost in plain loops: half a round trip of a message, an allreduce, and accesses to memory of
 * the other rank, which waits meanwhile. A job prints one line, the best of its rounds in ns. Jobs of two kinds or of
 * two builds, in turn, show what differs. Run:
 * {@code bin/rankwire run -n 2 -cp lab/target/classes io.rankwire.lab.PlainLoops}.
 */
public final class PlainLoops {
    private static final int ROUNDS = 7;
    private static final int CALLS = 1_000_000;
    private static final int PLACES = 512;
    private static final int FLUSHED = 64;

    private final Communicator all;
    private final int other;
    private final Window window;
    private final long[] word = new long[1];
    private final long[] sum = new long[1];
    private final StringBuilder line = new StringBuilder();

    private PlainLoops(Communicator all) {
        this.all = all;
        this.other = 1 - all.rank();
        this.window = all.allocateWindow(PLACES * Long.BYTES, Long.BYTES);
    }

    public static void main(String[] arguments) {
        try (World world = World.join()) {
            PlainLoops loops = new PlainLoops(world.communicator());
            loops.measure("message", true, loops::message);
            loops.measure("allreduce", true, loops::allreduce);
            loops.measure("put", false, loops::put);
            loops.measure("get", false, loops::get);
            loops.measure("flushed", false, loops::flushed);
            loops.measure("lock", false, loops::lock);
            if (loops.all.rank() == 0) {
                System.out.println(loops.line);
            }
            loops.window.free();
        }
    }

    private void measure(String name, boolean together, Runnable loop) {
        double best = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            all.barrier();
            long start = System.nanoTime();
            if (together || all.rank() == 0) {
                loop.run();
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) CALLS);
        }
        line.append(String.format("%s %.1f  ", name, best));
    }

    private void message() {
        for (int i = 0; i < CALLS / 2; i++) {
            if (all.rank() == 0) {
                all.send(word, other, 1);
                all.receive(word, other, 1);
            } else {
                all.receive(word, other, 1);
                all.send(word, other, 1);
            }
        }
    }

    private void allreduce() {
        for (int i = 0; i < CALLS; i++) {
            all.allreduce(word, sum, Op.SUM);
        }
    }

    private void put() {
        window.lockAll();
        for (int i = 0; i < CALLS; i++) {
            window.put(word, other, i % PLACES);
        }
        window.unlockAll();
    }

    private void get() {
        window.lockAll();
        for (int i = 0; i < CALLS; i++) {
            window.get(word, other, i % PLACES);
        }
        window.unlockAll();
    }

    private void flushed() {
        window.lockAll();
        for (int i = 0; i < CALLS; i++) {
            window.put(word, other, i % PLACES);
            if (i % FLUSHED == 0) {
                window.flush(other);
            }
        }
        window.unlockAll();
    }

    private void lock() {
        for (int i = 0; i < CALLS; i++) {
            window.lock(Window.Lock.EXCLUSIVE, other);
            window.unlock(other);
        }
    }
}
