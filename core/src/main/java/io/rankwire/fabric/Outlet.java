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

    /** Several frames follow: a port that gains by sending them together may wait for {@link #release}. */
    default void hold() {}

    /** The last of the frames that belong together was committed. */
    default void release() {}

    /** Whether {@link #lend} is possible now. */
    default boolean borrows() {
        return false;
    }

    /**
     * As {@link #commit}, but the payload behind its first {@code lead} bytes is not at the offset {@code at}: it is in
     * native memory of the caller, which must not change until {@link #settle}. To be called between {@link #hold} and
     * {@link #release}. If the memory is closed before the release, the receiver gets a frame of this length with other
     * bytes; if it is closed later, a peer that needs the bytes again is lost.
     */
    default void lend(long at, int payloadBytes, int meta, long header, int lead, MemorySegment from, long offset) {
        throw new UnsupportedOperationException("this outlet borrows no memory");
    }

    /** Ends all loans: copies what the port may have to send again. */
    default void settle() {}
}
