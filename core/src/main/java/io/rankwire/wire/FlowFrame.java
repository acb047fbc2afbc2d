package io.rankwire.wire;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Frames of the flow layer, which carry the frames of devices over a fabric that promises nothing. Their meta is the
 * kind; the upper half of the header word is the sum over all of the frame, the lower half the sequence number.
 *
 * <pre>
 *   0  STREAM   sender's incarnation | number of its stream
 *   8  ACKED    receiver's incarnation | its stream that is acknowledged or asked about; 0 if none is
 *  16  ANSWER   next sequence number wanted, or a token | meta of the carried frame (16) | flags (16)
 *  24  SACK     bit i: sequence number wanted + 1 + i is here; in ACK, more words of it may follow
 *  32  HEADER   header word of the carried frame; it and what follows are in DATA only
 *  40  payload of the carried frame
 * </pre>
 */
public final class FlowFrame {
    /** Carries a frame, and an acknowledgement if ACKED names a stream. */
    public static final int DATA = 64;
    /** Acknowledges, and no more. */
    public static final int ACK = 65;
    /** The stream in ACKED is not known here: is it alive? ANSWER: a token. */
    public static final int ASK = 66;
    /** It is. ANSWER: the token of the question. */
    public static final int CONFIRM = 67;
    /** Nothing more comes on STREAM, and all of it was acknowledged. */
    public static final int CLOSE = 68;
    /** The stream in ACKED is forgotten. */
    public static final int CLOSED = 69;

    public static final int STREAM = 0;
    public static final int ACKED = 8;
    public static final int ANSWER = 16;
    public static final int SACK = 24;
    public static final int HEADER = 32;

    /** Most words, from SACK on, that report which frames have come. */
    public static final int MOST_REPORT_WORDS = 16;

    /** Bytes of a frame that carries none. */
    public static final int CONTROL_BYTES = 32;
    /** Bytes before the payload of the carried frame. */
    public static final int LEAD = 40;

    /** A flag: the receiver has no room for what came; nothing is lost, but the sender must wait. */
    public static final int NOT_READY = 1;
    private static final int MOST_CREDIT = (1 << 15) - 1;

    private FlowFrame() {}

    public static long answer(int wanted, int meta, int flags) {
        return (long) wanted << 32 | (meta & 0xFFFFL) << 16 | flags;
    }

    public static int wanted(long answer) {
        return (int) (answer >>> 32);
    }

    public static int carriedMeta(long answer) {
        return (int) answer >>> 16;
    }

    public static int flags(long answer) {
        return (int) answer & 0xFFFF;
    }

    public static boolean isWhole(int kind, int bytes) {
        if (kind == ACK) {
            return bytes >= CONTROL_BYTES && bytes < SACK + 8 * MOST_REPORT_WORDS + 8 && (bytes & 7) == 0;
        }
        return kind == DATA ? bytes >= LEAD : kind > DATA && kind <= CLOSED && bytes == CONTROL_BYTES;
    }

    /** The words, from SACK on, that report which frames have come. */
    public static int reportWords(int kind, int bytes) {
        return kind == ACK ? bytes - SACK >>> 3 : 1;
    }

    /** Flags that let the receiver have this many frames under way. */
    public static int creditFlags(int frames) {
        return Math.min(frames, MOST_CREDIT) << 1;
    }

    /** The frames that the receiver of these flags may have under way; 0 if they say nothing about it. */
    public static int credit(int flags) {
        return flags >>> 1;
    }

    /** The checksum of a frame, a CRC-32C: its sender and receiver, its kind, number and length, and every byte. */
    public static int sum(int from, int to, int kind, int sequence, MemorySegment memory, long at, int bytes) {
        int sum = Crc32c.word(Crc32c.BEGIN, Frame.header(from, to));
        sum = Crc32c.word(sum, Frame.header(kind, sequence));
        sum = Crc32c.word(sum, bytes);
        int words = bytes & -8;
        for (int i = 0; i < words; i += 8) {
            sum = Crc32c.word(sum, Words.loadUnaligned(memory, at + i));
        }
        for (int i = words; i < bytes; i++) {
            sum = Crc32c.next(sum, memory.get(Words.BYTE, at + i));
        }
        return ~sum;
    }
}
