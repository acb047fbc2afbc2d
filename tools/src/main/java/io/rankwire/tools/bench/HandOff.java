package io.rankwire.tools.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Two processes hand one word back and forth through a mapped file of their job: the time that a line takes from one
 * core to the other. The first process asks, and the second one answers until the first ends the measurement.
 */
final class HandOff {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final long BYTES = 4096;
    private static final long PING = 0;
    private static final long PONG = 256;
    private static final long STOP = -1;
    private static final int BATCH = 1000;
    private static final int PATIENCE = 1 << 14;

    private final MemorySegment line;
    private long last;

    /** Maps the file, which the first of the two processes to come makes. */
    HandOff(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            line = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        }
    }

    /** Half round trip in nanoseconds, best of short batches. The other process calls {@link #answer}. */
    double measure(long limitNs) {
        double best = Double.MAX_VALUE;
        passAll(1);
        long start = System.nanoTime();
        long now = start;
        while (now - start < limitNs) {
            passAll(BATCH);
            long end = System.nanoTime();
            best = Math.min(best, (double) (end - now) / BATCH / 2);
            now = end;
        }
        // The other process has to see it before the next measurement begins.
        pass(STOP);
        return best;
    }

    private void passAll(int count) {
        long first = last + 1;
        last += count;
        for (long value = first; value <= last; value++) {
            pass(value);
        }
    }

    private void pass(long value) {
        WORD.setRelease(line, PING, value);
        int spins = 0;
        while ((long) WORD.getAcquire(line, PONG) != value) {
            spins = spinOrYield(spins);
        }
    }

    void answer() {
        do {
            answerBatch();
        } while (last != STOP);
    }

    private void answerBatch() {
        long before = last;
        for (int i = 0; i < BATCH && (i == 0 || before != STOP); i++) {
            int spins = 0;
            long seen = (long) WORD.getAcquire(line, PING);
            while (seen == before) {
                spins = spinOrYield(spins);
                seen = (long) WORD.getAcquire(line, PING);
            }
            before = seen;
            WORD.setRelease(line, PONG, seen);
        }
        last = before;
    }

    /** With a core for each process this never yields; without, it lets the other one run. */
    private static int spinOrYield(int spins) {
        if (spins < PATIENCE) {
            return spins + 1;
        }
        Thread.yield();
        return 0;
    }
}
