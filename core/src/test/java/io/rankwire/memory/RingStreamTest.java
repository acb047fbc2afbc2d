package io.rankwire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

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
        long read = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> read(memory, frames));
        long written = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> writing.get());
        assertEquals(written, read, "sum of all bytes");
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
