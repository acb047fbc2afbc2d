package io.rankwire;

/**
 * The kind of an error. The message of a {@link RankwireException} names the rank, the call and the value.
 *
 * <pre>{@code
 * try {
 *     all.receive(buffer, 0, 7);
 * } catch (RankwireException e) {
 *     if (e.errorClass() == ErrorClass.TRUNCATE) {
 *         …
 *     }
 * }
 * }</pre>
 */
public enum ErrorClass {
    /** A rank outside of the communicator. */
    RANK,
    /** A tag below zero where none may be. */
    TAG,
    /**
     * A buffer that is null, of no known kind, or read-only where bytes must go in; or whose memory is closed, or
     * belongs to another thread.
     */
    BUFFER,
    /** An offset or count outside of its buffer, or below zero. */
    COUNT,
    /**
     * A communicator that was freed, a group that does not fit, or members of a communicator of which some call {@link
     * Communicator#shrink} and others {@link Communicator#replace}.
     */
    COMMUNICATOR,
    /** A grid, coordinates or a graph that do not fit, or that ranks give differently. */
    TOPOLOGY,
    /** A request that was awaited before, or is not in the state the call needs; a ready send without a receive. */
    REQUEST,
    /** A message larger than its receive. */
    TRUNCATE,
    /** A message of another element type than its receive. */
    TYPE,
    /** Ranks that did not make the same collective call. */
    COLLECTIVE,
    /** An object that a codec cannot encode or decode. */
    CODEC,
    /**
     * A limit was met: headers, buffered bytes, communicators, doorbells, shared memory. Also: {@link
     * Communicator#replace} finds no process for a dead rank, or a {@link Checkpoint} has lost a state with all its
     * copies.
     */
    RESOURCE,
    /** A datagram that no queue would take, or a queue id in use. */
    DATAGRAM,
    /** A window that was freed, a call outside its epoch, or an unlock without a lock. */
    WINDOW,
    /** An access outside of the target's part of a window, or one that the target refuses. */
    DISPLACEMENT,
    /** The world is closed, was closed under a call that waited, or was never joined. */
    CLOSED,
    /** A rank that does not answer any more, or is dead. */
    PEER,
    /** A communicator that this rank or another one has revoked. */
    REVOKED,
    /**
     * The job was ended by another rank's failure, by a deadlock or from outside. In a job that goes on: this rank, a
     * thread, was declared dead; a process ends then.
     */
    ABORTED,
    /** Any other wrong argument. */
    ARGUMENT
}
