package io.rankwire.fabric;

/** Where a sink wants a payload: an offset in memory of the program. */
public final class Place {
    /** A native segment that can be reached, or an array, as {@link io.rankwire.memory.Words#isArray} defines it. */
    public Object memory;
    public long offset;
    /** Bytes at the beginning of the payload that the sink does not want there. */
    public int lead;
}
