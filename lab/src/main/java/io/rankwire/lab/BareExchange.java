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
 * The lower bound of an allgather of two heap arrays: both processes copy a piece into shared memory, set a flag, copy
 * their own piece to its place and read the other's, without any protocol. Start both processes, with ranks 0 and 1:
 * {@code java --enable-native-access=ALL-UNNAMED -cp lab/target/classes:core/target/classes
 * io.rankwire.lab.BareExchange /dev/shm/exchange RANK}; remove the file before and after. Rank 0 prints microseconds of
 * an exchange, the best and the median of many rounds. From 8 KiB on the data is rewritten, outside the measured time.
 */
public final class BareExchange {
    private static final int PIECE = 64 << 10;
    private static final int REWRITTEN = 8 << 10;
    private static final int[] SIZES = {8, 4 << 10, 32 << 10, 256 << 10, 2 << 20};
    private static final int ROUNDS = 40;
    private static final int WARM = 20;
    private static final long BYTES_A_ROUND = 8 << 20;
    private static final int MOST_TURNS = 20_000;
    /** Memory of one rank: two flag lines and two slots, at a distance that is no power of two. */
    private static final long DATA = 4096;
    private static final long ROOM = PIECE + 704;
    private static final long RANK = DATA + 2 * ROOM;

    private final MemorySegment owner;
    private final MemorySegment memory;
    private final long own;
    private final long other;
    private long step;

    private BareExchange(MemorySegment owner, int rank) {
        this.owner = owner;
        this.memory = Words.reach(owner);
        this.own = Words.origin(owner) + rank * RANK;
        this.other = Words.origin(owner) + (1 - rank) * RANK;
    }

    public static void main(String[] args) throws IOException {
        int rank = Integer.parseInt(args[1]);
        try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BareExchange bare = new BareExchange(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * RANK, Arena.ofAuto()), rank);
            for (int bytes : SIZES) {
                double[] took = new double[ROUNDS];
                byte[] in = new byte[bytes];
                byte[] out = new byte[2 * bytes];
                for (int round = -WARM; round < ROUNDS; round++) {
                    took[Math.max(0, round)] = bare.round(rank, in, out);
                }
                Arrays.sort(took);
                if (rank == 0) {
                    System.out.printf("%d bytes: best %.3f us, median %.3f%n", bytes, took[0], took[ROUNDS / 2]);
                }
            }
            System.out.println("through " + bare.owner.byteSize() + " bytes");
        }
    }

    private double round(int rank, byte[] in, byte[] out) {
        int turns = Math.clamp(BYTES_A_ROUND / in.length, 10, MOST_TURNS);
        long aside = 0;
        long start = System.nanoTime();
        for (int i = 0; i < turns; i++) {
            if (in.length >= REWRITTEN) {
                long since = System.nanoTime();
                Arrays.fill(in, (byte) i);
                aside += System.nanoTime() - since;
            } else {
                in[in.length - 1] = (byte) i;
            }
            exchange(rank, in, out);
            if (out[in.length - 1] != (byte) i || out[2 * in.length - 1] != (byte) i) {
                throw new IllegalStateException("wrong data");
            }
        }
        return (System.nanoTime() - start - aside) / 1e3 / turns;
    }

    private void exchange(int rank, byte[] in, byte[] out) {
        int bytes = in.length;
        for (int at = 0; at < bytes; at += PIECE) {
            int length = Math.min(PIECE, bytes - at);
            step++;
            long flag = (step & 1) << 7;
            long room = DATA + (step & 1) * ROOM;
            MemorySegment.copy(in, at, memory, ValueLayout.JAVA_BYTE, own + room, length);
            Words.release(memory, own + flag, step);
            System.arraycopy(in, at, out, rank * bytes + at, length);
            while (Words.acquire(memory, other + flag) != step) {
                Thread.onSpinWait();
            }
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, other + room, out, (1 - rank) * bytes + at, length);
        }
    }
}
