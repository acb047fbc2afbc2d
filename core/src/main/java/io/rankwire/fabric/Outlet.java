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

    /** Whether {@link #lend} is possible now from this memory: a native segment, or an array. */
    default boolean borrows(Object memory) {
        return false;
    }

    /**
     * As {@link #commit}, but the payload behind its first {@code lead} bytes is not at the offset {@code at}: it is in
     * memory of the caller, which must not change until the loan {@link #isBack}. To be called between {@link #hold}
     * and {@link #release}. If the memory is closed before the release, the receiver gets a frame of this length with
     * other bytes; if it is closed later, a peer that needs the bytes again is lost.
     *
     * @return a number for {@link #isBack}, which grows with each loan
     */
    default long lend(long at, int payloadBytes, int meta, long header, int lead, Object from, long offset) {
        throw new UnsupportedOperationException("this outlet borrows no memory");
    }

    /** Whether this loan and those before it have ended: the peer has the bytes, or the port has copied them. */
    default boolean isBack(long loan) {
        return true;
    }

    /** Ends the last loan: copies what the port may have to send again. */
    default void settleLast() {}

    /** Ends all loans in the same way. */
    default void settle() {}
}
