package io.rankwire.device;

/** How an operation ended. Negative codes are errors; the API turns them into exceptions. */
public final class Code {
    public static final int OK = 0;
    public static final int CANCELLED = 1;
    public static final int TRUNCATED = -1;
    public static final int TYPE_MISMATCH = -2;
    /** The receiver's policy refused the message because its buffer is too small. */
    public static final int REFUSED = -3;
    public static final int QUEUE_FULL = -4;
    public static final int UNKNOWN_QUEUE = -5;
    public static final int BAD_SIZE = -6;
    public static final int NO_DOORBELL = -7;
    public static final int NO_HEADERS = -9;
    /** No memory of this key can be reached there, or not any more. */
    public static final int UNKNOWN_REGION = -11;
    public static final int OUT_OF_BOUNDS = -12;
    /** The memory may be read but not written, or the other way around. */
    public static final int NO_RIGHT = -13;
    /** An access that begins or ends inside an element. */
    public static final int BROKEN_ELEMENT = -14;
    /** The peer is lost: it does not answer any more, or is a new process now. */
    public static final int PEER_DEAD = -15;
    /** The hardware has no way to do it. */
    public static final int NOT_OFFERED = -16;
    /** An operation of the program's own has thrown an exception, here or at a peer that needed its result. */
    public static final int OPERATION_THREW = -17;

    /** The memory of its buffer was closed while it was under way. */
    public static final int MEMORY_ENDED = -18;
    /** The sender has closed the memory of its message while that was under way. */
    public static final int MESSAGE_ENDED = -19;
    /** A message of a ready send came before its receive was posted. */
    public static final int NOT_POSTED = -20;
    /** The receiver had no room for a message as often as its sender tried. */
    public static final int NOT_READY = -21;
    /** The receive of a work program that a message met was not enabled: the message is discarded. */
    public static final int NOT_ENABLED = -22;
    /** A work program ended for a reason that it describes itself. */
    public static final int ENTRY_FAILED = -23;

    /** The context was revoked. */
    public static final int REVOKED = -24;

    private Code() {}
}
