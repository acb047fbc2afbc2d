package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.TreeModel;
import io.rankwire.sim.schedule.CombiningTree;
import io.rankwire.sim.schedule.Driver;
import io.rankwire.sim.schedule.LogGops;
import io.rankwire.sim.schedule.Setting;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collectives of programs on nodes that have a combining tree beside their network. */
@Timeout(300)
class CombiningTreeProgramsTest {
    @FunctionalInterface
    private interface Program {
        void run(World world, Communicator all);
    }

    private static Settings settings(String... lines) {
        return Settings.DEFAULT.read(String.join("\n", lines), "test");
    }

    private static SimulatedRanks run(Settings settings, int ranks, Program program) {
        return SimulatedRanks.run(settings, ranks, job -> {
            try (World world = World.join()) {
                program.run(world, world.communicator());
            }
        });
    }

    /** The time of a call that all ranks begin at the same moment, until the last has its result. */
    private static long ps(Settings settings, int ranks, Program call) {
        long[] ends = new long[ranks];
        long begin = 1_000_000;
        run(settings, ranks, (world, all) -> {
            all.barrier();
            world.spend(begin - world.time());
            call.run(world, all);
            ends[all.rank()] = world.time() - begin;
        });
        return Arrays.stream(ends).max().orElseThrow() * 1_000;
    }

    /** What {@link #ps} counts beside the call: the call's begin, and the read of the clock. */
    private static final long BESIDE = 200_000 + 50_000;

    @Test
    void shouldTakeTheTimeOfTheTreeAlone() {
        Rand rand = new Rand(17);
        for (int i = 0; i < 12; i++) {
            int nodes = 2 + rand.below(20);
            long bytes = rand.chance(1, 4) ? 0 : 8L * (1 + rand.below(400));
            int packet = 8 * (8 + rand.below(60));
            long alu = 1_000 * rand.below(50);
            long latency = 1_000 * (1 + rand.below(900));
            Settings settings = settings("tree = yes", "link.latency = 1 ms", "tree.packet = " + packet + " B",
                    "tree.alu = " + alu + " ps", "tree.latency = " + latency + " ps", "tree.bandwidth = 1 GB/s");
            TreeModel model = new TreeModel(new LinkModel(latency, 1_024_000, 16, 32), packet, alu, 102_400);
            Setting host = Setting.of(new LogGops(1, 200_000, 0, 0, 0, 0), Driver.HOST);
            long expected = CombiningTree.allreduce(nodes, bytes, model, host, Long::sum, n -> n).outcome().ps();
            long got = ps(settings, nodes, (world, all) -> {
                if (bytes == 0) {
                    all.barrier();
                } else {
                    all.allreduce(new long[(int) bytes / 8], new long[(int) bytes / 8], Op.SUM);
                }
            });
            assertEquals(expected + BESIDE, got, 1_000.0, nodes + " nodes, " + bytes + " B, packets of " + packet);
        }
    }

    @Test
    void shouldBeAheadOfMessagesWhereItIsAndLeaveTheRestToThem() {
        String network = "topology = torus:4x4x4\ndevice.offload = no";
        Program sum = (world, all) -> all.allreduce(new double[8], new double[8], Op.SUM);
        long tree = ps(settings(network, "tree = yes"), 64, sum);
        long messages = ps(settings(network), 64, sum);
        assertTrue(3 * tree < 2 * messages, tree + ", " + messages);
        Settings slow = settings(network, "tree = yes", "tree.latency = 1 ms");
        assertTrue(ps(slow, 64, sum) < 100_000_000, "a tree that is slow is left alone");
        Program own = (world, all) -> all.allreduce(new double[8], new double[8], Op.SUM.reproducible());
        assertTrue(ps(settings(network, "tree = yes"), 64, own) > 3 * tree / 2, "an order that the tree does not keep");
        Program gather = (world, all) -> all.allgather(new double[8], new double[8 * 64]);
        assertTrue(ps(settings(network, "tree = yes"), 64, gather) > tree, "a call that it does not know");
    }

    /** Every call, type and operation in groups of all sorts; messages would take a millisecond each. */
    @Test
    void shouldGiveTheResultThatMessagesGive() {
        Rand rand = new Rand(5);
        for (int i = 0; i < 30; i++) {
            long seed = rand.nextLong();
            int ranks = 1 + rand.below(13);
            Settings settings = settings("tree = yes", "link.latency = 1 ms", "ranks-per-node = "
                    + (1 + rand.below(3)), "seed = " + i, "device.offload = " + (rand.chance(1, 4) ? "no" : "yes"));
            long[] lastCalls = new long[ranks];
            run(settings, ranks, (world, all) -> {
                Rand same = new Rand(seed);
                int colours = 1 + same.below(3);
                int[] colour = new int[ranks];
                Arrays.setAll(colour, rank -> same.below(colours));
                Communicator part = all.split(colour[all.rank()], same.chance(1, 2) ? -all.rank() : all.rank())
                        .orElseThrow();
                all.barrier();
                long begun = world.time();
                for (int call = 0; call < 12; call++) {
                    call(same.chance(1, 2) ? part : all, new Rand(same.nextLong()), new Rand(seed + all.rank()),
                            world);
                }
                lastCalls[all.rank()] = world.time() - begun;
            });
            assertTrue(Arrays.stream(lastCalls).max().orElseThrow() < 1_000_000, "no message was sent");
        }
    }

