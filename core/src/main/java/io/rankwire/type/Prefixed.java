package io.rankwire.type;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * A word and then a user buffer, as one message: the word travels in front of the user's bytes, and never through the
 * user's memory. Byte 0 is the first of the word.
 */
public final class Prefixed {
    /** Bytes of the word. */
    public static final int BYTES = 8;

    private final byte[] front = new byte[BYTES];
    private final MemorySegment word = MemorySegment.ofArray(front);
    private Object base;
    private long start;

    /** Binds the buffer, whose first byte is at {@code at}, and the word in front of it. */
    public void bind(Object buffer, long at, long inFront) {
        base = buffer;
        start = at;
        Words.storeUnaligned(word, 0, inFront);
    }

    /** The word: what was bound, or what has come. */
    public long word() {
        return Words.loadUnaligned(word, 0);
    }

    Object base() {
        return base;
    }

    void out(long fromByte, MemorySegment to, long toByte, int bytes) {
        int own = Math.clamp(BYTES - fromByte, 0, bytes);
        Copy.out(front, fromByte, to, toByte, own);
        if (bytes > own) {
            Copy.out(base, start + fromByte + own - BYTES, to, toByte + own, bytes - own);
        }
    }

    void in(MemorySegment from, long fromByte, long toByte, int bytes) {
        int own = Math.clamp(BYTES - toByte, 0, bytes);
        Copy.in(from, fromByte, front, toByte, own);
        if (bytes > own) {
            Copy.in(from, fromByte + own, base, start + toByte + own - BYTES, bytes - own);
        }
    }
}
