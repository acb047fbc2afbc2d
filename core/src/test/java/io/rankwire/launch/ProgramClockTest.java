package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramClockTest {
    public static final class Sleeper {
        public static long[] run() throws InterruptedException {
            long start = System.nanoTime();
            long date = System.currentTimeMillis();
            Thread.sleep(3_600_000);
            return new long[] {System.nanoTime() - start, System.currentTimeMillis() - date};
        }
    }

    private static final class Changed extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(Sleeper.class.getName(), bytes, 0, bytes.length);
        }
    }

    @Test
    void shouldLetAProgramReadAndPassSimulatedTime() throws Exception {
        Class<?> changed = new Changed().define(ProgramClock.adapted(StaticsTest.bytes(Sleeper.class), null));
        List<long[]> seen = new ArrayList<>();
        SimulatedRanks.run(Settings.DEFAULT, 2, job -> seen.add((long[]) changed.getMethod("run").invoke(null)));
        assertEquals(2, seen.size());
        for (long[] times : seen) {
            assertTrue(times[0] >= 3_600_000_000_000L && times[0] < 3_600_000_100_000L, "" + times[0]);
            assertEquals(3_600_000, times[1], 1);
        }
    }
}
