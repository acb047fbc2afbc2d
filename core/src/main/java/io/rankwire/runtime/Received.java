package io.rankwire.runtime;

import io.rankwire.type.ElementType;

/** What a receive, a probe or another operation ended with. Immutable but for {@link #view}. */
public final class Received {
    /** An operation that received nothing: a send, a collective call, a message of no rank. */
    public static final Received NOTHING = new Received(Endpoint.NONE, Endpoint.ANY, 0, ElementType.RAW, false);
    /** An operation that was cancelled. */
    public static final Received CANCELLED = new Received(Endpoint.NONE, Endpoint.ANY, 0, ElementType.RAW, true);

    private final int source;
    private final int tag;
    private final long bytes;
    private final ElementType type;
    private final boolean cancelled;
    /**
     * The object that shows this value to the program, made when it is first asked for. Threads that race make equal
     * ones.
     */
    public Object view;

    public Received(int source, int tag, long bytes, ElementType type, boolean cancelled) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        this.type = type;
        this.cancelled = cancelled;
    }

    /** The rank of the sender in the communicator of the call. */
    public int source() {
        return source;
    }

    public int tag() {
        return tag;
    }

    public long bytes() {
        return bytes;
    }

    /** The element type of the sender. */
    public ElementType type() {
        return type;
    }

    public boolean cancelled() {
        return cancelled;
    }
}
