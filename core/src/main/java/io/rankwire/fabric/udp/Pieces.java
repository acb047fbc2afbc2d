package io.rankwire.fabric.udp;

import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Puts a datagram together whose pieces came one by one. Only the newest is kept: of one that lacks a piece the rest is
 * lost too, as if the whole had been.
 *
 * <pre>
 *   0  number of the datagram (32) | bytes of all its pieces (16) | place of this one among them (16)
 *   8  bytes
 * </pre>
 */
final class Pieces {
    /** Datagrams of this many bytes pass on every path; longer ones may not. */
    static final int SAFE = 1_200;
    /** Bytes of a piece before its part of the whole. */
    static final int LEAD = 8;
    /** Bytes of the whole in a piece. */
    static final int PART = SAFE - Seal.BESIDE - LEAD;

    final MemorySegment whole;
    private int number;
    private int bytes;
    private long missing;

    Pieces(int most) {
        whole = Arena.ofAuto().allocate(most, 64);
    }

    static long word(int number, int bytes, int place) {
        return (long) number << 32 | (long) bytes << 16 | place;
    }

    /**
     * Adds a piece; returns the bytes of the whole if it was the last one missing, else 0.
     *
     * @param length bytes at {@code at}, those of the piece behind its head
     */
    int add(MemorySegment memory, long at, int length) {
        if (length < LEAD) {
            return 0;
        }
        long word = Words.loadUnaligned(memory, at);
        int total = (int) word >>> 16;
        int place = (int) word & 0xFFFF;
        int count = (total + PART - 1) / PART;
        int part = Math.min(PART, total - place * PART);
        if (total > whole.byteSize() || count > Long.SIZE || place >= count || part != length - LEAD) {
            return 0;
        }
        if ((int) (word >>> 32) != number || total != bytes) {
            number = (int) (word >>> 32);
            bytes = total;
            missing = -1L >>> Long.SIZE - count;
        }
        if ((missing >>> place & 1) == 0) {
            return 0;
        }
        MemorySegment.copy(memory, at + LEAD, whole, (long) place * PART, part);
        missing &= ~(1L << place);
        return missing == 0 ? total : 0;
    }
}
