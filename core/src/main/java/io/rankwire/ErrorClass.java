package io.rankwire;

/** What sort of thing went wrong; the message of a {@link RankwireException} says which rank, call and value. */
public enum ErrorClass {
    /** A rank outside the communicator. */
    RANK,
    /** A tag below zero where none may be. */
    TAG,
    /**
     * A buffer that is null, of no known kind, or read-only where bytes must go in; or whose memory is closed, or
     * belongs to another thread.
     */
    BUFFER,
    /** An offset or count outside its buffer, or below zero. */
    COUNT,
    /** A communicator that was freed, or a group that does not fit. */
    COMMUNICATOR,
    /** A grid, coordinates or a graph that do not fit, or that ranks give differently. */
    TOPOLOGY,
    /** A request that was awaited before, or is not in the state the call needs. */
    REQUEST,
    /** A message larger than its receive. */
    TRUNCATE,
    /** A message of another element type than its receive. */
    TYPE,
    /** Ranks that did not make the same collective call. */
    COLLECTIVE,
    /** An object that a codec cannot encode or decode. */
    CODEC,
    /** A limit was met: headers, buffered bytes, contexts, doorbells, shared memory. */
    RESOURCE,
    /** A datagram that no queue would take, or a queue id in use. */
    DATAGRAM,
    /** A window that was freed, a call outside its epoch, or an unlock without a lock. */
    WINDOW,
    /** An access outside the target's part of a window, or one the target refuses. */
    DISPLACEMENT,
    /** The world is closed, was closed under a call that waited, or was never joined. */
    CLOSED,
    /** A rank that does not answer any more. */
    PEER,
    /** The job was ended by another rank's failure, by a deadlock or from outside. */
    ABORTED,
    /** Any other wrong argument. */
    ARGUMENT
}