    private static void call(Communicator on, Rand same, Rand own, World world) {
        if (own.chance(1, 3)) {
            world.spend(own.below(20_000));
        }
        int count = same.chance(1, 5) ? 0 : 1 + same.below(same.chance(1, 3) ? 3_000 : 20);
        int root = same.below(on.size());
        String what = on.size() + " ranks, root " + root + ", " + count;
        switch (same.below(6)) {
            case 0 -> on.barrier();
            case 1 -> {
                short[] word = new short[count];
                Arrays.fill(word, (short) (on.rank() == root ? 77 : 0));
                if (same.chance(1, 2)) {
                    on.broadcast(word, root);
                } else {
                    on.ibroadcast(word, root).await();
                }
                for (short got : word) {
                    assertEquals(77, got, what);
                }
            }
            case 2 -> {
                double[] sum = new double[on.rank() == root ? count : 0];
                double[] part = new double[count];
                Arrays.setAll(part, k -> (1 << on.rank()) + 1_000.0 * k);
                on.reduce(part, 0, sum, 0, count, Op.SUM, root);
                double[] all = new double[sum.length];
                Arrays.setAll(all, k -> (1 << on.size()) - 1 + 1_000.0 * k * on.size());
                assertArrayEquals(all, sum, what);
            }
            case 3 -> {
                byte[] both = new byte[count];
                byte[] most = new byte[count];
                Arrays.fill(most, Byte.MIN_VALUE);
                for (int k = 0; k < count; k++) {
                    both[k] = (byte) (on.rank() * 7 + k);
                    for (int rank = 0; rank < on.size(); rank++) {
                        most[k] = (byte) Math.max(most[k], (byte) (rank * 7 + k));
                    }
                }
                on.allreduce(Communicator.IN_PLACE, 0, both, 0, count, Op.MAX);
                assertArrayEquals(most, both, what);
            }
            case 4 -> {
                long[] bits = new long[count];
                Arrays.fill(bits, 1L << on.rank());
                long[] all = new long[count];
                Request request = on.allreduceInit(bits, 0, all, 0, count, Op.BXOR);
                for (int again = 0; again < 3; again++) {
                    Arrays.fill(all, 0);
                    request.start();
                    request.await();
                    for (long got : all) {
                        assertEquals((1L << on.size()) - 1, got, what);
                    }
                }
            }
            default -> {
                int[] one = {on.rank() + 1};
                int[] product = new int[1];
                int[] least = new int[1];
                Request first = on.iallreduce(one, product, Op.PROD);
                Request second = on.iallreduce(one, least, Op.MIN);
                second.await();
                first.await();
                int expected = 1;
                for (int k = 1; k <= on.size(); k++) {
                    expected *= k;
                }
                assertEquals(expected, product[0], what);
                assertEquals(1, least[0], what);
            }
        }
    }

    @Test
    void shouldNameRanksThatDoNotMakeTheSameCall() {
        Settings settings = settings("tree = yes");
        ThreadRanks.Failed types = assertThrows(ThreadRanks.Failed.class, () -> run(settings, 4, (world, all) -> {
            if (all.rank() == 2) {
                all.allreduce(new float[1], new float[1], Op.SUM);
            } else {
                all.allreduce(new int[1], new int[1], Op.SUM);
            }
        }));
        assertTrue(types.getCause().getMessage().contains("the ranks do not agree about counts or types"),
                types.getCause().getMessage());
        ThreadRanks.Failed calls = assertThrows(ThreadRanks.Failed.class, () -> run(settings, 4, (world, all) -> {
            if (all.rank() == 2) {
                all.barrier();
            } else {
                all.allreduce(new int[1], new int[1], Op.SUM);
            }
        }));
        assertTrue(calls.getCause().getMessage().contains("the ranks do not make the same calls"),
                calls.getCause().getMessage());
        ThreadRanks.Failed missing = assertThrows(ThreadRanks.Failed.class, () -> run(settings, 3, (world, all) -> {
            if (all.rank() == 2) {
                all.receive(new int[1], 0, 1);
            }
            all.barrier();
        }));
        assertTrue(missing.getCause().getMessage().contains("deadlock"), missing.getCause().getMessage());
    }
}
