package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded random programs, compared with models without a memory order: arithmetic, and an array of bytes. */
@Timeout(300)
class WindowModelTest {
    private static final int CELLS = 6;

    /** All ranks update the same cells concurrently; sums and fetched values must correspond to some serial order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldCountEveryChangeOnce(long seed) {
        int ranks = 2 + (int) (seed % 3);
        int steps = 400;
        long[][] fetched = new long[ranks][];
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            boolean mapped = seed % 2 == 0;
            long[] array = new long[CELLS];
            Window window = mapped ? all.allocateWindow(8L * CELLS, 8) : all.window(array, 8);
            Rand rand = new Rand(1000 * seed + all.rank());
            long[] adds = new long[CELLS];
            long[] mine = new long[steps];
            int tickets = 0;
            long swaps = 0;
            window.lockAll();
            for (int step = 0; step < steps; step++) {
                switch (rand.below(5)) {
                    case 0 -> {
                        long[] values = {rand.below(100), rand.below(100)};
                        window.accumulate(values, 0, 0, Op.SUM);
                        window.flushLocal(0);
                        adds[0] += values[0];
                        adds[1] += values[1];
                    }
                    case 1 -> mine[tickets++] = window.fetchAndOp(1L, 0, 2, Op.SUM);
                    case 2 -> {
                        long now = window.fetchAndOp(0L, 0, 3, Op.NO_OP);
                        swaps += window.compareAndSwap(now, now + 3, 0, 3) == now ? 1 : 0;
                    }
                    case 3 -> {
                        long[] bit = {1L << rand.below(60)};
                        window.accumulate(bit, 0, 4, Op.BXOR);
                        window.flushLocal(0);
                        adds[4] ^= bit[0];
                    }
                    default -> window.accumulate(new long[] {1000L * step + all.rank()}, 0, 5, Op.MAX);
                }
            }
            window.unlockAll();
            adds[2] = tickets;
            adds[3] = 3 * swaps;
            fetched[all.rank()] = Arrays.copyOf(mine, tickets);
            Window totals = all.allocateWindow(8L * CELLS, 8);
            totals.fence();
            totals.accumulate(adds, 0, 4, 0, 0, Op.SUM);
            totals.accumulate(adds, 4, 1, 0, 4, Op.BXOR);
            totals.fence();
            long[] seen = new long[CELLS];
            long[] expected = new long[CELLS];
            window.fence();
            window.get(seen, 0, 0);
            totals.get(expected, 0, 0);
            window.fence();
            totals.fence();
            expected[5] = seen[5];
            assertArrayEquals(expected, seen, "seed " + seed);
            window.free();
            totals.free();
        });
        long[] tickets = Arrays.stream(fetched).flatMapToLong(Arrays::stream).sorted().toArray();
        for (int i = 0; i < tickets.length; i++) {
            assertEquals(i, tickets[i], "seed " + seed + ": each ticket once");
        }
        assertTrue(tickets.length > 20);
    }

    /** Between two fences each rank writes its own places on all ranks, and reads places that no rank writes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldMoveBytesAsTheModelSays(long seed) {
        int ranks = 1 + (int) (seed % 4);
        int bytes = 30_000;
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            byte[] array = new byte[bytes];
            Window window = (seed + all.rank()) % 2 == 0 ? all.allocateWindow(bytes, 1) : all.window(array, 1);
            byte[][] model = new byte[ranks][bytes];
            Rand shared = new Rand(seed);
            window.fence();
            for (int round = 0; round < 12; round++) {
                // All ranks draw the same numbers, so each knows the accesses of all others.
                int slice = bytes / ranks;
                for (int origin = 0; origin < ranks; origin++) {
                    for (int access = 0; access < 4; access++) {
                        int target = shared.below(ranks);
                        int length = shared.below(shared.chance(1, 2) ? 50 : slice);
                        int at = origin * slice + shared.below(slice - length + 1);
                        byte[] data = new byte[length];
                        Arrays.fill(data, (byte) shared.nextLong());
                        // Accesses of one epoch must not overlap: only the last one counts.
                        if (access == 3) {
                            System.arraycopy(data, 0, model[target], at, length);
                            if (origin == all.rank()) {
                                window.put(data, target, at);
                            }
                        }
                    }
                }
                window.fence();
                byte[] got = new byte[bytes];
                int target = (all.rank() + round) % ranks;
                int from = shared.below(bytes);
                window.get(got, from, bytes - from, target, from);
                window.fence();
                byte[] expected = model[target].clone();
                Arrays.fill(expected, 0, from, (byte) 0);
                assertArrayEquals(expected, got, "seed " + seed + ", round " + round);
            }
            window.free();
        });
    }
}
