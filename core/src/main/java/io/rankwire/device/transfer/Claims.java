package io.rankwire.device.transfer;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Chunks of one transfer that two processes copy at once, the one from the front and the other from the back, claimed
 * from one atomic word. Beside it stands how many chunks the front has done, written by the front alone.
 *
 * <pre>
 *    0  next chunk of the front : 32 | end of those free for the back : 32
 *  128  chunks done by the front
 * </pre>
 */
final class Claims {
    /** Bytes of one set of claims. */
    static final int BYTES = 256;
    static final int NONE = -1;

    private static final int DONE = 128;

    private Claims() {}

    static void open(MemorySegment memory, long at, int chunks) {
        Words.release(memory, at + DONE, 0);
        Words.release(memory, at, chunks);
    }

    /** The chunk claimed, or {@link #NONE} when the two ends have met. */
    static int front(MemorySegment memory, long at) {
        while (true) {
            long word = Words.acquire(memory, at);
            int front = (int) (word >>> 32);
            if (front >= (int) word) {
                return NONE;
            }
            if (Words.compareAndSet(memory, at, word, word + (1L << 32))) {
                return front;
            }
        }
    }

    static int back(MemorySegment memory, long at) {
        while (true) {
            long word = Words.acquire(memory, at);
            int back = (int) word;
            if ((int) (word >>> 32) >= back) {
                return NONE;
            }
            if (Words.compareAndSet(memory, at, word, word - 1)) {
                return back - 1;
            }
        }
    }

    static void frontDid(MemorySegment memory, long at, int chunks) {
        Words.release(memory, at + DONE, chunks);
    }

    /** Whether the front has done all it claimed; asked when nothing is left to claim. */
    static boolean frontIsDone(MemorySegment memory, long at) {
        return Words.acquire(memory, at + DONE) == Words.acquire(memory, at) >>> 32;
    }
}
