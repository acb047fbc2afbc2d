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
    /** Part of a message. Header: receive id. Payload: offset (8), unused up to {@link #DATA_LEAD}, bytes. */
    public static final int DATA = 5;
    /** A synchronous send was matched. Header: send id. */
    public static final int ACK = 6;
    /** The receiver takes nothing of the announced message. Header: send id, status. Payload: room there (8). */
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

    /** The sender keeps messages for want of credit. Header: the units it may have used up, as in CREDIT. */
    public static final int HOLDING = 24;
    /** A receive or a probe looks for a message that the sender may keep. Header: context, tag or -1 for any. */
    public static final int WANT = 25;
    /** As REQUEST_TO_SEND, of a message that the sender keeps and that was wanted; it takes no credit. */
    public static final int OFFER = 26;
    /** By now no other message of its context is kept before the offered one. Header: send id. */
    public static final int FOREMOST = 27;
    /** The offered message is not taken and goes when its turn comes. Header: send id. */
    public static final int DECLINE = 28;
    /** The sender has closed the memory of an announced message: no more of it comes. Header: receive id. */
    public static final int MESSAGE_ENDED = 30;

    /**
     * The receiver has refused a message whose send is over. Header: context, tag. Payload: status (8), bytes of the
     * message (8), room there (8).
     */
    public static final int NOT_TAKEN = 48;
    /** As EAGER, of a ready send: refused with NOT_TAKEN if it meets no receive. */
    public static final int READY = 49;
    /**
     * A message that may be refused, where the device is made so. Header: context, tag. Payload: number of the message
     * and, in the lowest eight bits, its kind (8); then as that kind.
     */
    public static final int TRY = 50;
    /** Messages before this one were accepted. Header: its number. */
    public static final int ACCEPTED = 51;
    /** No room for a message; those behind it are dropped until it comes again. Header: its number. */
    public static final int NOT_READY = 52;

    /** Messages of a context to this rank may carry tags for the network's matcher. Header: context, channel. */
    public static final int TAG_INVITE = 53;
    /** From now on the messages of a channel carry tags. Header: channel. */
    public static final int TAG_BEGIN = 54;
    /**
     * No more messages of a channel with tags. Header: channel, 1 if for good or 0. Payload: how many there were (8),
     * or -1 if the sender does not know the channel.
     */
    public static final int TAG_END = 55;
    /** All messages of an ended channel were taken out of the network. Header: channel, 1 if for good or 0. */
    public static final int TAG_ENDED = 56;
    /** The receiver wants the messages of a channel without tags. Header: channel. Answered with TAG_END. */
    public static final int TAG_STOP = 57;
    /** Header: the messages with tags of this sender that have come, counted from the start. */
    public static final int TAG_TAKEN = 58;

    /**
     * In place of a whole message that its sender has withdrawn. Header: as that of the message. Payload: bytes that
     * mean nothing, as many as the message had.
     */
    public static final int WITHDRAWN = 59;

    /**
     * The votes of a rank and those behind it in a call of agree. Header: context, ballot. Payload: use of the context
     * and number of the call (8), the ballot of the last proposal that was accepted or -1 (8), that or the combined
     * votes (48).
     */
    public static final int AGREE_VOTE = 60;
    /** A proposal. Header: context, ballot. Payload: use and number (8), the value (48). */
    public static final int AGREE_PREPARE = 61;
    /** A rank and those behind it have accepted a proposal. Header: context, ballot. Payload: use and number (8). */
    public static final int AGREE_ACK = 62;
    /** The decision. Header: context, 0. Payload: use and number (8), the value (48). */
    public static final int AGREE_COMMIT = 63;
    // 64 to 69 are those of FlowFrame

    /** A group is revoked. Header: context, use of the context. */
    public static final int REVOKE = 70;

    /** Bytes of the payload of DATA and EARLY before the part of the message, which so begins on a line of its own. */
    public static final int DATA_LEAD = 48;

    /** A flag of REQUEST_TO_SEND: parts come ahead of the answer. */
    public static final int FLAG_EARLY = 1;
    /** A flag of REQUEST_TO_SEND: the message lies in memory that the receiver can map. */
    public static final int FLAG_PLACE = 2;
    /** A flag of REQUEST_TO_SEND: the message lies at an address of the sender's process. */
    public static final int FLAG_ADDRESS = 4;
    /** A flag of OFFER: no other message of its context is kept before it. */
    public static final int FLAG_FOREMOST = 8;
    /** A flag of REQUEST_TO_SEND: of a ready send, refused if it meets no receive. */
    public static final int FLAG_READY = 16;
    /** A flag of REQUEST_TO_SEND: the message lies in memory that the receiver's network may read. */
    public static final int FLAG_REMOTE = 32;

    /** The element type of a PUT that its sender has withdrawn: there is no such type, so the PUT is refused. */
    public static final int NO_TYPE = 255;

    /** From here on frames belong to one-sided access; their header is region key and channel unless stated. */
    public static final int FIRST_ONE_SIDED = 32;
    /** Bytes to write. Payload: offset (8) and bytes (8) of the whole access, position (8), the bytes from there. */
    public static final int PUT = 32;
    /** Header: region key, access. Payload: offset (8), bytes (8). */
    public static final int GET = 33;
    /** Header: access, 0. Payload: position (8), bytes. */
    public static final int GET_REPLY = 34;
    /** As PUT, with the operation in the upper 16 bits of the position. */
    public static final int ACCUMULATE = 35;
    /** As ACCUMULATE, with an access instead of the channel; answered with the bytes that were there. */
    public static final int FETCH = 36;
    /** Header: access, 0. Payload: position (8), the bytes that were there. */
    public static final int ATOMIC_REPLY = 37;
    /** Header: region key, access. Payload: offset (8), element expected (8), new element (8). */
    public static final int COMPARE_AND_SWAP = 38;
    /** Payload: 1 exclusive or 0 shared (8). */
    public static final int LOCK = 39;
    /** Header: channel, 0. */
    public static final int LOCK_GRANTED = 40;
    /** Payload as LOCK. */
    public static final int UNLOCK = 41;
    /** Answered when all that was sent before on the way to this rank is done. */
    public static final int FLUSH = 42;
    /** Header: channel, 0. */
    public static final int FLUSHED = 43;
    /** Nothing was touched. Header: access, or the complement of a channel; status. Payload: offset, bytes (16). */
    public static final int ACCESS_REFUSED = 44;

    private Frame() {}

    /** Words in the payload of a control frame. */
    public static int controlWords(int kind) {
        return switch (kind) {
            case CLEAR_TO_SEND, REMOTE_GET, CANCEL, PUT_DONE, REFUSE, TAG_END -> 1;
            case SHARE, PUT_TO, NOT_TAKEN -> 3;
            default -> 0;
        };
    }

    /** Bytes of the payload of a kind before what is not of fixed length; -1 if there is no such kind. */
    private static int leadBytes(int kind) {
        return switch (kind) {
            case EAGER, WITHDRAWN, READY, ACCEPTED, NOT_READY, ACK, CREDIT, CANCELLED, DATAGRAM_STATUS, CREDIT_REQUEST,
                    PENDING, FINISH, HOLDING, WANT, FOREMOST, DECLINE, MESSAGE_ENDED, LOCK_GRANTED, FLUSH, FLUSHED,
                    TAG_INVITE, TAG_BEGIN, TAG_ENDED, TAG_STOP, TAG_TAKEN, REVOKE -> 0;
            case EAGER_SYNC, TRY, CLEAR_TO_SEND, REMOTE_GET, REFUSE, CANCEL, PUT_DONE, DATAGRAM, GET_REPLY,
                    ATOMIC_REPLY, LOCK, UNLOCK, TAG_END, AGREE_ACK -> 8;
            case GET, ACCESS_REFUSED -> 16;
            case SHARE, PUT_TO, NOT_TAKEN, PUT, ACCUMULATE, FETCH, COMPARE_AND_SWAP -> 24;
            case REQUEST_TO_SEND, OFFER, DATA, EARLY -> DATA_LEAD;
            case AGREE_PREPARE, AGREE_COMMIT -> 56;
            case AGREE_VOTE -> 64;
            default -> -1;
        };
    }

    /** Whether bytes of any number follow those of fixed length. */
    private static boolean hasBytes(int kind) {
        return switch (kind) {
            case EAGER, WITHDRAWN, READY, TRY, EAGER_SYNC, DATA, EARLY, DATAGRAM, PUT, ACCUMULATE, FETCH,
                    GET_REPLY, ATOMIC_REPLY -> true;
            default -> false;
        };
    }

    /** What is wrong with the kind of a frame, or with the length of its payload; null if nothing is. */
    public static String wrong(int kind, int bytes) {
        int lead = leadBytes(kind);
        if (lead < 0) {
            return "there is no such kind";
        }
        if (bytes == lead || bytes > lead && hasBytes(kind)) {
            return null;
        }
        return "a payload of " + bytes + " bytes, where " + lead + (hasBytes(kind) ? " or more" : "") + " are expected";
    }

    /** The name of a kind. */
    public static String name(int kind) {
        return switch (kind) {
            case EAGER -> "EAGER";
            case EAGER_SYNC -> "EAGER_SYNC";
            case REQUEST_TO_SEND -> "REQUEST_TO_SEND";
            case CLEAR_TO_SEND -> "CLEAR_TO_SEND";
            case DATA -> "DATA";
            case ACK -> "ACK";
            case REFUSE -> "REFUSE";
            case CREDIT -> "CREDIT";
            case CANCEL -> "CANCEL";
            case CANCELLED -> "CANCELLED";
            case DATAGRAM -> "DATAGRAM";
            case DATAGRAM_STATUS -> "DATAGRAM_STATUS";
            case CREDIT_REQUEST -> "CREDIT_REQUEST";
            case EARLY -> "EARLY";
            case PENDING -> "PENDING";
            case REMOTE_GET -> "REMOTE_GET";
            case SHARE -> "SHARE";
            case PUT_TO -> "PUT_TO";
            case PUT_DONE -> "PUT_DONE";
            case FINISH -> "FINISH";
            case HOLDING -> "HOLDING";
            case WANT -> "WANT";
            case OFFER -> "OFFER";
            case FOREMOST -> "FOREMOST";
            case DECLINE -> "DECLINE";
            case MESSAGE_ENDED -> "MESSAGE_ENDED";
            case NOT_TAKEN -> "NOT_TAKEN";
            case READY -> "READY";
            case TRY -> "TRY";
            case ACCEPTED -> "ACCEPTED";
            case NOT_READY -> "NOT_READY";
            case TAG_INVITE -> "TAG_INVITE";
            case TAG_BEGIN -> "TAG_BEGIN";
            case TAG_END -> "TAG_END";
            case TAG_ENDED -> "TAG_ENDED";
            case TAG_STOP -> "TAG_STOP";
            case TAG_TAKEN -> "TAG_TAKEN";
            case WITHDRAWN -> "WITHDRAWN";
            case AGREE_VOTE -> "AGREE_VOTE";
            case AGREE_PREPARE -> "AGREE_PREPARE";
            case AGREE_ACK -> "AGREE_ACK";
            case AGREE_COMMIT -> "AGREE_COMMIT";
            case REVOKE -> "REVOKE";
            case PUT -> "PUT";
            case GET -> "GET";
            case GET_REPLY -> "GET_REPLY";
            case ACCUMULATE -> "ACCUMULATE";
            case FETCH -> "FETCH";
            case ATOMIC_REPLY -> "ATOMIC_REPLY";
            case COMPARE_AND_SWAP -> "COMPARE_AND_SWAP";
            case LOCK -> "LOCK";
            case LOCK_GRANTED -> "LOCK_GRANTED";
            case UNLOCK -> "UNLOCK";
            case FLUSH -> "FLUSH";
            case FLUSHED -> "FLUSHED";
            case ACCESS_REFUSED -> "ACCESS_REFUSED";
            default -> "kind " + kind;
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
