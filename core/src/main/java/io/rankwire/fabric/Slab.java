package io.rankwire.fabric;

import io.rankwire.memory.RingWriter;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Memory of one rank through which the longer frames to all its peers go, in chunks that are used in turn; the frame in
 * the ring of the peer only names the chunk. It is expensive to write a line again that another core has just read, and
 * cheap to write one that has left the cache of that core. So the slab is as large as a cache, however few chunks are
 * under way. Rings of that size would take memory for each pair of ranks.
 *
 * <p>A chunk is free again when the reader of its frame has read past it. A peer that does not read keeps its chunks:
 * the next free one is taken then, or the frame goes through the ring.
 */
final class Slab {
    /** Chunks that are looked at for one that is free. */
    private static final int LOOKS = 8;

    private final MemorySegment memory;
    private final MemorySegment reach;
    private final long origin;
    private final int chunkBytes;
    /** By chunk: the ring that its last frame went through, and the position behind that frame. */
    private final RingWriter[] rings;
    private final long[] ends;
    private int next;

    Slab(MemorySegment memory, int chunkBytes) {
        this.memory = memory;
        this.reach = Words.reach(memory);
        this.origin = Words.origin(memory);
        this.chunkBytes = chunkBytes;
        this.rings = new RingWriter[(int) (memory.byteSize() / chunkBytes)];
        this.ends = new long[rings.length];
    }

    /** The memory that offsets of {@link #claim} are of. */
    MemorySegment memory() {
        return reach;
    }

    int chunks() {
        return rings.length;
    }

    /** Returns where a free chunk lies, or {@link Outlet#FULL}. Good until the next claim. */
    long claim() {
        for (int looks = 0; looks < LOOKS; looks++) {
            if (rings[next] == null || rings[next].hasRead(ends[next])) {
                return origin + (long) next * chunkBytes;
            }
            skip();
        }
        return Outlet.FULL;
    }

    /** The place of the chunk that was claimed last, as its reader needs it. */
    long place() {
        return (long) next * chunkBytes;
    }

    /** The chunk that was claimed last is in use until the ring's reader comes to this position. */
    void commit(RingWriter ring, long end) {
        rings[next] = ring;
        ends[next] = end;
        skip();
    }

    private void skip() {
        next = next + 1 == rings.length ? 0 : next + 1;
    }
}
