package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.World;
import java.lang.foreign.MemorySegment;

/**
 * Half round trips of large messages by kind of memory: heap on both sides (through the ring), allocated on one side
 * (copied by one rank), allocated on both (copied by both ranks). Run: {@code bin/rankwire run -n 2 -cp
 * lab/target/classes io.rankwire.lab.CopyWays}. Prints microseconds, best of twelve.
 */
public final class CopyWays {
    private static final int[] SIZES = {32 << 10, 128 << 10, 512 << 10, 2 << 20};
    private static final int ROUNDS = 12;
    private static final long BYTES_A_ROUND = 60_000_000;

    private CopyWays() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            for (int bytes : SIZES) {
                MemorySegment[] heap = {
                    MemorySegment.ofArray(new byte[bytes]), MemorySegment.ofArray(new byte[bytes])};
                MemorySegment[] shared = {world.allocate(bytes), world.allocate(bytes)};
                double ring = best(world, heap[0], heap[1]);
                double taken = best(world, shared[0], heap[1]);
                double put = best(world, heap[0], shared[1]);
                double both = best(world, shared[0], shared[1]);
                if (world.communicator().rank() == 0) {
                    System.out.printf("%d bytes: ring %.1f, by the receiver %.1f,"
                            + " by the sender %.1f, by both %.1f us%n", bytes, ring, taken, put, both);
                }
            }
        }
    }

    private static double best(World world, MemorySegment out, MemorySegment in) {
        Communicator all = world.communicator();
        int other = 1 - all.rank();
        int turns = (int) Math.max(100, BYTES_A_ROUND / out.byteSize());
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long taken = 0;
            for (int i = 0; i < turns; i++) {
                out.fill((byte) i);
                long start = System.nanoTime();
                if (all.rank() == 0) {
                    all.send(out, other, 1);
                    all.receive(in, other, 1);
                } else {
                    all.receive(in, other, 1);
                    all.send(out, other, 1);
                }
                taken += System.nanoTime() - start;
            }
            best = Math.min(best, taken / 2e3 / turns);
        }
        return best;
    }
}
