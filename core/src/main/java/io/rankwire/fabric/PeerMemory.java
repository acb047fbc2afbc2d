package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * The memory of peers, by their own addresses, without their help: where the system lets one process copy from or to
 * another. Only native memory can be reached and only native memory filled. Used, like its {@link Port}, by one thread
 * at a time.
 */
public interface PeerMemory {
    /** Null if a peer's memory can be reached, else why not. Tried out at the first question, then remembered. */
    String obstacle(int rank);

    /** Least bytes of a message for which {@link #read} pays, by measured cost; without an end if it never does. */
    long worthFrom(int rank);

    /**
     * Copies from a peer's memory; false if there is no such memory there, or no more.
     *
     * @throws FabricException when the system refuses; some bytes may have been copied
     */
    boolean read(int rank, long address, MemorySegment to, long toByte, long bytes);
}
