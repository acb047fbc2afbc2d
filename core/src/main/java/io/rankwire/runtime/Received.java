package io.rankwire.runtime;

import io.rankwire.type.ElementType;

/**
 * The result of a receive, a probe or another operation: source, tag and size of a message. The facades turn it into a
 * status of the API. Immutable except for {@link #view}.
 */
public final class Received {
    /** The result of an operation that receives no message: a send, a collective call, a receive from no rank. */
    public static final Received NOTHING = new Received(Endpoint.NONE, Endpoint.ANY, 0, ElementType.RAW, false);
    /** The result of an operation that was cancelled. */
    static final Received CANCELLED = new Received(Endpoint.NONE, Endpoint.ANY, 0, ElementType.RAW, true);

    private final int source;
    private final int tag;
    private final long bytes;
    private final ElementType type;
    private final boolean cancelled;
    /**
     * The object that shows this result to the program, created when the program first reads it. Threads that race
     * create equal objects.
     */
    public Object view;

    Received(int source, int tag, long bytes, ElementType type, boolean cancelled) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        this.type = type;
        this.cancelled = cancelled;
    }

    /** Returns the rank of the sender in the communicator of the call. */
    public int source() {
        return source;
    }

    public int tag() {
        return tag;
    }

    public long bytes() {
        return bytes;
    }

    /** Returns the element type of the sender. */
    public ElementType type() {
        return type;
    }

    public boolean cancelled() {
        return cancelled;
    }
}
