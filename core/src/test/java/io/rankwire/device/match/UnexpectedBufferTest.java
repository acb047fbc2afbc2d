package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class UnexpectedBufferTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment source = arena.allocate(256);

    UnexpectedBufferTest() {
        for (int i = 0; i < 256; i++) {
            source.set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
    }

    @AfterEach
    void close() {
        arena.close();
    }

    /** Reads a payload back the way the device does. */
    static byte[] read(UnexpectedBuffer buffer, int reference, int length) {
        if (buffer.spilled(reference)) {
            return buffer.spill(reference);
        }
        byte[] payload = new byte[length];
        int done = 0;
        for (int f = reference; f >= 0; f = buffer.next(f)) {
            int part = Math.min(length - done, buffer.fragmentBytes());
            MemorySegment.copy(buffer.memory(), ValueLayout.JAVA_BYTE, buffer.offset(f), payload, done, part);
            done += part;
        }
        assertEquals(length, done);
        return payload;
    }

    private byte[] bytes(int offset, int length) {
        return source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldChainFragments() {
        UnexpectedBuffer buffer = new UnexpectedBuffer(arena, 16, 8);
        int reference = buffer.store(source, 10, 33);
        assertTrue(reference >= 0);
        assertFalse(buffer.spilled(reference));
        assertEquals(48, buffer.bytesHeld());
        assertArrayEquals(bytes(10, 33), read(buffer, reference, 33));
        int exact = buffer.store(source, 0, 32);
        assertEquals(80, buffer.bytesHeld());
        buffer.release(reference);
        assertArrayEquals(bytes(0, 32), read(buffer, exact, 32));
        assertEquals(32, buffer.bytesHeld());
        assertEquals(80, buffer.highWater());
        buffer.checkInvariants();
    }

    @Test
    void shouldSpillWhenFragmentsRunOut() {
        UnexpectedBuffer buffer = new UnexpectedBuffer(arena, 16, 2);
        int chain = buffer.store(source, 0, 17);
        int spill = buffer.store(source, 100, 60);
        assertTrue(spill <= -2 && buffer.spilled(spill));
        assertArrayEquals(bytes(100, 60), buffer.spill(spill));
        assertEquals(92, buffer.bytesHeld());
        int last = buffer.store(source, 0, 8);
        assertTrue(buffer.spilled(last));
        assertEquals(100, buffer.bytesHeld());
        buffer.checkInvariants();
        buffer.release(spill);
        buffer.release(chain);
        assertTrue(buffer.store(source, 0, 32) >= 0, "fragments are used again");
        buffer.checkInvariants();
    }

    @Test
    void shouldKeepEmptyPayloadsWithoutStorage() {
        UnexpectedBuffer buffer = new UnexpectedBuffer(arena, 16, 0);
        int reference = buffer.store(source, 0, 0);
        assertEquals(UnexpectedBuffer.EMPTY, reference);
        assertFalse(buffer.spilled(reference));
        buffer.release(reference);
        buffer.checkInvariants();
    }

    @Test
    void shouldNoticeAChainReleasedTwice() {
        UnexpectedBuffer buffer = new UnexpectedBuffer(arena, 16, 4);
        int reference = buffer.store(source, 0, 20);
        buffer.release(reference);
        assertThrows(AssertionError.class, () -> buffer.release(reference));
    }
}
