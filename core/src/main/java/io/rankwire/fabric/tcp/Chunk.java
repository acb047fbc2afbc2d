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
    static final int LARGE = 4 * Link.MOST_FRAME;
    /** For the first frames to a peer: a rank may have sent one small frame to each of a thousand others. */
    static final int SMALL = 8 << 10;

    final int capacity;
    /** Keeps the memory, which {@link #reach} alone would not. */
    private final MemorySegment memory;
    private final ByteBuffer view;
    /** The segment and the offset in it through which the bytes are accessed. */
    final MemorySegment reach;
    final long origin;
    /** Where the chunk begins in its stream; for frames that were sent. */
    long start;
    /** The bytes in use. */
    int from;
    int to;

    Chunk(int capacity) {
        this.capacity = capacity;
        memory = Arena.ofAuto().allocate(capacity, 64);
        view = memory.asByteBuffer();
        reach = Words.reach(memory);
        origin = Words.origin(memory);
    }

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
        } else if (capacity - to < Link.MOST_FRAME && from > 0) {
            MemorySegment.copy(memory, from, memory, 0, to - from);
            to -= from;
            from = 0;
        }
    }
}
