package io.rankwire.sim.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.sim.Noise;
import org.junit.jupiter.api.Test;

class NoiseTest {
    /** Picosecond by picosecond. */
    private static long naive(Noise noise, int rank, long from, long work) {
        long now = from;
        long left = work;
        while (isStopped(noise, rank, now) || left > 0) {
            left -= isStopped(noise, rank, now) ? 0 : 1;
            now++;
            if (left == 0) {
                return work == 0 && isStopped(noise, rank, now) ? naive(noise, rank, now, 0) : now;
            }
        }
        return now;
    }

    private static boolean isStopped(Noise noise, int rank, long now) {
        return Math.floorMod(now - noise.phase(rank), noise.periodPs()) < noise.lengthPs();
    }

    @Test
    void shouldEndAsCountedStepByStep() {
        Rand rand = new Rand(7);
        for (int i = 0; i < 20_000; i++) {
            int period = 2 + rand.below(30);
            Noise noise = new Noise(period, rand.below(period), rand.chance(1, 2), rand.nextLong());
            int rank = rand.below(100);
            long from = rand.below(200);
            long work = rand.below(100);
            assertEquals(naive(noise, rank, from, work), noise.end(rank, from, work),
                    noise + ", " + from + ", " + work);
        }
    }

    @Test
    void shouldStopAllAtOnceOnlyWhenSynchronised() {
        Noise apart = new Noise(1_000_000, 1_000, false, 5);
        Noise together = new Noise(1_000_000, 1_000, true, 5);
        assertNotEquals(apart.phase(1), apart.phase(2));
        assertEquals(together.phase(1), together.phase(2));
        assertNotEquals(together.phase(1), new Noise(1_000_000, 1_000, true, 6).phase(1));
    }

    /** Who is driven by its device feels noise at the ends alone; who drives itself, all along the way. */
    @Test
    void shouldHurtHostsMoreThanDevices() {
        Noise noise = new Noise(100_000_000_000L, 2_500_000_000L, false, 1);
        double host = 0;
        double device = 0;
        for (int seed = 0; seed < 10; seed++) {
            Noise each = new Noise(noise.periodPs(), noise.lengthPs(), false, seed);
            host += Uniform.run(Pattern.allreduce(1024, 8), Setting.of(LogGops.DEFAULT, Driver.HOST).with(each)).ps();
            device += Uniform.run(Pattern.allreduce(1024, 8), Setting.of(LogGops.DEFAULT, Driver.DEVICE).with(each))
                    .ps();
        }
        assertTrue(host > 1.2 * device, host + " " + device);
    }
}
