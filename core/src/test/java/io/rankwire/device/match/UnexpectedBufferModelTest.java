package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class UnexpectedBufferModelTest {
    private static final long SEED = Long.getLong("rankwire.match.seed", 20_261_115);
    private static final int STEPS = 100_000;
    private static final int SOURCE_BYTES = 8_192;

    private final Rand rand = new Rand(SEED);
    private final Map<Integer, byte[]> model = new HashMap<>();
    private final List<Integer> references = new ArrayList<>();
    private int spills;

    @Test
    void shouldGiveBackWhatWasStoredOnRandomOperations() {
        int step = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(SOURCE_BYTES);
            for (int i = 0; i < SOURCE_BYTES; i++) {
                source.set(ValueLayout.JAVA_BYTE, i, (byte) rand.nextLong());
            }
            UnexpectedBuffer buffer = new UnexpectedBuffer(arena, 96, 200);
            for (; step < STEPS; step++) {
                boolean filling = (step / 2_000 & 1) == 0;
                if (references.isEmpty() || rand.chance(filling ? 3 : 1, 4)) {
                    store(buffer, source);
                } else {
                    release(buffer);
                }
                if (step % 64 == 0) {
                    buffer.checkInvariants();
                }
            }
            while (!references.isEmpty()) {
                release(buffer);
            }
            buffer.checkInvariants();
            assertEquals(0, buffer.bytesHeld());
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + SEED + ", step " + step + ": " + failure.getMessage(), failure);
        }
        assertTrue(spills > 100, "spilled " + spills);
    }

    private void store(UnexpectedBuffer buffer, MemorySegment source) {
        int length = rand.below(new int[] {2, 97, 300, 3_000}[rand.below(4)]);
        int offset = rand.below(SOURCE_BYTES - length);
        int reference = buffer.store(source, offset, length);
        if (reference != UnexpectedBuffer.EMPTY) {
            spills += buffer.spilled(reference) ? 1 : 0;
            byte[] payload = source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            assertNull(model.put(reference, payload), "a reference given twice");
            references.add(reference);
        } else {
            assertEquals(0, length);
        }
    }

    private void release(UnexpectedBuffer buffer) {
        int last = references.size() - 1;
        int chosen = rand.below(last + 1);
        int reference = references.set(chosen, references.get(last));
        references.remove(last);
        byte[] payload = model.remove(reference);
        assertArrayEquals(payload, UnexpectedBufferTest.read(buffer, reference, payload.length));
        buffer.release(reference);
    }
}
