package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import java.util.Arrays;

/** A program that checks its own results. */
final class MixedCalls {
    @FunctionalInterface
    interface Program {
        void run(World world, Communicator all) throws Exception;
    }

    private static final long LONGEST_PAUSE_NS = 10_000_000;

    private MixedCalls() {}

    static ThreadRanks.Body body(Program program) {
        return job -> {
            try (World world = World.join()) {
                program.run(world, world.communicator());
            }
        };
    }

    /** Messages of all sizes with and without order, collectives, looks that find nothing, and computing. */
    static Program of(long seed) {
        return (world, all) -> run(world, all, seed);
    }

    private static void run(World world, Communicator all, long seed) {
        Rand rand = new Rand(seed);
        int rank = all.rank();
        int size = all.size();
        for (int step = 0; step < 25; step++) {
            int bytes = rand.chance(1, 5) ? rand.below(100_000) : rand.below(2_000);
            int shift = 1 + rand.below(size - 1);
            int compute = rand.below(100_000);
            byte[] data = new byte[bytes];
            byte[] got = new byte[bytes];
            Arrays.fill(data, (byte) (rank + step));
            Request receive = all.irecv(got, rand.chance(1, 2) ? Communicator.ANY_SOURCE
                    : (rank + size - shift) % size, step);
            Request send = all.isend(data, (rank + shift) % size, step);
            world.spend(compute);
            if (rand.chance(1, 4)) {
                for (long pause = 500; !receive.test(); pause = Math.min(2 * pause, LONGEST_PAUSE_NS)) {
                    world.spend(pause);
                }
            }
            receive.await();
            send.await();
            byte[] expected = new byte[bytes];
            Arrays.fill(expected, (byte) ((rank + size - shift) % size + step));
            assertArrayEquals(expected, got);
            if (rand.chance(1, 3)) {
                long[] sum = {rank};
                all.allreduce(sum, sum, Op.SUM);
                assertEquals(size * (size - 1L) / 2, sum[0]);
            }
        }
    }
}
