package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/** Where the memory of a {@link RingPort} comes from: the only thing in which ring backends differ. */
public interface Rings extends AutoCloseable {
    /** The ring from this rank to a peer, made now. Called again only after {@link #end}. */
    MemorySegment outbound(int peer);

    /**
     * The ring from a peer that has rung the bell, or null if the peer has made none since the one before. Called again
     * only after the end of that.
     */
    MemorySegment inbound(int peer);

    /** The reader has read all of the ring to a peer, and nothing more will be written to it. */
    void end(int peer);

    /**
     * The slab of a rank, made by the first call of that rank, mapped by others.
     *
     * @throws FabricException if there is no memory for it
     */
    MemorySegment slab(int rank);

    /**
     * Gives the pages of this rank's slab back to the system. The caller neither writes to the slab again before {@link
     * #restoreSlab}, nor has frames in it that are not read.
     *
     * @return false if the pages, and what they hold, have stayed
     */
    boolean releaseSlab();

    /**
     * Gets pages for this rank's slab again.
     *
     * @throws FabricException if there is no memory for them
     */
    void restoreSlab();

    /** The bells of a rank, laid out as {@link Bells} says. */
    MemorySegment bells(int rank);

    SharedMemory memory();

    PeerMemory peerMemory();

    @Override
    void close();
}
