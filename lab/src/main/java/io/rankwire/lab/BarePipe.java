package io.rankwire.lab;

import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The lower bound of large messages between heap arrays: one process copies an array into shared memory chunk by chunk,
 * the other copies it out, in both directions, without any protocol. Start both processes, with ranks 0 and 1:
 * {@code java -cp lab/target/classes:core/target/classes io.rankwire.lab.BarePipe /dev/shm/pipe RANK}; remove the file
 * before and after. Rank 0 prints microseconds of a half round trip, best of six.
 */
public final class BarePipe {
    private static final int CHUNK = 16 << 10;
    private static final int SLOTS = 8;
    private static final int[] SIZES = {8 << 10, 32 << 10, 128 << 10, 512 << 10, 2 << 20};
    private static final int ROUNDS = 6;
    private static final long BYTES_A_ROUND = 40_000_000;
    /** Memory of one direction: a flag line per slot, the number of chunks taken, the slots. */
    private static final long TAKEN = 1024;
    private static final long DATA = 4096;
    private static final long DIRECTION = DATA + (long) SLOTS * CHUNK;

    private final MemorySegment memory;
    private final long[] written = new long[2];
    private final long[] read = new long[2];

    private BarePipe(MemorySegment memory) {
        this.memory = memory;
    }

    public static void main(String[] args) throws IOException {
        boolean first = Integer.parseInt(args[1]) == 0;
        try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BarePipe pipe = new BarePipe(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * DIRECTION, Arena.ofAuto()));
            for (int bytes : SIZES) {
                double best = Double.MAX_VALUE;
                for (int round = 0; round < ROUNDS; round++) {
                    best = Math.min(best, pipe.round(first, new byte[bytes], new byte[bytes]));
                }
                if (first) {
                    System.out.printf("%d bytes: %.2f us%n", bytes, best);
                }
            }
        }
    }

    private double round(boolean first, byte[] out, byte[] in) {
        int turns = (int) Math.max(60, BYTES_A_ROUND / out.length);
        long taken = 0;
        for (int i = 0; i < turns; i++) {
            Arrays.fill(out, (byte) i);
            long start = System.nanoTime();
            if (first) {
                send(0, out);
                receive(1, in);
            } else {
                receive(0, in);
                send(1, out);
            }
            taken += System.nanoTime() - start;
            if (in[in.length - 1] != (byte) i) {
                throw new IllegalStateException("wrong data");
            }
        }
        return taken / 2e3 / turns;
    }

    private void send(int direction, byte[] from) {
        long base = direction * DIRECTION;
        for (int at = 0; at < from.length; at += CHUNK) {
            long chunk = written[direction]++;
            while (chunk - Words.acquire(memory, base + TAKEN) >= SLOTS) {
                Thread.onSpinWait();
            }
            long slot = chunk % SLOTS;
            int length = Math.min(CHUNK, from.length - at);
            MemorySegment.copy(from, at, memory, ValueLayout.JAVA_BYTE, base + DATA + slot * CHUNK, length);
            Words.release(memory, base + slot * 64, chunk + 1);
        }
    }

    private void receive(int direction, byte[] to) {
        long base = direction * DIRECTION;
        for (int at = 0; at < to.length; at += CHUNK) {
            long chunk = read[direction]++;
            long slot = chunk % SLOTS;
            while (Words.acquire(memory, base + slot * 64) != chunk + 1) {
                Thread.onSpinWait();
            }
            int length = Math.min(CHUNK, to.length - at);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, base + DATA + slot * CHUNK, to, at, length);
            Words.release(memory, base + TAKEN, chunk + 1);
        }
    }
}
