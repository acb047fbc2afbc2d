package io.rankwire.device.transfer;

import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.device.Violation;
import io.rankwire.trace.TransferTrace;
import java.util.Map;
import java.util.TreeMap;

/** How much of one large message a receive has. An operation makes it once and uses it again. */
public final class ReceiveTransfer {
    private static final int MOST_AHEAD = 1_024;

    /** The sender's id of the message. */
    int sendId;
    /** Bytes that were asked for. */
    long wanted;
    /** What has come: the bytes before the one, and those from the other on. */
    private long front;
    private long back;
    /**
     * Where parts that have come ahead of others begin, by their ends. Parts overtake each other where the content of a
     * message takes several ways. Null if none has done so yet.
     */
    private TreeMap<Long, Long> ahead;
    /** Whether the sender may send parts, and write into the buffer. */
    private boolean open;
    private boolean writable;
    /** Whether the network reads the message, and may still write into the buffer. */
    private boolean isRead;
    /** Null unless a recording may want its event. */
    private TransferTrace trace;

    void begin(int ofSend, long bytes) {
        sendId = ofSend;
        wanted = bytes;
        front = 0;
        back = bytes;
        open = false;
        isRead = false;
        trace = TransferTrace.begin();
        if (ahead != null) {
            ahead.clear();
        }
    }

    /** The receive is over; its event, if it has one, is written. */
    void traceEnd(Peer peer, Operation receive, String way) {
        if (trace != null) {
            trace.end(peer.counts().rank, peer.rank(), false, receive.matchedTag(), wanted, way, 0);
            trace = null;
        }
    }

    /** The way of a message that the receiver does not copy from its sender's memory. */
    String way() {
        return writable ? "mapped memory" : "frames";
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

    /** The receive counter: bytes that have come from neither end. */
    public long left() {
        long left = back - front;
        if (ahead != null) {
            for (Map.Entry<Long, Long> part : ahead.entrySet()) {
                left -= part.getKey() - part.getValue();
            }
        }
        return left;
    }

    boolean isComplete() {
        return front == back && !isRead;
    }

    /** Notes whether the network reads the message: what comes early does not end it then. */
    void reading(boolean now) {
        isRead = now;
    }

    /** Whether the network may still write into the buffer, so that the receive cannot end. */
    public boolean isBeingRead() {
        return isRead;
    }

    /** Bytes that have come from the front. */
    long front() {
        return front;
    }

    /** Whether a part is the next one that the sender sends from the back: each ends where the one before began. */
    boolean isNext(long at, int bytes) {
        return bytes > 0 && at == back - bytes && at >= front && at % Span.GRAIN == 0
                && (ahead == null || ahead.isEmpty() || ahead.lastKey() <= at);
    }

    void moveBack(long at, int bytes) {
        if (!isNext(at, bytes)) {
            keepAhead(at, bytes);
            return;
        }
        back = at;
        while (ahead != null && ahead.containsKey(back)) {
            back = ahead.remove(back);
        }
    }

    /** Notes a part that has overtaken another one; no byte may come twice. */
    private void keepAhead(long at, int bytes) {
        if (ahead == null) {
            ahead = new TreeMap<>();
        }
        Map.Entry<Long, Long> behind = ahead.higherEntry(at);
        if (bytes <= 0 || at < front || at % Span.GRAIN != 0 || at >= back - bytes
                || behind != null && behind.getValue() < at + bytes || ahead.size() == MOST_AHEAD) {
            throw new Violation(bytes + " bytes at " + at + ", where those before " + back
                    + " are next, and those up to " + front + " are here");
        }
        ahead.put(at + bytes, at);
    }

    /** Where the bytes end that are missing at the front. */
    private long gapEnd() {
        return ahead == null || ahead.isEmpty() ? back : ahead.firstEntry().getValue();
    }

    /** Counts bytes from the front; those that are not wanted do not count. Returns how many do. */
    int moveFront(long at, int bytes) {
        int fits = Math.clamp(wanted - at, 0, bytes);
        if (fits > 0 && (at != front || fits > gapEnd() - front)) {
            throw new Violation(bytes + " bytes at " + at + ", where those from " + front + " to " + back
                    + " are missing");
        }
        front += fits;
        return fits;
    }

    /** The sender has written all that was missing. */
    void written(long bytes) {
        if (!writable || bytes != gapEnd() - front || gapEnd() != back) {
            throw new Violation(bytes + " bytes written, where " + (writable ? back - front : 0) + " were missing");
        }
        front = back;
    }
}
