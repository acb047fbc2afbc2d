package io.rankwire.sim.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.rankwire.memory.Rand;
import io.rankwire.sim.Noise;
import org.junit.jupiter.api.Test;

class UniformTest {
    private static final long NS = 1_000;

    @Test
    void shouldTakeFourTimesTwoOverheadsAndALatencyForSixteenRanks() {
        LogGops costs = new LogGops(2_500 * NS, 1_500 * NS, 1_000 * NS, 6_144 * NS, 0, 65_535);
        Outcome outcome = Uniform.run(Pattern.barrier(16), Setting.of(costs, Driver.HOST));
        assertEquals(22_000 * NS, outcome.ps());
        assertEquals(16 * 4, outcome.events());
    }

    /** Start and completion by the host, and in between the devices alone. */
    @Test
    void shouldTouchTheHostTwiceWhenTheDeviceDrives() {
        LogGops costs = new LogGops(2_500 * NS, 1_500 * NS, 0, 0, 0, 65_535);
        Driver driver = new Driver(true, 100 * NS, 0);
        assertEquals((1_500 + 4 * (100 + 2_500 + 100) + 1_500) * NS,
                Uniform.run(Pattern.barrier(16), Setting.of(costs, driver)).ps());
    }

    /** One message of s bytes: o + (s-1)O, L + (s-1)G, o + (s-1)O; with asking first, L twice and o thrice more. */
    @Test
    void shouldCountTheBytesOfAMessage() {
        for (long limit : new long[] {1 << 20, 1}) {
            LogGops costs = new LogGops(1_000, 100, 50, 1024 * 7, 1024 * 3, limit);
            long rest = 999 * (3 + 7 + 3);
            long expected = limit == 1 ? 5 * 100 + 3 * 1_000 + rest : 2 * 100 + 1_000 + rest;
            assertEquals(expected, Uniform.run(Pattern.broadcast(2, 0, 1_000), Setting.of(costs, Driver.HOST)).ps());
        }
    }

    @Test
    void shouldTellThatSymmetricStepsAreTheSchedules() {
        for (int size = 1; size <= 70; size++) {
            for (Pattern pattern : new Pattern[] {Pattern.barrier(size), Pattern.allreduce(size, 8),
                    Pattern.alltoall(size, 8)}) {
                Steps common = new Steps(pattern.of(0), pattern.unitBytes());
                for (int rank = 0; rank < size && pattern.symmetry() != Pattern.Symmetry.NONE; rank++) {
                    Steps own = new Steps(pattern.of(rank), pattern.unitBytes());
                    assertEquals(own.kinds.length, common.kinds.length);
                    for (int step = 0; step < own.kinds.length; step++) {
                        assertEquals(own.kinds[step], common.kinds[step]);
                        assertEquals(own.ids[step], common.ids[step]);
                        assertEquals(own.bytes[step], common.bytes[step]);
                        if (own.peers[step] >= 0) {
                            assertEquals(own.peers[step], pattern.peer(rank, common.peers[step]),
                                    pattern.name() + ", rank " + rank + " of " + size + ", step " + step);
                        }
                    }
                }
            }
        }
    }

    @Test
    void shouldGiveTheSameHashWithAnyNumberOfThreads() {
        for (int seed = 1; seed <= 24; seed++) {
            Rand rand = new Rand(seed);
            int size = 2 + rand.below(150);
            Pattern pattern = switch (rand.below(4)) {
                case 0 -> Pattern.barrier(size);
                case 1 -> Pattern.allreduce(size, 1 + rand.below(100_000));
                case 2 -> Pattern.allgather(size, 1 + rand.below(1_000));
                default -> Pattern.alltoall(size, 1 + rand.below(1_000));
            };
            LogGops costs = new LogGops(100_000 + rand.below(3_000_000), rand.below(2_000_000), rand.below(2_000_000),
                    rand.below(1_000_000), rand.below(100_000), 1 << rand.below(18));
            Setting setting = new Setting(costs, rand.chance(1, 2) ? Driver.HOST : Driver.DEVICE,
                    new Noise(100_000_000, rand.below(20_000_000), rand.chance(1, 3), seed),
                    new Load(1 + rand.below(4), rand.below(5_000_000), rand.chance(1, 2)), 1 + rand.below(2));
            Outcome one = Uniform.run(pattern, setting, 1);
            for (int threads = 2; threads <= 4; threads++) {
                Outcome several = Uniform.run(pattern, setting, threads);
                assertEquals(one.hashText(), several.hashText(), pattern.name() + " of " + size + ", " + setting);
                assertEquals(one.ps(), several.ps());
                assertEquals(one.events(), several.events());
            }
            LogGops slower = new LogGops(costs.latencyPs() + 1, costs.overheadPs(), costs.gapPs(),
                    costs.gapPsPerKib(), costs.overheadPsPerKib(), costs.eagerBytes());
            assertNotEquals(one.hash(), Uniform.run(pattern, new Setting(slower, setting.driver(), setting.noise(),
                    setting.load(), setting.ports())).hash());
        }
    }

    /** Two ports carry a message in half the time, and begin two in the time of one (X9). */
    @Test
    void shouldUseSeveralPortsAtTheSameTime() {
        LogGops costs = new LogGops(1_000, 0, 500, 1024 * 1024, 0, 1 << 30);
        Setting setting = Setting.of(costs, new Driver(false, 0, 0));
        assertEquals(1_000 + ((1 << 20) - 1) * 1024L, Uniform.run(Pattern.broadcast(2, 0, 1 << 20), setting).ps());
        assertEquals(1_000 + ((1 << 19) - 1) * 1024L,
                Uniform.run(Pattern.broadcast(2, 0, 1 << 20), setting.withPorts(2)).ps());
        assertEquals(1_000 + 3 * 500, Uniform.run(Pattern.alltoall(5, 1), setting).ps());
        assertEquals(1_000 + 3 * 250, Uniform.run(Pattern.alltoall(5, 1), setting.withPorts(2)).ps());
    }
}
