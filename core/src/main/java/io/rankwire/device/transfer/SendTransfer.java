package io.rankwire.device.transfer;

import io.rankwire.device.Operation;

/**
 * The state of one send that does not end as soon as it is written: a synchronous send, or a large message with the
 * bytes that are left of it and the two descriptors that move them. An operation makes it once and uses it again.
 */
public final class SendTransfer {
    /** What the receiver of an announced message has answered. */
    enum Answer {
        NONE,
        /** The receiver wants the message in frames. */
        SEND,
        /** The receiver copies the message from the sender's memory. */
        TAKES,
        /** The receiver wants the message written into its memory. */
        PUT,
        /** The receiver has the message, or refuses it. */
        OVER
    }

    final Operation operation;
    final Span span = new Span();
    final Descriptor early;
    final Descriptor put;
    /** The claims offered to the receiver, see {@link DirectCopies}. */
    long claims = DirectCopies.NO_CLAIMS;

    Answer answer = Answer.NONE;
    /** Bytes that the receiver wants, and its id of the receive. */
    long wanted;
    int receiveId;
    /** Where the receiver wants the bytes, if the sender may write them there. */
    long place;
    long placeOffset;
    /** Announced, and known to have found no receive. */
    boolean pending;

    private boolean announced;
    private boolean cancelling;
    private boolean offered;
    private boolean foremost;

    /** Made by its operation. */
    public SendTransfer(Operation operation) {
        this.operation = operation;
        early = Descriptor.memoryFifo(this, span);
        put = Descriptor.directPut(this, span);
    }

    /** Forgets the send before, whose operation is used again. */
    public void reset() {
        answer = Answer.NONE;
        pending = false;
        announced = false;
        cancelling = false;
        offered = false;
        foremost = false;
    }

    /** Whether the receiver knows of the message and its answer ends the send. */
    public boolean isAnnounced() {
        return announced;
    }

    public void announced(boolean now) {
        announced = now;
    }

    /** Whether the receiver was asked to forget the message, and has not answered. */
    public boolean isCancelling() {
        return cancelling;
    }

    void cancelling(boolean now) {
        cancelling = now;
    }

    /** Whether the message was announced ahead of its turn, and not answered. */
    public boolean isOffered() {
        return offered;
    }

    public void offered(boolean now) {
        offered = now;
    }

    /** Whether the message was offered as the first of its context. */
    public boolean isForemost() {
        return foremost;
    }

    public void foremost(boolean now) {
        foremost = now;
    }
}
