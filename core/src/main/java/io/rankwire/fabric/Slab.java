package io.rankwire.fabric;

import io.rankwire.memory.RingLayout;
import io.rankwire.memory.RingWriter;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Memory of one rank through which the longer frames to all its peers go, in chunks that are used in turn; the frame in
 * the ring of the peer only names the chunk. The reader writes to the lines that it has read ({@link #taken}), since it
 * is expensive to write a line again that another core has only read. Rings of the size of a slab would take memory for
 * each pair of ranks.
 *
 * <p>A chunk is free again when the reader of its frame has read past it. A peer that does not read keeps its chunks:
 * the next free one is taken then, or the frame goes through the ring. When no frame has gone through for some seconds
 * and all chunks are free, the memory goes back to the system until the next frame.
 */
final class Slab {
    /** Chunks that are looked at for one that is free. */
    private static final int LOOKS = 8;
    private static final long IDLE_NS = 3_000_000_000L;

    private enum Pages { HERE, RELEASED, LOST }

    private final Rings source;
    private final MemorySegment memory;
    private final MemorySegment reach;
    private final long origin;
    private final int chunkBytes;
    /** By chunk: the ring that its last frame went through, and the position behind that frame. */
    private final RingWriter[] rings;
    private final long[] ends;
    private int next;
    private Pages pages = Pages.HERE;
    /** Whether a chunk was claimed since the last look at the time. */
    private boolean used;
    private long idleSinceNs;

    /**
     * Makes the slab of a rank.
     *
     * @param source where its memory comes from
     * @throws FabricException if there is none
     */
    Slab(Rings source, int rank, int chunkBytes) {
        this.source = source;
        this.memory = source.slab(rank);
        this.reach = Words.reach(memory);
        this.origin = Words.origin(memory);
        this.chunkBytes = chunkBytes;
        this.rings = new RingWriter[(int) (memory.byteSize() / chunkBytes)];
        this.ends = new long[rings.length];
        assert rings.length >= 2 : rings.length;
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
        if (pages != Pages.HERE && !restored()) {
            return Outlet.FULL;
        }
        for (int looks = 0; looks < LOOKS; looks++) {
            if (rings[next] == null || rings[next].hasRead(ends[next])) {
                used = true;
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

    /** A ring has ended, after its reader has read all of it: the chunks that it used are free. */
    void forget(RingWriter ring) {
        for (int chunk = 0; chunk < rings.length; chunk++) {
            rings[chunk] = rings[chunk] == ring ? null : rings[chunk];
        }
    }

    /**
     * The reader has copied a payload out of its chunk: now it writes to each line. A line that the reader has only
     * read stays in both caches, and its next writer waits until the other cache has dropped it. A line that the reader
     * has changed is in one cache alone, and its next writer gets it from there in a fraction of that time.
     */
    static void taken(MemorySegment memory, long payload, int bytes) {
        // The two words before the payload are in its first line.
        for (int line = 0; line < bytes + 2 * RingLayout.WORD; line += RingLayout.LINE) {
            Words.store(memory, payload + line, 0);
        }
    }

    /** Gives the memory back to the system if no frame has gone through for a while, and all are read. */
    void advance(long nowNs) {
        if (used) {
            used = false;
            idleSinceNs = nowNs;
        } else if (nowNs - idleSinceNs >= IDLE_NS) {
            idleSinceNs = nowNs;
            release();
        }
    }

    private void release() {
        if (pages == Pages.HERE && isFree() && source.releaseSlab()) {
            pages = Pages.RELEASED;
        }
    }

    /** No more frames go through. What peers have not read stays. */
    void close() {
        release();
        pages = Pages.LOST;
    }

    private boolean isFree() {
        for (int chunk = 0; chunk < rings.length; chunk++) {
            if (rings[chunk] != null && !rings[chunk].hasRead(ends[chunk])) {
                return false;
            }
        }
        return true;
    }

    private boolean restored() {
        if (pages == Pages.RELEASED) {
            try {
                source.restoreSlab();
                pages = Pages.HERE;
            } catch (FabricException noRoom) {
                pages = Pages.LOST;
            }
        }
        return pages == Pages.HERE;
    }

    private void skip() {
        next = next + 1 == rings.length ? 0 : next + 1;
    }
}
