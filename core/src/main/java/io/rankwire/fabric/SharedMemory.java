package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a rank that its peers can load from and store to as if it were theirs: the same segment for threads, a
 * mapping of the same file for processes. Used, like its {@link Port}, by one thread at a time; the memory itself may
 * be used by any.
 */
public interface SharedMemory {
    /** The address of every allocation is a multiple of this. */
    int ALIGNMENT = 64;

    /**
     * Memory full of zeros.
     *
     * @throws FabricException when there is no room for it, with both sizes
     */
    Shared allocate(long bytes);

    /** Ends an allocation of this rank. Peers that have mapped it unmap it later. */
    void free(Shared shared);

    /**
     * The allocation of this rank that holds all of these bytes, or null. Cheap: called once for each large message.
     */
    Shared find(MemorySegment memory, long offset, long bytes);

    /** A peer's allocation, mapped at the first call; null when the peer has none of this id that can be mapped. */
    MemorySegment peer(int rank, long id);

    /**
     * Memory that all ranks know by a key, full of zeros at first. The first rank that asks for it makes it; all ranks
     * ask for the same size, and keep what they get.
     */
    MemorySegment common(long key, long bytes);

    /** Whether peers can reach this memory at all; otherwise {@link #peer} and {@link #common} have nothing to give. */
    default boolean isMappable() {
        return true;
    }

    /**
     * Whether a rank and this one can map each other's memory: then {@link #peer} has what that rank has allocated, and
     * {@link #common} is the same memory for both. If a reaches b and b reaches c, then a reaches c.
     */
    default boolean reaches(int rank) {
        return isMappable();
    }

    /** Frees the key for another use. No rank uses the memory that was known by it any more. */
    void endCommon(long key);
}
