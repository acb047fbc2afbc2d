package io.rankwire;

import io.rankwire.runtime.Received;
import io.rankwire.type.ElementType;

/** What came of a receive or a probe. */
public final class Status {
    private final int source;
    private final int tag;
    private final long bytes;
    private final ElementType type;
    private final boolean cancelled;

    private Status(Received received) {
        this.source = received.source();
        this.tag = received.tag();
        this.bytes = received.bytes();
        this.type = received.type();
        this.cancelled = received.cancelled();
    }

    /** The same status for the same value: most receives end like one before, and then allocate nothing. */
    static Status of(Received received) {
        Object known = received.view;
        if (known == null) {
            known = new Status(received);
            received.view = known;
        }
        return (Status) known;
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
        long rest = Datatype.layout(of).elementTypes().elementsIn(bytes % of.size());
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
