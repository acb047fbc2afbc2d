package io.rankwire.fabric;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * One bit for each rank that may have sent something, under a summary with one bit for each word of them, so that a
 * look costs one load for up to 4,096 ranks. Any rank sets bits, only the owner clears.
 *
 * <pre>
 *    0  summary   bit w of word w / 64: word w below is not all zero (one word per 4096 ranks)
 *  ...  words     bit r of word r / 64: rank r has rung; starts on the next 128 bytes
 * </pre>
 */
final class Bells {
    private static final int LINE_PAIR = 128;

    private final MemorySegment memory;
    private final int ranks;
    private final int summaries;
    private final long words;

    Bells(MemorySegment memory, int ranks) {
        this.memory = memory;
        this.ranks = ranks;
        this.summaries = summaries(ranks);
        this.words = wordsAt(ranks);
    }

    static long bytes(int ranks) {
        return wordsAt(ranks) + align(Math.ceilDiv(ranks, 64) * 8L);
    }

    void ring(int rank) {
        int word = rank >>> 6;
        Words.or(memory, words + word * 8L, 1L << rank);
        Words.or(memory, (word >>> 6) * 8L, 1L << word);
    }

    boolean rung() {
        for (int s = 0; s < summaries; s++) {
            if (Words.acquire(memory, s * 8L) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Takes one rank off the set, or returns -1. Bits of no rank mean nothing. */
    int take() {
        for (int s = 0; s < summaries; s++) {
            long summary = Words.swap(memory, s * 8L, 0) & mask(Math.ceilDiv(ranks, 64) - (s << 6));
            if (summary == 0) {
                continue;
            }
            int word = (s << 6) + Long.numberOfTrailingZeros(summary);
            long bits = Words.swap(memory, words + word * 8L, 0) & mask(ranks - (word << 6));
            long lowest = Long.lowestOneBit(bits);
            if (bits != lowest) {
                Words.or(memory, words + word * 8L, bits ^ lowest);
            }
            long rest = bits != lowest ? summary : summary & summary - 1;
            if (rest != 0) {
                Words.or(memory, s * 8L, rest);
            }
            if (lowest != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(lowest);
            }
        }
        return -1;
    }

    /** The lowest bits, so many of 64. */
    private static long mask(int bits) {
        return bits >= 64 ? -1 : (1L << bits) - 1;
    }

    private static int summaries(int ranks) {
        return Math.ceilDiv(ranks, 64 * 64);
    }

    private static long wordsAt(int ranks) {
        return align(summaries(ranks) * 8L);
    }

    private static long align(long bytes) {
        return (bytes + LINE_PAIR - 1) / LINE_PAIR * LINE_PAIR;
    }
}
