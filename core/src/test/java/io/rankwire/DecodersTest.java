package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.device.FramesFuzz;
import io.rankwire.fabric.tcp.StreamFuzz;
import io.rankwire.launch.ControlFuzz;
import io.rankwire.memory.Rand;
import io.rankwire.sim.program.ModelFileFuzz;
import io.rankwire.type.ObjectFuzz;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Changed inputs for each decoder. The same entry points are those of a fuzzer, see docs/decisions/36. */
final class DecodersTest {
    private static final long SEED = Long.getLong("rankwire.hostile.seed", 20261116);
    private static final long MOST_ALLOCATED = 4 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static void attack(List<byte[]> samples, Consumer<byte[]> decoder, int inputs) {
        for (byte[] sample : samples) {
            decoder.accept(sample);
        }
        Rand rand = new Rand(SEED);
        for (int i = 0; i < inputs; i++) {
            byte[] input = changed(samples.get(rand.below(samples.size())), rand);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                decoder.accept(input);
            } catch (Throwable e) {
                throw new AssertionError("seed " + SEED + ", input " + i + ": " + Arrays.toString(input), e);
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < MOST_ALLOCATED,
                    () -> allocated + " bytes were allocated for " + Arrays.toString(input));
        }
    }

    private static byte[] changed(byte[] sample, Rand rand) {
        byte[] bytes = sample.clone();
        for (int edits = rand.between(1, 3); edits > 0 && bytes.length > 0; edits--) {
            int at = rand.below(bytes.length);
            switch (rand.below(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << rand.below(8));
                case 1 -> bytes[at] = (byte) rand.nextLong();
                case 2 -> bytes[at] = (byte) (rand.chance(1, 2) ? -1 : 0);
                case 3 -> bytes = Arrays.copyOf(bytes, rand.chance(1, 2) ? at : bytes.length + rand.below(20));
                case 4 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) rand.nextLong());
                default -> {
                    int to = rand.below(bytes.length);
                    System.arraycopy(bytes, at, bytes, to, Math.min(12, bytes.length - Math.max(at, to)));
                }
            }
        }
        return bytes;
    }

    @Test
    void shouldRefuseChangedFrames() {
        attack(FramesFuzz.samples(), FramesFuzz::fuzzerTestOneInput, 3_000);
    }

    @Test
    void shouldRefuseChangedStreams() {
        attack(StreamFuzz.samples(), StreamFuzz::fuzzerTestOneInput, 10_000);
    }

    @Test
    void shouldRefuseChangedControlMessages() {
        attack(ControlFuzz.samples(), ControlFuzz::fuzzerTestOneInput, 50_000);
    }

    @Test
    void shouldRefuseChangedObjects() {
        attack(ObjectFuzz.samples(), ObjectFuzz::fuzzerTestOneInput, 5_000);
    }

    @Test
    void shouldRefuseChangedModelFiles() {
        attack(ModelFileFuzz.samples(), ModelFileFuzz::fuzzerTestOneInput, 2_000);
    }
}
