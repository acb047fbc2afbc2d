package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * Memory of peers that cannot be reached by their addresses.
 *
 * @param why in a few words, for reports
 */
public record OutOfReach(String why) implements PeerMemory {
    @Override
    public String obstacle(int rank) {
        return why;
    }

    @Override
    public long worthFrom(int rank) {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean read(int rank, long address, MemorySegment to, long toByte, long bytes) {
        throw new FabricException(why, null);
    }
}
