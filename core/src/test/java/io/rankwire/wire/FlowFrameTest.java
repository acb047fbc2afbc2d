package io.rankwire.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class FlowFrameTest {
    private static final int FROM = 5;
    private static final int TO = 4;
    private static final int SEQUENCE_BITS = 32;
    private static final int SUM_BITS = 32;

    private final MemorySegment memory = Arena.ofAuto().allocate(256, 8);

    @Test
    void shouldSumAsTheLibraryDoes() {
        Rand rand = new Rand(1);
        for (int bytes = 0; bytes <= 200; bytes++) {
            fill(rand, bytes);
            int sequence = (int) rand.nextLong();
            ByteBuffer all = ByteBuffer.allocate(24 + bytes).order(ByteOrder.LITTLE_ENDIAN);
            all.putInt(TO).putInt(FROM).putInt(sequence).putInt(FlowFrame.DATA).putLong(bytes);
            all.put(memory.asSlice(3, bytes).asByteBuffer()).flip();
            CRC32C expected = new CRC32C();
            expected.update(all);
            assertEquals((int) expected.getValue(),
                    FlowFrame.sum(FROM, TO, FlowFrame.DATA, sequence, memory, 3, bytes), bytes + " bytes");
        }
    }

    private void fill(Rand rand, int bytes) {
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, 3 + i, (byte) rand.nextLong());
        }
    }

    /** Seeds 362275 and 640191 of {@code sim campaign --fabric program} took frames with two and three changed bits. */
    @Test
    void shouldFindTwoAndThreeChangedBits() {
        fill(new Rand(2), FlowFrame.CONTROL_BYTES);
        int sum = sum(0);
        int bits = SUM_BITS + SEQUENCE_BITS + 8 * FlowFrame.CONTROL_BYTES;
        for (int a = 0; a < bits; a++) {
            for (int b = a + 1; b < bits; b++) {
                assertFound(sum, a, b);
                for (int c = b + 1; c < bits; c += 1 + c / 16) {
                    assertFound(sum, a, b, c);
                }
            }
        }
        assertEquals(sum, sum(0));
    }

    private void assertFound(int sum, int... bits) {
        flip(bits);
        assertNotEquals(sum ^ changed(0, bits), sum(changed(SUM_BITS, bits)), () -> Arrays.toString(bits));
        flip(bits);
    }

    private int sum(int sequence) {
        return FlowFrame.sum(FROM, TO, FlowFrame.ACK, sequence, memory, 3, FlowFrame.CONTROL_BYTES);
    }

    /** The bits that are changed among the 32 from this one on. */
    private static int changed(int first, int... bits) {
        int mask = 0;
        for (int bit : bits) {
            mask |= bit >= first && bit < first + 32 ? 1 << bit - first : 0;
        }
        return mask;
    }

    private void flip(int... bits) {
        for (int bit : bits) {
            int at = bit - SUM_BITS - SEQUENCE_BITS;
            if (at >= 0) {
                byte was = memory.get(ValueLayout.JAVA_BYTE, 3 + at / 8);
                memory.set(ValueLayout.JAVA_BYTE, 3 + at / 8, (byte) (was ^ 1 << at % 8));
            }
        }
    }
}
