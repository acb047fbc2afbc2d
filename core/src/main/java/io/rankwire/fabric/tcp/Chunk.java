package io.rankwire.fabric.tcp;

import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * Memory for frames that were sent and not acknowledged, or that have arrived and not been delivered. Frames begin at
 * multiples of 8 bytes, so that devices can read and write words in place.
 */
final class Chunk {
    /** A frame of the largest size and some small ones. */
    static final int LARGE = Link.MOST_FRAME + (8 << 10);
    /** For the first frames to a peer: a rank may have sent one small frame to each of a thousand others. */
    static final int SMALL = 8 << 10;
    static final int MOST_PARTS = 8;

    final int capacity;
    /** Keeps the memory, which {@link #reach} alone would not. */
    private final MemorySegment memory;
    private final ByteBuffer view;
    /** Further buffers of the same bytes, made at first use: a write may take several parts of a chunk. */
    private final ByteBuffer[] parts = new ByteBuffer[MOST_PARTS];
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

    /** Reads behind what is here, not more than a number of bytes; returns what the channel does. */
    int read(ByteChannel channel, int most) throws IOException {
        int bytes = channel.read(bytes(to, Math.min(capacity, to + most)));
        to += Math.max(0, bytes);
        return bytes;
    }

    private int frameSize() {
        return to - from < Link.RECORD ? Link.MOST_FRAME : Link.size(Link.length(Words.load(reach, origin + from)));
    }

    /** As {@link #bytes(int, int)}, for several parts at a time, by their number. */
    ByteBuffer part(int number, int first, int end) {
        if (parts[number] == null) {
            parts[number] = view.duplicate();
        }
        return parts[number].limit(end).position(first);
    }

    /** Makes room for the rest of the frame whose beginning is here. */
    void compact() {
        if (from == to) {
            from = 0;
            to = 0;
        } else if (from > 0 && capacity - from < frameSize()) {
            MemorySegment.copy(memory, from, memory, 0, to - from);
            to -= from;
            from = 0;
        }
    }
}
