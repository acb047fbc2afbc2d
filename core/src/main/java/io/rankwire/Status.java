package io.rankwire;

import io.rankwire.runtime.Received;

/**
 * Source, tag and size of a message that was received or found.
 *
 * <pre>{@code
 * Status status = all.probe(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
 * double[] values = new double[(int) status.count()];
 * all.receive(values, status.source(), status.tag());
 * }</pre>
 */
public final class Status {
    private final Received received;

    private Status(Received received) {
        this.received = received;
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

    /**
     * The sender of the message.
     *
     * @return its rank in the communicator of the call; {@link Communicator#NONE} for sends and for no message
     */
    public int source() {
        return received.source();
    }

    /**
     * The tag of the message.
     *
     * @return the tag that the sender gave
     */
    public int tag() {
        return received.tag();
    }

    /**
     * The size of the message.
     *
     * @return in bytes
     */
    public long bytes() {
        return received.bytes();
    }

    /**
     * The number of elements of the message.
     *
     * @return as its sender counted them
     */
    public long count() {
        return received.bytes() / received.type().bytes();
    }

    /**
     * The number of datatypes that the message fills.
     *
     * @param of the datatype
     * @return -1 if the message ends within one
     */
    public long count(Datatype of) {
        long bytes = received.bytes();
        if (bytes == 0 || of.size() == 0) {
            return bytes == 0 ? 0 : -1;
        }
        return bytes % of.size() == 0 ? bytes / of.size() : -1;
    }

    /**
     * The number of elements of primitive types in the message, counted along a datatype.
     *
     * @param of the datatype
     * @return -1 if the message ends within an element
     */
    public long elements(Datatype of) {
        long bytes = received.bytes();
        if (bytes == 0 || of.size() == 0) {
            return bytes == 0 ? 0 : -1;
        }
        long rest = Datatype.layout(of).elementTypes().elementsIn(bytes % of.size());
        return rest < 0 ? -1 : bytes / of.size() * of.elements() + rest;
    }

    /**
     * The element type of the sender.
     *
     * @return {@code double}, {@code raw memory}, {@code object} …
     */
    public String type() {
        return received.type().toString();
    }

    /**
     * Whether the operation was cancelled before it met its counterpart.
     *
     * @return true after a successful {@link Request#cancel}
     */
    public boolean cancelled() {
        return received.cancelled();
    }

    @Override
    public String toString() {
        return cancelled() ? "cancelled"
                : "source " + source() + ", tag " + tag() + ", " + count() + " × " + type() + " (" + bytes()
                        + " bytes)";
    }
}
