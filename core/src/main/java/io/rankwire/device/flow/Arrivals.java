package io.rankwire.device.flow;

import io.rankwire.memory.Words;
import io.rankwire.wire.FlowFrame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Which frames behind the wanted one have come: bit 0 is the frame after that one. It has the words that it needs. */
final class Arrivals {
    private final long[] words = new long[FlowFrame.MOST_REPORT_WORDS];
    /** Words from here on are 0. */
    private int count;

    void clear() {
        Arrays.fill(words, 0, count, 0);
        count = 0;
    }

    void add(int bit) {
        int word = bit >>> 6;
        words[word] |= 1L << bit;
        count = Math.max(count, word + 1);
    }

    boolean has(int bit) {
        return bit >= 0 && bit < end() && (words[bit >>> 6] >>> bit & 1) != 0;
    }

    /** No bit from here on is set. */
    int end() {
        return count << 6;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The first word. */
    long first() {
        return words[0];
    }

    /** Words that a report of them takes, one at least. */
    int words() {
        return Math.max(1, count);
    }

    void load(MemorySegment memory, long at, int most) {
        clear();
        for (int i = 0; i < most; i++) {
            words[i] = Words.loadUnaligned(memory, at + 8L * i);
            count = words[i] == 0 ? count : i + 1;
        }
    }

    void store(MemorySegment memory, long at, int most) {
        for (int i = 0; i < most; i++) {
            Words.storeUnaligned(memory, at + 8L * i, words[i]);
        }
    }
}
