package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * The way to one peer. A frame is 16 bits of meta (never 0), one header word and a payload; the sender writes the
 * payload in place: {@link #claim}, fill {@link #memory} from the offset, {@link #commit}.
 */
public interface Outlet {
    long FULL = -1;

    /** The memory that the frame claimed last is written to; each claim may change it. */
    MemorySegment memory();

    /**
     * Returns the offset where a payload of this many bytes goes, or {@link #FULL}: then nothing was changed, and the
     * caller may try again later. A claim need not be committed; it ends with the next claim on the port, to any
     * peer.
     */
    long claim(int payloadBytes);

    /**
     * As {@link #claim(int)}, for a frame whose length, meta and header are known: it may share a line of memory with
     * the frame before. The commit must pass the same.
     */
    default long claim(int payloadBytes, int meta, long header) {
        return claim(payloadBytes);
    }

    /** Sends the frame claimed last. Its payload, not longer than was claimed, is at the offset {@code at}. */
    void commit(long at, int payloadBytes, int meta, long header);
}
