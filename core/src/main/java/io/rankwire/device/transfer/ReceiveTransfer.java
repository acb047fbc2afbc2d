package io.rankwire.device.transfer;

import io.rankwire.device.Violation;

/** How much of one large message a receive has. An operation makes it once and uses it again. */
public final class ReceiveTransfer {
    /** The sender's id of the message. */
    int sendId;
    /** Bytes that were asked for. */
    long wanted;
    /** What has come: the bytes before the one, and those from the other on. */
    private long front;
    private long back;
    /** Whether the sender may send parts, and write into the buffer. */
    private boolean open;
    private boolean writable;

    void begin(int ofSend, long bytes) {
        sendId = ofSend;
        wanted = bytes;
        front = 0;
        back = bytes;
        open = false;
    }

    /** The sender gets its answer: the name of the receive, and whether it may write into its buffer. */
    void answer(boolean mayWrite) {
        open = true;
        writable = mayWrite;
    }

    /** The message is over: what still comes of it is not for this receive. */
    void close() {
        open = false;
    }

    /** Whether the sender knows the receive, and has not sent all. */
    public boolean isOpen() {
        return open;
    }

    boolean isComplete() {
        return front == back;
    }

    /** Whether a part is the next one that the sender sends from the back: each ends where the one before began. */
    boolean isNext(long at, int bytes) {
        return bytes > 0 && at == back - bytes && at >= front && at % Span.GRAIN == 0;
    }

    void moveBack(long at, int bytes) {
        if (!isNext(at, bytes)) {
            throw new Violation(bytes + " bytes at " + at + ", where those before " + back
                    + " are next, and those up to " + front + " are here");
        }
        back = at;
    }

    /** Counts bytes from the front; those that are not wanted do not count. Returns how many do. */
    int moveFront(long at, int bytes) {
        int fits = Math.clamp(wanted - at, 0, bytes);
        if (fits > 0 && (at != front || fits > back - front)) {
            throw new Violation(bytes + " bytes at " + at + ", where those from " + front + " to " + back
                    + " are missing");
        }
        front += fits;
        return fits;
    }

    /** The sender has written all that was missing. */
    void written(long bytes) {
        if (!writable || bytes != back - front) {
            throw new Violation(bytes + " bytes written, where " + (writable ? back - front : 0) + " were missing");
        }
        front = back;
    }
}
