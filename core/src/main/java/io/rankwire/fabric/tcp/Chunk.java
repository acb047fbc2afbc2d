package io.rankwire.fabric.tcp;

import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory for frames that were sent and not acknowledged, or that have arrived and not been delivered. Frames begin at
 * multiples of 8 bytes, so that devices can read and write words in place.
 */
final class Chunk {
    /** Four frames of the largest size; also most bytes of one read or write. */
    static final int BYTES = 4 * Link.MOST_FRAME;

    /** Keeps the memory, which {@link #reach} alone would not. */
    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
    private final ByteBuffer view = memory.asByteBuffer();
    /** The segment and the offset in it through which the bytes are accessed. */
    final MemorySegment reach = Words.reach(memory);
    final long origin = Words.origin(memory);
    /** Where the chunk begins in its stream; for frames that were sent. */
    long start;
    /** The bytes in use. */
    int from;
    int to;

    Chunk empty(long at) {
        start = at;
        from = 0;
        to = 0;
        return this;
    }

    boolean isEmpty() {
        return from == to;
    }

    /** The bytes between two offsets, as a buffer that is valid until the next call. */
    ByteBuffer bytes(int first, int end) {
        return view.limit(end).position(first);
    }

    /** Makes room for a frame of any size behind what is here. */
    void compact() {
        if (from == to) {
            from = 0;
            to = 0;
        } else if (BYTES - to < Link.MOST_FRAME && from > 0) {
            MemorySegment.copy(memory, from, memory, 0, to - from);
            to -= from;
            from = 0;
        }
    }
}
