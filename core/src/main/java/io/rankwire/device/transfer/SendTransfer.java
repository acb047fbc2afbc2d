package io.rankwire.device.transfer;

import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.trace.TransferTrace;
import io.rankwire.wire.Frame;

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
    /** The last frame whose bytes the port reads from the buffer, as the port numbers them; 0 if there is none. */
    long loan;
    /** The receiver's peer, while software has to make the next put; or null. */
    Peer awaitsPut;
    /** Announced, and known to have found no receive. */
    boolean pending;
    /** Bytes that were pushed ahead of the answer. */
    long earlyBytes;

    /** How the receiver can reach the message where it lies: a flag of its announcement, or 0. */
    int way;
    /** Null unless a recording may want its event. */
    TransferTrace trace;

    /** Whether it is a synchronous message that went whole, and only waits for its acknowledgement. */
    public boolean whole;
    /** Whether the receiver knows of the message, and the receiver's answer ends the send. */
    public boolean announced;
    /** Whether the receiver was asked to forget the message, and has not answered. */
    public boolean cancelling;
    /** Whether the message was announced ahead of its turn, and not answered. */
    public boolean offered;
    /** Whether the message was offered as the first of its context. */
    public boolean foremost;

    /** Made by its operation. */
    public SendTransfer(Operation operation) {
        this.operation = operation;
        early = Descriptor.memoryFifo(this, span);
        put = Descriptor.directPut(this, span);
    }

    /** The send is over; its event, if it has one, is written. */
    void traceEnd(Peer peer) {
        boolean put = answer == Answer.PUT || answer == Answer.OVER && way == Frame.FLAG_PLACE;
        String alone = way == Frame.FLAG_REMOTE ? "remote memory" : "process memory";
        trace.end(peer.counts().rank, peer.rank(), true, operation.tag(), operation.bytes(),
                put ? "mapped memory" : answer == Answer.OVER && way != 0 ? alone : "frames", earlyBytes);
        trace = null;
    }

    /** Whether the port reads bytes of the send from the buffer. */
    public boolean isLent() {
        return loan != 0;
    }

    /** The send counter: bytes that neither end of the span has moved. A direct copy counts as one part. */
    public long left() {
        return answer == Answer.PUT ? wanted : span.left();
    }

    /** Forgets the send before, whose operation is used again. */
    public void reset() {
        answer = Answer.NONE;
        loan = 0;
        pending = false;
        whole = false;
        announced = false;
        cancelling = false;
        offered = false;
        foremost = false;
    }
}
