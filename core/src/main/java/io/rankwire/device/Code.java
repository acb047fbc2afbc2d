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
    public static final int IN_USE = -8;
    public static final int NO_HEADERS = -9;
    public static final int NO_BUFFER = -10;

    private Code() {}
}
