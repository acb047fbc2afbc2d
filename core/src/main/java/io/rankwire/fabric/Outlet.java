package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * The way to one peer. A frame is 16 bits of meta (never 0), one header word and a payload; the sender writes the
 * payload in place: {@link #claim}, fill {@link #memory} from the offset, {@link #commit}.
 */
public interface Outlet {
    long FULL = -1;

    /** Where the frame claimed last goes; ask anew after each claim. */
    MemorySegment memory();

    /**
     * Offset where a payload of so many bytes goes, or {@link #FULL}: nothing was changed then, try later. Instead of
     * the frame claimed, several of at least 2 KiB but for the last may follow at once, claimed one by one, that are no
     * longer together with 64 bytes added to each.
     */
    long claim(int payloadBytes);

    /** Sends the frame claimed last, whose payload of so many bytes is at that offset. */
    void commit(long at, int payloadBytes, int meta, long header);
}
