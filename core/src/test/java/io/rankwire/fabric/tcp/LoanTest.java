package io.rankwire.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames from memory of the program that is changed or closed. */
final class LoanTest {
    private static final int LEAD = 16;
    private static final int BYTES = 4000;
    private static final int FRAME = Link.HEAD + LEAD + BYTES;

    /** Takes a limited number of bytes. */
    private static final class Sink implements GatheringByteChannel {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int room;

        @Override
        public int write(ByteBuffer source) {
            byte[] bytes = new byte[Math.min(room, source.remaining())];
            source.get(bytes);
            taken.writeBytes(bytes);
            room -= bytes.length;
            return bytes.length;
        }

        @Override
        public long write(ByteBuffer[] sources, int from, int count) {
            long total = 0;
            for (int i = from; i < from + count; i++) {
                total += write(sources[i]);
            }
            return total;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private final Link link = new Link(1, new Chunks());
    private final Views views = new Views();
    private final Sink sink = new Sink();

    private void lend(MemorySegment memory) {
        long at = link.claim(LEAD + BYTES);
        for (int i = 0; i < LEAD; i++) {
            link.claimed().set(ValueLayout.JAVA_BYTE, at + i, (byte) 9);
        }
        link.lend(at, LEAD + BYTES, 5, 7, LEAD, views.of(memory, 0), 0);
    }

    private static byte[] payload(byte[] frames, int number) {
        return Arrays.copyOfRange(frames, number * FRAME + Link.HEAD, (number + 1) * FRAME);
    }

    private static byte[] expected(int value) {
        byte[] all = new byte[LEAD + BYTES];
        Arrays.fill(all, 0, LEAD, (byte) 9);
        Arrays.fill(all, LEAD, all.length, (byte) value);
        return all;
    }

    private static MemorySegment filled(Arena arena, int value) {
        return arena.allocate(BYTES).fill((byte) value);
    }

    @Test
    void shouldSendFromMemoryAndKeepWhatIsSettled() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment one = filled(arena, 1);
            MemorySegment two = filled(arena, 2);
            lend(one);
            lend(two);
            sink.room = FRAME + 500;
            assertFalse(link.write(sink, null));
            assertTrue(link.settleUnwritten());
            two.fill((byte) 3);
            sink.room = FRAME;
            assertTrue(link.write(sink, null));
            assertArrayEquals(expected(1), payload(sink.taken.toByteArray(), 0));
            assertArrayEquals(expected(2), payload(sink.taken.toByteArray(), 1));
            link.settle();
            one.fill((byte) 3);
        }
        link.resume(0);
        sink.taken.reset();
        sink.room = 2 * FRAME;
        assertTrue(link.write(sink, null));
        assertArrayEquals(expected(1), payload(sink.taken.toByteArray(), 0));
        assertArrayEquals(expected(2), payload(sink.taken.toByteArray(), 1));
    }

    @Test
    void shouldSendAFrameOfTheSameLengthFromClosedMemory(@TempDir Path folder) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            lend(filled(arena, 1));
        }
        Path file = folder.resolve("sent");
        // A real channel refuses memory that is closed.
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertTrue(link.write(out, null));
            assertEquals(FRAME, out.size());
        }
    }

    @Test
    void shouldNotSendAgainWhatWasClosedTooEarly() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            lend(filled(arena, 1));
            sink.room = FRAME;
            assertTrue(link.write(sink, null));
        }
        link.settle();
        assertThrows(Link.Violation.class, () -> link.resume(0));
        link.resume(FRAME);
    }
}
