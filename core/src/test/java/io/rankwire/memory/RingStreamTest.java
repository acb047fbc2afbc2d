package io.rankwire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer and a reader on two threads: every frame arrives once, complete and in order. */
final class RingStreamTest {
    private static final int FRAMES = Integer.getInteger("rankwire.ring.frames", 20_000);
    private static final long SEED = 77;

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 2048})
    void shouldStreamFramesWhole(int lines) {
        MemorySegment memory = Arena.ofAuto().allocate(RingLayout.bytes(lines), 128);
        int frames = FRAMES;
        FutureTask<Long> writing = new FutureTask<>(() -> write(memory, frames));
        Thread thread = new Thread(writing, "ring-writer");
        thread.setDaemon(true);
        thread.start();
        long read = assertTimeoutPreemptively(Duration.ofMinutes(2), () -> read(memory, frames));
        long written = assertTimeoutPreemptively(Duration.ofMinutes(2), () -> writing.get());
        assertEquals(written, read, "sum of all bytes");
    }

    /** Short bodies in short rows: a writer that is ahead adds them to a frame while the reader reads it. */
    @ParameterizedTest
    @ValueSource(ints = {8, 1024})
    void shouldStreamBodiesThatAreAdded(int lines) {
        MemorySegment memory = Arena.ofAuto().allocate(RingLayout.bytes(lines), 128);
        int bodies = 20 * FRAMES;
        FutureTask<Integer> writing = new FutureTask<>(() -> writeShort(memory, bodies));
        Thread thread = new Thread(writing, "ring-writer");
        thread.setDaemon(true);
        thread.start();
        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> readShort(memory, bodies));
        int added = assertTimeoutPreemptively(Duration.ofMinutes(2), () -> writing.get());
        assertTrue(added > 0, "no body was added to a frame");
    }

    private static int writeShort(MemorySegment memory, int bodies) {
        RingWriter ring = new RingWriter(memory);
        int added = 0;
        for (int i = 0; i < bodies; i++) {
            long first = i / 10;
            long at = ring.claimMore(16, 1, first);
            boolean more = at != RingWriter.FULL;
            while (!more && (at = ring.claim(16) + 8) == RingWriter.FULL + 8) {
                Thread.yield();
            }
            ring.memory().set(ValueLayout.JAVA_LONG, at, i);
            if (more) {
                ring.commitMore();
                added++;
            } else {
                ring.commit(16, 1, first);
            }
        }
        return added;
    }

    private static void readShort(MemorySegment memory, int bodies) {
        RingReader ring = new RingReader(memory);
        for (int i = 0; i < bodies;) {
            long word = ring.peek();
            if (word == 0) {
                ring.publish();
                Thread.yield();
                continue;
            }
            for (int left = ring.bodiesLeft(word); left > 0; left--, i++) {
                assertEquals(i, ring.memory().get(ValueLayout.JAVA_LONG, ring.rest(word)));
                assertEquals(i / 10, ring.memory().get(ValueLayout.JAVA_LONG, ring.body()));
                ring.take(word, 1);
            }
        }
    }

    private static long write(MemorySegment memory, int frames) {
        RingWriter ring = new RingWriter(memory);
        Rand rand = new Rand(SEED);
        long sum = 0;
        for (int i = 0; i < frames; i++) {
            int body = 8 + rand.below(ring.maxBody() - 7);
            long at;
            while ((at = ring.claim(body)) == RingWriter.FULL) {
                Thread.yield();
            }
            ring.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at, i);
            for (int b = 8; b < body; b++) {
                byte value = (byte) (i * 31 + b);
                ring.memory().set(ValueLayout.JAVA_BYTE, at + b, value);
                sum += value;
            }
            ring.commit(body, 1 + i % 1000);
        }
        return sum;
    }

    private static long read(MemorySegment memory, int frames) {
        RingReader ring = new RingReader(memory);
        Rand rand = new Rand(SEED);
        int max = RingLayout.maxBody(RingLayout.lines(memory.byteSize()));
        long sum = 0;
        for (int i = 0; i < frames; i++) {
            long word;
            while ((word = ring.peek()) == 0) {
                ring.publish();
                Thread.yield();
            }
            int body = RingLayout.body(word);
            assertEquals(8 + rand.below(max - 7), body, "size of frame " + i);
            assertEquals(1 + i % 1000, RingLayout.meta(word), "meta of frame " + i);
            assertEquals(i, ring.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, ring.body()), "number");
            for (int b = 8; b < body; b++) {
                byte value = ring.memory().get(ValueLayout.JAVA_BYTE, ring.body() + b);
                if (value != (byte) (i * 31 + b)) {
                    throw new AssertionError("byte " + b + " of frame " + i + " is " + value);
                }
                sum += value;
            }
            ring.advance(word);
        }
        return sum;
    }
}
