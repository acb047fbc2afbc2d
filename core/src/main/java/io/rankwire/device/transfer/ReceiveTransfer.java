package io.rankwire.device.transfer;

/** How much of one large message a receive has. An operation makes it once and uses it again. */
public final class ReceiveTransfer {
    /** The sender's id of the message. */
    int sendId;
    /** Bytes that were asked for, and those that have come. */
    long wanted;
    long moved;

    void begin(int ofSend, long bytes) {
        sendId = ofSend;
        wanted = bytes;
        moved = 0;
    }

    boolean isComplete() {
        return moved == wanted;
    }
}
