package io.rankwire.device.work;

/**
 * A work entry: four words in a ring.
 *
 * <pre>
 *   0   opcode 8 | combination 8 | element type 8 | counter 16 | peer or queue 24
 *   1   place (buffer 16, byte offset 48): source of a send, target of all others
 *   2   place of the operand; value of a wait; index of an enable; receiver of a pipe; counter that a send names;
 *       how often a confirmed send may be repeated; queue of a datagram; place of the word with the peer
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
    /** As SEND and RECEIVE; in front of the message goes the number of the receiver's counter that it advances. */
    static final int SEND_NAMING = 11;
    static final int RECEIVE_NAMED = 12;
    /** Waits for a counter of another program, and for ends in a completion table; the peer is their number. */
    static final int WAIT_OTHER = 13;
    static final int WAIT_COMPLETIONS = 14;
    /** Accesses to memory of a peer; the peer is the number of the {@link Access}. */
    static final int PUT = 15;
    static final int GET = 16;
    static final int ACCUMULATE = 17;
    static final int FETCH = 18;
    static final int COMPARE_AND_SWAP = 19;
    static final int DATAGRAM = 20;
    /** As SEND and RECEIVE; the peer stands in memory. The combination is the bytes of the word. */
    static final int SEND_TO = 21;
    static final int RECEIVE_FROM = 22;
    /** A call on the combining tree, which holds the queue: the target is for its result, the operand its part. */
    static final int TREE = 23;

    /** Index of an enable: one entry more. */
    static final long ONE_MORE = -1;
    /** Peer of a pipe that begins or ends in memory. */
    static final int NO_PEER = 0xFF_FFFF;
    /** Set in the combination of a pipe: each chunk has a place of its own. */
    static final int KEEPS = 128;

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
