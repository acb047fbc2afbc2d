package io.rankwire.device.work;

/**
 * A work entry: four words in a ring.
 *
 * <pre>
 *   0   opcode 8 | combination 8 | element type 8 | counter 16 | peer or queue 24
 *   1   place (buffer 16, byte offset 48): source of a send, target of all others
 *   2   place of the operand; value of a wait; index of an enable; receiver of a pipe; counter that a send names
 *   3   bytes
 * </pre>
 */
final class Entry {
    static final int WORDS = 4;

    static final int SEND = 1;
    /** As SEND, over only when it was received; a receive that is disabled refuses it. */
    static final int SEND_CONFIRMED = 2;
    static final int RECEIVE = 3;
    static final int RECEIVE_COMBINE = 4;
    static final int WAIT = 5;
    static final int SEND_ENABLE = 6;
    static final int RECEIVE_ENABLE = 7;
    static final int CALC = 8;
    static final int COPY = 9;
    static final int PIPE = 10;
    /** As SEND and RECEIVE; the message begins with the number of the receiver's counter that it advances. */
    static final int SEND_NAMING = 11;
    static final int RECEIVE_NAMED = 12;
    /** A call on the combining tree, which holds the queue: the target is for its result, the operand its part. */
    static final int TREE = 13;

    /** Index of an enable: one entry more. */
    static final long ONE_MORE = -1;
    /** Bytes in front of a message that names a counter. */
    static final int NAME_BYTES = 8;

    static final int MOST_BUFFERS = 1 << 16;
    static final int MOST_COUNTERS = 1 << 16;
    static final int MOST_COMBINATIONS = 128;
    /** Set in the combination: the operand, or what comes, stands left. */
    static final int OPERAND_FIRST = 128;

    private Entry() {}

    static long head(int opcode, int combination, int type, int counter, int peer) {
        return (long) opcode << 56 | (long) combination << 48 | (long) type << 40 | (long) counter << 24
                | peer & 0xFF_FFFF;
    }

    static int opcode(long head) {
        return (int) (head >>> 56);
    }

    /** Of one message; a pipe has many. */
    static boolean isReceive(long head) {
        int opcode = opcode(head);
        return opcode == RECEIVE || opcode == RECEIVE_COMBINE || opcode == RECEIVE_NAMED;
    }

    static int combination(long head) {
        return (int) (head >>> 48) & 0xFF;
    }

    static int type(long head) {
        return (int) (head >>> 40) & 0xFF;
    }

    static int counter(long head) {
        return (int) (head >>> 24) & 0xFFFF;
    }

    static int peer(long head) {
        return (int) head & 0xFF_FFFF;
    }

    static long place(int buffer, long offset) {
        return (long) buffer << 48 | offset;
    }

    static int buffer(long place) {
        return (int) (place >>> 48);
    }

    static long offset(long place) {
        return place & 0xFFFF_FFFF_FFFFL;
    }
}
