package io.rankwire.tools.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * What no message can beat on this machine: the hand-off of a line between two processes, and then one of them copies
 * memory. Uses nothing of the library, only a job's processes and directory. The argument is how
 * many milliseconds each measurement may take, and a second one, {@code line}, leaves the copies out; the best of many
 * short batches counts.
 */
public final class FloorRank {
    private static final int[] COPIES = {64 << 10, 1 << 20, 16 << 20};
    private static final int COPIED_PER_BATCH = 16 << 20;

    private FloorRank() {}

    public static void main(String[] args) throws IOException {
        long limitNs = Long.parseLong(args[0]) * 1_000_000;
        boolean first = System.getenv("RANKWIRE_RANK").equals("0");
        Path file = Path.of(System.getenv("RANKWIRE_JOB")).resolve("floor");
        try (Arena arena = Arena.ofConfined()) {
            HandOff line = new HandOff(file, arena);
            if (!first) {
                line.answer();
                return;
            }
            System.out.println(new Point("line", 8, 0).line(line.measure(limitNs)));
        }
        for (int bytes : args.length > 1 ? new int[0] : COPIES) {
            System.out.println(new Point("copy", bytes, 0).line(copy(bytes, limitNs / 2)));
        }
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
