package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Secret;
import java.nio.ByteBuffer;

/**
 * A message of the library as a port sends it: a head, and records behind each other. The head is a token (8 bytes),
 * the sender's rank (4), the world (4), the number of the message among those to its receiver (4), and how many
 * messages of the receiver the sender has taken (4). A record begins with a word: bits 15..0 the meta of a frame, bits
 * 47..16 the bytes of its payload. The header (8), the payload and up to 7 bytes of filling follow. With meta 0 the
 * record is one of the port itself, and its header is the kind.
 */
final class Message {
    static final int HEAD = 24;
    static final int TOKEN = 0;
    static final int RANK = 8;
    static final int WORLD = 12;
    static final int NUMBER = 16;
    static final int TAKEN = 20;
    /** Set in the world of a message that the provider sends by itself: it has no number and acknowledges nothing. */
    static final int TRIGGERED = 1 << 31;
    /** The word and the header of a record. */
    static final int RECORD = 16;
    static final int HEADER = 8;

    /**
     * A part of a large message with what the device puts before it. Providers over TCP send a message and their head,
     * 16 bytes, in segments of up to 65,483 bytes inside a host: it fills four, and no short one is left over.
     */
    static final int MOST_PAYLOAD = (4 * 65_483 & ~63) - 64;
    static final int MOST_BYTES = HEAD + RECORD + MOST_PAYLOAD;

    /** Records of the port: nothing but that an answer is wanted. */
    static final long PING = 0;
    /** The sender has closed its world. */
    static final long GOODBYE = 1;
    /** Where is an allocation? Its id. */
    static final long ASK = 2;
    /** There: its id, its base, its key, its bytes, which are -1 if there is none. */
    static final long ANSWER = 3;
    /** An allocation is about to end: its id. */
    static final long ENDING = 4;
    /** It is not accessed any more: its id. */
    static final long RELEASED = 5;

    private static final int LENGTH = 16;

    private Message() {}

    /** Bytes of a record. */
    static int size(int payloadBytes) {
        return RECORD + (payloadBytes + 7 & ~7);
    }

    static long word(int payloadBytes, int meta) {
        return (long) payloadBytes << LENGTH | meta;
    }

    static int meta(long word) {
        return (int) word & 0xFFFF;
    }

    /** The bytes of the payload; not in their range if the word is damaged. */
    static long length(long word) {
        return word >>> LENGTH;
    }

    /** What messages of one rank to another carry: no process can know it that has not the secret of the job. */
    static long token(Secret secret, int world, int from, int to) {
        byte[] which = ByteBuffer.allocate(3 * Integer.BYTES).putInt(world).putInt(from).putInt(to).array();
        return ByteBuffer.wrap(secret.proof("rankwire ofi: token of messages", which)).getLong();
    }
}
