package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/** Where a sink wants a payload: an offset in memory of the program, which is native and can be reached. */
public final class Place {
    public MemorySegment memory;
    public long offset;
    /** Bytes at the beginning of the payload that the sink does not want there. */
    public int lead;
}
