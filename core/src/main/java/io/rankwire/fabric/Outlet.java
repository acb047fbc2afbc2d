package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * The way to one peer. A frame is 16 bits of meta (never 0), one header word and a payload; the sender writes the
 * payload in place: {@link #claim}, fill {@link #memory} from the offset, {@link #commit}.
 */
public interface Outlet {
    long FULL = -1;

    MemorySegment memory();

    /** Offset where a payload of so many bytes goes, or {@link #FULL}: nothing was changed then, try later. */
    long claim(int payloadBytes);

    /** Sends the frame claimed last, whose payload of so many bytes is at that offset. */
    void commit(long at, int payloadBytes, int meta, long header);
}
