package io.rankwire.type;

/**
 * In the place of a buffer: a receive that makes room when it meets its message. Its operation asks for {@link #NONE}
 * bytes, so that no message fits, and the room is made where messages that do not fit are looked at anyway.
 */
public final class Growing {
    /** Fewer than the shortest message has. */
    public static final long NONE = -1;

    private static final long MOST = Integer.MAX_VALUE - 8;

    private byte[] bytes;

    /** Room for {@code count} bytes; null if an array cannot hold as many. */
    public byte[] make(long count) {
        bytes = count > MOST ? null : new byte[(int) count];
        return bytes;
    }

    /** What was received; null before. */
    public byte[] bytes() {
        return bytes;
    }
}
