package io.rankwire.wire;

/**
 * The frames devices exchange. A frame is 16 bits of meta, one header word, and a payload; docs/WIRE.md lists them byte
 * by byte. Kind numbers are never reused.
 *
 * <pre>
 *  meta    15 ........ 8 | 7 ........ 0
 *          element type  | kind
 *  header  63 ....... 32 | 31 ....... 0
 *          context / id  | tag / id
 * </pre>
 */
public final class Frame {
    /** Whole message. Header: context, tag. Payload: the message. */
    public static final int EAGER = 1;
    /** Whole message of a synchronous send. Payload: send id (8), the message. Answered with ACK when matched. */
    public static final int EAGER_SYNC = 2;
    /**
     * Announces a message that the sender holds. Header: context, tag. Payload: send id (8), bytes (8), flags (8), and
     * the message's place: allocation (8), offset in it or address (8), claims (8).
     */
    public static final int REQUEST_TO_SEND = 3;
    /** The announced message has met its receive. Header: send id, receive id. */
    public static final int CLEAR_TO_SEND = 4;
    /** Part of a message. Header: receive id. Payload: offset (8), bytes. */
    public static final int DATA = 5;
    /** A synchronous send was matched. Header: send id. */
    public static final int ACK = 6;
    /** The receiver takes nothing of the announced message. Header: send id, status. */
    public static final int REFUSE = 7;
    /** Header: the units a sender may have used up by now, counted from the start. */
    public static final int CREDIT = 8;
    /** Withdraw an announced message. Header: context, tag. Payload: send id (8). */
    public static final int CANCEL = 9;
    /** Answer to CANCEL. Header: send id, 1 if withdrawn or 0 if too late. */
    public static final int CANCELLED = 10;
    /** Datagram. Header: target queue, doorbell. Payload: source queue (8), bytes. */
    public static final int DATAGRAM = 11;
    /** Answer to DATAGRAM. Header: doorbell, status. */
    public static final int DATAGRAM_STATUS = 12;
    /** The sender has no credit left for whole messages. Answered with CREDIT, more or the same. */
    public static final int CREDIT_REQUEST = 13;

    /** Part of an announced message, ahead of any answer. Header: send id. Payload: offset (8), bytes. */
    public static final int EARLY = 14;
    /** The announced message has no receive yet; what was pushed early is kept. Header: send id. */
    public static final int PENDING = 15;
    /** As CLEAR_TO_SEND, for a message that had to wait for its receive. Header: send id, receive id. */
    public static final int REMOTE_GET = 16;

    /** As CLEAR_TO_SEND, and both sides copy: the receiver from the back, the sender from the front. */
    public static final int SHARE = 17;
    /** As CLEAR_TO_SEND, and the sender puts the message into the receiver's memory itself. */
    public static final int PUT_TO = 18;
    /** The put is over. Header: receive id. Payload: bytes (8). */
    public static final int PUT_DONE = 19;
    /** The receiver has taken the message from where it lay. Header: send id. */
    public static final int FINISH = 20;

    /** A flag of REQUEST_TO_SEND: parts come ahead of the answer. */
    public static final int FLAG_EARLY = 1;
    /** A flag of REQUEST_TO_SEND: the message lies in memory that the receiver can map. */
    public static final int FLAG_PLACE = 2;
    /** A flag of REQUEST_TO_SEND: the message lies at an address of the sender's process. */
    public static final int FLAG_ADDRESS = 4;

    private Frame() {}

    /** Words in the payload of a control frame. */
    public static int controlWords(int kind) {
        return switch (kind) {
            case CLEAR_TO_SEND, REMOTE_GET, CANCEL, PUT_DONE -> 1;
            case SHARE, PUT_TO -> 3;
            default -> 0;
        };
    }

    public static int meta(int kind, int elementType) {
        return elementType << 8 | kind;
    }

    public static int kind(int meta) {
        return meta & 0xFF;
    }

    public static int elementType(int meta) {
        return meta >>> 8;
    }

    public static long header(int high, int low) {
        return (long) high << 32 | low & 0xFFFF_FFFFL;
    }

    public static int high(long header) {
        return (int) (header >>> 32);
    }

    public static int low(long header) {
        return (int) header;
    }
}
