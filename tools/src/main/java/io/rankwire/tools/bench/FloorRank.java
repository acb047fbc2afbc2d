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
 * What no message can beat on this machine: two processes hand one word back and forth through a mapped file, and then
 * one of them copies memory. Uses nothing of the library, only a job's processes and directory. The argument is how
 * many milliseconds each measurement may take, and a second one, {@code line}, leaves the copies out; the best of many
 * short batches counts.
 */
public final class FloorRank {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final long PING = 0;
    private static final long PONG = 256;
    private static final long STOP = -1;
    private static final int BATCH = 5000;
    private static final int PATIENCE = 1 << 14;
    private static final int[] COPIES = {64 << 10, 1 << 20, 16 << 20};
    private static final int COPIED_PER_BATCH = 16 << 20;

    private FloorRank() {}

    public static void main(String[] args) throws IOException {
        long limitNs = Long.parseLong(args[0]) * 1_000_000;
        boolean first = System.getenv("RANKWIRE_RANK").equals("0");
        Path file = Path.of(System.getenv("RANKWIRE_JOB")).resolve("floor");
        try (FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment line = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
            if (!first) {
                returnAll(line);
                return;
            }
            System.out.println(new Point("line", 8, 0).line(handOff(line, limitNs)));
        }
        for (int bytes : args.length > 1 ? new int[0] : COPIES) {
            System.out.println(new Point("copy", bytes, 0).line(copy(bytes, limitNs / 2)));
        }
    }

    /** Half round trip in nanoseconds. */
    private static double handOff(MemorySegment line, long limitNs) {
        long value = 1;
        double best = Double.MAX_VALUE;
        passAll(line, value, 1);
        value++;
        long start = System.nanoTime();
        long now = start;
        while (now - start < limitNs) {
            passAll(line, value, BATCH);
            value += BATCH;
            long end = System.nanoTime();
            best = Math.min(best, (double) (end - now) / BATCH / 2);
            now = end;
        }
        WORD.setRelease(line, PING, STOP);
        return best;
    }

    private static void passAll(MemorySegment line, long first, int count) {
        for (long value = first; value < first + count; value++) {
            WORD.setRelease(line, PING, value);
            int spins = 0;
            while ((long) WORD.getAcquire(line, PONG) != value) {
                spins = spinOrYield(spins);
            }
        }
    }

    private static void returnAll(MemorySegment line) {
        long last = 0;
        while (last != STOP) {
            last = returnBatch(line, last);
        }
    }

    private static long returnBatch(MemorySegment line, long before) {
        long last = before;
        for (int i = 0; i < BATCH && last != STOP; i++) {
            int spins = 0;
            long seen = (long) WORD.getAcquire(line, PING);
            while (seen == last) {
                spins = spinOrYield(spins);
                seen = (long) WORD.getAcquire(line, PING);
            }
            last = seen;
            WORD.setRelease(line, PONG, seen);
        }
        return last;
    }

    /** With a core for each process this never yields; without, it lets the other one run. */
    private static int spinOrYield(int spins) {
        if (spins < PATIENCE) {
            return spins + 1;
        }
        Thread.yield();
        return 0;
    }

    /** Gigabytes (10^9) copied in a second from one array to another. */
    private static double copy(int bytes, long limitNs) {
        byte[] from = new byte[bytes];
        byte[] to = new byte[bytes];
        int times = COPIED_PER_BATCH / bytes;
        double best = 0;
        long start = System.nanoTime();
        long now = start;
        byte stamp = 0;
        while (now - start < limitNs) {
            for (int i = 0; i < times; i++) {
                from[bytes - 1] = ++stamp;
                System.arraycopy(from, 0, to, 0, bytes);
            }
            long end = System.nanoTime();
            best = Math.max(best, (double) bytes * times / (end - now));
            now = end;
            if (to[bytes - 1] != stamp) {
                throw new IllegalStateException("a copy lost its last byte");
            }
        }
        return best;
    }
}
