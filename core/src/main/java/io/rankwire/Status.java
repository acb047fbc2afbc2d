package io.rankwire;

import io.rankwire.type.ElementType;

/** What came of a receive or a probe. */
public final class Status {
    static final Status SENT = new Status(Communicator.NONE, Communicator.ANY_TAG, 0, ElementType.RAW, false);
    static final Status NOTHING = SENT;
    static final Status CANCELLED = new Status(Communicator.NONE, Communicator.ANY_TAG, 0, ElementType.RAW, true);

    private final int source;
    private final int tag;
    private final long bytes;
    private final ElementType type;
    private final boolean cancelled;

    Status(int source, int tag, long bytes, ElementType type, boolean cancelled) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        this.type = type;
        this.cancelled = cancelled;
    }

    /** The sender's rank in the communicator of the call; {@link Communicator#NONE} for sends and for no message. */
    public int source() {
        return source;
    }

    public int tag() {
        return tag;
    }

    /** Size of the message. */
    public long bytes() {
        return bytes;
    }

    /** Elements of the message, as its sender counted them. */
    public long count() {
        return bytes / type.bytes();
    }

    /** How many of a datatype the message is; -1 if it ends within one. */
    public long count(Datatype of) {
        if (bytes == 0 || of.size() == 0) {
            return bytes == 0 ? 0 : -1;
        }
        return bytes % of.size() == 0 ? bytes / of.size() : -1;
    }

    /** How many elements of primitive types the message is, counted along a datatype; -1 if it ends within one. */
    public long elements(Datatype of) {
        if (bytes == 0 || of.size() == 0) {
            return bytes == 0 ? 0 : -1;
        }
        long rest = of.elementTypes().elementsIn(bytes % of.size());
        return rest < 0 ? -1 : bytes / of.size() * of.elements() + rest;
    }

    /** Name of the sender's element type: {@code double}, {@code raw memory}, {@code object} … */
    public String type() {
        return type.toString();
    }

    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public String toString() {
        return cancelled
                ? "cancelled"
                : "source " + source + ", tag " + tag + ", " + count() + " × " + type + " (" + bytes + " bytes)";
    }
}
