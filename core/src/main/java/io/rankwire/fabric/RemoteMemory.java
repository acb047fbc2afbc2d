package io.rankwire.fabric;

/**
 * Memory of peers that a port reads and writes by the engine of its network, without the processor of the peer and
 * after the call that started the access has returned. What can be reached is what peers have {@link #offer offered}:
 * their allocations, by the same ids as in their {@link SharedMemory}. The memory at this end is an allocation of this
 * rank, too. Used, like its {@link Port}, by one thread at a time.
 *
 * <p>An access makes progress in {@link Port#poll}. Accesses to one peer may overtake each other. A frame that is
 * committed to a peer after a write to it was started arrives when the written bytes are in their place.
 */
public interface RemoteMemory {
    /** Nothing was started; the caller tries again after a poll. */
    long FULL = -1;

    /** The access is under way. */
    int PENDING = 0;
    /** The bytes were read; or they are on their way, and the memory at this end may be used again. */
    int DONE = 1;
    /** The peer has no such allocation (any more), or it is too small. Nothing was read or written. */
    int REFUSED = 2;
    /**
     * The peer is lost; {@link Port#advance} reports why. Nothing more is read or written. The accesses to a peer that
     * was {@link Port#dismiss dismissed} end soon, in this way or another.
     */
    int LOST = 3;

    /** Where no memory of peers can be reached. */
    RemoteMemory NONE = new NoRemoteMemory();

    /** Whether this port reads and writes memory of a peer, and the peer memory of this rank. */
    boolean reaches(int rank);

    /** Least bytes of a message for which an access pays, instead of frames. */
    long worthFrom(int rank);

    /** Lets peers read and write an allocation of this rank. */
    void offer(Shared shared);

    /**
     * Ends that. The memory at this end of accesses of this rank stays as long as they are under way. Accesses of peers
     * that are under way fail, or go on to memory that is still there: never to other memory.
     */
    void withdraw(Shared shared);

    /**
     * Starts to read from an allocation of a peer.
     *
     * @param place the allocation there, by its id
     * @return a ticket for {@link #state}, or {@link #FULL}
     */
    long read(int rank, long place, long offset, Shared to, long toOffset, long bytes);

    /** Starts to write to an allocation of a peer; the memory at this end must not change until it is {@link #DONE}. */
    long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes);

    /** How far an access is. Once it is not {@link #PENDING}, the ticket is given back and must not be used again. */
    int state(long ticket);
}
