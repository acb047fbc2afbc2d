package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SimulatedRanksTest {
    private static final Settings TORUS = Settings.DEFAULT.with("topology", "torus");

    @FunctionalInterface
    interface Program {
        void run(World world, Communicator all) throws Exception;
    }

    static ThreadRanks.Body body(Program program) {
        return job -> {
            try (World world = World.join()) {
                program.run(world, world.communicator());
            }
        };
    }

    private static SimulatedRanks run(Settings settings, int ranks, Program program) {
        return SimulatedRanks.run(settings, ranks, body(program));
    }

    /** Sends and receives of all kinds, drawn alike by all ranks. */
    private static void mixed(World world, Communicator all, long seed) {
        Rand rand = new Rand(seed);
        int rank = all.rank();
        for (int step = 0; step < 30; step++) {
            int from = rand.below(all.size());
            int to = (from + 1 + rand.below(all.size() - 1)) % all.size();
            int bytes = rand.chance(1, 5) ? rand.below(100_000) : rand.below(2_000);
            int work = rand.below(3_000);
            boolean any = rand.chance(1, 2);
            byte[] data = new byte[bytes];
            if (rank == from) {
                for (int i = 0; i < bytes; i++) {
                    data[i] = (byte) (step + i);
                }
                world.spend(work);
                all.send(data, to, step);
            } else if (rank == to) {
                all.receive(data, any ? Communicator.ANY_SOURCE : from, step);
                for (int i = 0; i < bytes; i++) {
                    assertEquals((byte) (step + i), data[i]);
                }
            }
            if (step % 7 == 0) {
                long[] sum = new long[1];
                all.allreduce(new long[] {rank}, sum, Op.SUM);
                assertEquals(all.size() * (all.size() - 1L) / 2, sum[0]);
            }
        }
    }

    @Test
    void shouldRunOneRankAtATimeAndTheSameEveryTime() {
        for (int seed = 1; seed <= 20; seed++) {
            int drawn = seed;
            Settings settings = TORUS.with("seed", "" + seed).with("jitter", "300 ns")
                    .with("device.offload", seed % 2 == 0 ? "yes" : "no")
                    .with("ranks-per-node", "" + (1 + seed % 3));
            AtomicInteger running = new AtomicInteger();
            Program program = (world, all) -> {
                assertEquals(1, running.incrementAndGet());
                running.decrementAndGet();
                mixed(world, all, drawn);
            };
            SimulatedRanks first = run(settings, 9, program);
            SimulatedRanks again = run(settings, 9, program);
            assertEquals(first.hash(), again.hash(), "seed " + seed);
            assertEquals(first.timePs(), again.timePs(), "seed " + seed);
            assertNotEquals(first.hash(), run(settings.with("seed", "77"), 9, program).hash(), "seed " + seed);
        }
    }

    @Test
    void shouldSplitByNodes() {
        run(TORUS.with("ranks-per-node", "4"), 10, (world, all) -> {
            Communicator near = all.splitShared(-all.rank());
            assertEquals(all.rank() < 8 ? 4 : 2, near.size());
            assertEquals(near.size() - 1 - all.rank() % 4, near.rank());
            int[] sum = new int[1];
            near.allreduce(new int[] {1}, sum, Op.SUM);
            assertEquals(near.size(), sum[0]);
        });
    }

    @Test
    void shouldTakeTheTimeThatTheModelSays() {
        Settings settings = Settings.DEFAULT.with("link.latency", "1 us").with("link.bandwidth", "unlimited")
                .with("link.header", "0").with("device.copy", "unlimited").with("device.send", "10 ns")
                .with("device.receive", "20 ns").with("host.send", "300 ns").with("host.receive", "500 ns");
        long[] took = new long[2];
        run(settings, 2, (world, all) -> {
            long[] word = new long[1];
            long start = world.time();
            for (int i = 0; i < 100; i++) {
                if (all.rank() == 0) {
                    all.send(word, 1, 0);
                    all.receive(word, 1, 0);
                } else {
                    all.receive(word, 0, 0);
                    all.send(word, 0, 0);
                }
            }
            took[all.rank()] = world.time() - start;
        });
        // 300 + 10 + two links of a crossbar + 20 + nine cycles of a search + 500, both ways, and a look at the clock.
        assertEquals(200 * (300 + 10 + 2_000 + 20 + 18 + 500) + 50, took[0], 5);
    }

    @Test
    void shouldPayForCombining() {
        for (String offload : new String[] {"yes", "no"}) {
            Settings settings = Settings.DEFAULT.with("device.offload", offload);
            long free = allreduce(settings.with("device.combine", "unlimited"));
            long slow = allreduce(settings.with("device.combine", "1 GB/s"));
            // Half of 8,000,000 bytes on each of two ranks, partly while more comes, or all of them.
            assertTrue(slow - free > 3_500_000 && slow - free < 8_100_000, free + " and " + slow);
        }
    }

    private static long allreduce(Settings settings) {
        double[] mine = new double[1_000_000];
        return run(settings, 2, (world, all) -> all.allreduce(mine, new double[mine.length], Op.SUM)).timePs() / 1_000;
    }

    @Test
    void shouldLetTheDeviceGoOnWhileTheHostComputes() {
        long with = overlap("yes");
        long without = overlap("no");
        assertTrue(with < 1_200_000 && without > with + 500_000, with + " and " + without);
    }

    /** A large message to a rank that computes for a millisecond; the sender's time until it is taken. */
    private static long overlap(String offload) {
        long[] took = new long[1];
        Settings settings = Settings.DEFAULT.with("device.offload", offload).with("link.bandwidth", "10 GB/s");
        run(settings, 2, (world, all) -> {
            byte[] data = new byte[8 << 20];
            if (all.rank() == 0) {
                all.send(data, 1, 0);
                took[0] = world.time();
            } else {
                Request coming = all.irecv(data, 0, 0);
                world.spend(1_000_000);
                coming.await();
            }
        });
        return took[0];
    }

    @Test
    void shouldDelayWhatTheOperatingSystemInterrupts() {
        Settings quiet = Settings.DEFAULT;
        Settings noisy = quiet.with("noise.every", "1 ms for 25 us");
        Settings together = noisy.with("noise.together", "yes");
        long[] took = new long[3];
        Settings[] all = {quiet, noisy, together};
        for (int i = 0; i < all.length; i++) {
            took[i] = run(all[i], 32, (world, comm) -> {
                for (int step = 0; step < 50; step++) {
                    world.spend(100_000);
                    comm.barrier();
                }
            }).timePs();
        }
        assertTrue(took[0] < took[2] && took[2] < took[1], took[0] + ", " + took[2] + ", " + took[1]);
        assertTrue(took[2] < took[0] * 1.05, "all at once costs its share: " + took[2]);
        assertTrue(took[1] > took[0] * 1.08, "spread, each step waits for the last: " + took[1]);
    }

    @Test
    void shouldCountMeasuredTimeWhenAskedTo() {
        Program program = (world, all) -> {
            double x = 0;
            for (int i = 0; i < 3_000_000; i++) {
                x += Math.sqrt(i);
            }
            assertTrue(x > 0);
            all.barrier();
        };
        assertTrue(run(Settings.DEFAULT, 2, program).timePs() < 10_000_000);
        long once = run(Settings.DEFAULT.with("compute", "measured"), 2, program).timePs();
        assertTrue(once > 100_000_000, "a tenth of a millisecond at least: " + once);
    }

    @Test
    void shouldProveADeadlockAndSayWhoWaitsForWhom() {
        RuntimeException told = assertThrows(ThreadRanks.Failed.class, () -> run(TORUS, 3, (world, all) -> {
            all.receive(new int[1], (all.rank() + 1) % 3, 4);
        }));
        assertTrue(told.getMessage().contains("deadlock: every rank waits and nothing is on its way"), told.toString());
        assertTrue(told.getMessage().contains("rank 2: receive from rank 0, tag 4, on world at"), told.toString());
        assertTrue(told.getMessage().contains("cycle: 0 -> 1 -> 2 -> 0"), told.toString());
    }

    @Test
    void shouldTellAMismatchRatherThanADeadlock() {
        RuntimeException told = assertThrows(ThreadRanks.Failed.class, () -> run(TORUS, 3, (world, all) -> {
            if (all.rank() == 0) {
                all.barrier();
            } else {
                all.broadcast(new int[2], 0);
            }
        }));
        assertTrue(told.getMessage().contains("the ranks do not make the same calls"), told.toString());
    }

    @Test
    void shouldEndAllWhenOneFails() {
        ThreadRanks.Failed told = assertThrows(ThreadRanks.Failed.class, () -> run(TORUS, 5, (world, all) -> {
            if (all.rank() == 3) {
                world.spend(1_000);
                throw new IllegalStateException("on purpose");
            }
            all.barrier();
        }));
        assertEquals(3, told.rank());
        assertEquals("on purpose", told.getCause().getMessage());
    }

    @Test
    void shouldLetTimePassForRanksThatLookAgainAndAgain() {
        List<Long> times = new ArrayList<>();
        run(TORUS, 4, (world, all) -> {
            int[] got = new int[1];
            Request coming = all.irecv(got, (all.rank() + 3) % 4, 1);
            world.spend(10_000L * all.rank());
            all.send(new int[] {all.rank()}, (all.rank() + 1) % 4, 1);
            while (!coming.test()) {
                Thread.onSpinWait();
            }
            assertEquals((all.rank() + 3) % 4, got[0]);
            long until = world.time() + 5_000;
            while (world.time() < until) {
                Thread.onSpinWait();
            }
            times.add(world.time());
        });
        assertEquals(4, times.size());
        assertTrue(times.stream().allMatch(t -> t > 5_000 && t < 100_000), times.toString());
    }

    @Test
    void shouldJoinWorldsOneAfterAnother() {
        run(TORUS, 6, (world, all) -> all.barrier());
        SimulatedRanks.run(TORUS, 6, job -> {
            for (int i = 0; i < 4; i++) {
                try (World world = World.join()) {
                    mixed(world, world.communicator(), i);
                }
            }
        });
    }

    @Test
    void shouldReachWindowsOfOthersByFrames() {
        run(TORUS.with("ranks-per-node", "2"), 6, (world, all) -> {
            Window window = all.allocateWindow(8, 8);
            window.lockAll();
            for (int i = 0; i < all.size(); i++) {
                window.accumulate(new long[] {1}, i, 0, Op.SUM);
            }
            window.unlockAll();
            all.barrier();
            long[] mine = new long[1];
            window.lockAll();
            window.get(mine, all.rank(), 0);
            window.unlockAll();
            assertArrayEquals(new long[] {all.size()}, mine);
            window.free();
        });
    }

    @Test
    void shouldRefuseCallsOfOtherThreads() {
        run(TORUS, 2, (world, all) -> {
            Throwable[] thrown = new Throwable[1];
            Thread other = new Thread(() -> {
                try {
                    all.barrier();
                } catch (RankwireException e) {
                    thrown[0] = e;
                }
            }, "other");
            other.start();
            other.join();
            assertTrue(thrown[0].getMessage().contains("thread other, started by the program"), "" + thrown[0]);
        });
    }
}
