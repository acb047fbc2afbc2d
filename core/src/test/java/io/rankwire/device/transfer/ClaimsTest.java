package io.rankwire.device.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

final class ClaimsTest {
    private static final int ROUNDS = 3_000;

    @Test
    void shouldMeetInTheMiddle() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(2 * Claims.BYTES, 64);
            Claims.open(memory, Claims.BYTES, 3);
            assertEquals(0, Claims.front(memory, Claims.BYTES));
            assertEquals(2, Claims.back(memory, Claims.BYTES));
            assertEquals(1, Claims.front(memory, Claims.BYTES));
            assertEquals(Claims.NONE, Claims.front(memory, Claims.BYTES));
            assertEquals(Claims.NONE, Claims.back(memory, Claims.BYTES));
            Claims.frontDid(memory, Claims.BYTES, 1);
            assertFalse(Claims.frontIsDone(memory, Claims.BYTES));
            Claims.frontDid(memory, Claims.BYTES, 2);
            assertTrue(Claims.frontIsDone(memory, Claims.BYTES));
        }
    }

    /** Two threads take from the two ends of the same chunks, again and again: each chunk goes to one of them. */
    @Test
    void shouldGiveEachChunkToOneOfTwoThreads() throws Exception {
        MemorySegment memory = Arena.ofAuto().allocate(Claims.BYTES, 64);
        Rand rand = new Rand(7);
        for (int round = 0; round < ROUNDS; round++) {
            int chunks = rand.between(1, 200);
            AtomicIntegerArray taken = new AtomicIntegerArray(chunks);
            Claims.open(memory, 0, chunks);
            Thread other = Thread.ofPlatform().start(() -> {
                int done = 0;
                for (int c = Claims.front(memory, 0); c != Claims.NONE; c = Claims.front(memory, 0)) {
                    taken.incrementAndGet(c);
                    Claims.frontDid(memory, 0, ++done);
                }
            });
            for (int c = Claims.back(memory, 0); c != Claims.NONE; c = Claims.back(memory, 0)) {
                taken.incrementAndGet(c);
            }
            while (!Claims.frontIsDone(memory, 0)) {
                Thread.onSpinWait();
            }
            for (int c = 0; c < chunks; c++) {
                assertEquals(1, taken.get(c), "round " + round + ", chunk " + c);
            }
            other.join();
        }
    }
}
