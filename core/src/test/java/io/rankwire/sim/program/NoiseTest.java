package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.memory.Rand;
import org.junit.jupiter.api.Test;

class NoiseTest {
    @Test
    void shouldDoAsAProcessorThatIsLookedAtStepByStep() {
        for (int seed = 0; seed < 2_000; seed++) {
            Rand rand = new Rand(seed);
            long period = 2 + rand.below(40);
            long length = 1 + rand.below((int) period - 1);
            long phase = rand.below((int) period);
            Noise noise = new Noise(period, length, phase);
            long at = rand.below(100);
            long work = rand.below(100);
            long t = at;
            while ((t + phase) % period < length) {
                t++;
            }
            assertEquals(t, noise.free(at), "seed " + seed);
            long done = t;
            for (long left = work; left > 0; done++) {
                left -= (done + phase) % period < length ? 0 : 1;
            }
            assertEquals(done, noise.done(at, work), "seed " + seed);
        }
    }

    @Test
    void shouldTakeNothingWhenThereIsNone() {
        Noise noise = new Noise(0, 0, 0);
        assertEquals(7, noise.free(7));
        assertEquals(12, noise.done(7, 5));
    }
}
