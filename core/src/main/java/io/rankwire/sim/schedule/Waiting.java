package io.rankwire.sim.schedule;

import java.util.Arrays;

/**
 * Receives without a message and messages without a receive, in lines by rank. A line is a ring of records of which the
 * last is known; records are used again.
 */
final class Waiting {
    // A record is half a cache line: what happens to it happens to all of it.
    private static final int WORDS = 4;
    private static final int NEXT = 0;
    /** The peer above, what it is below. */
    private static final int PEER = 1;
    private static final int BYTES = 2;

    private final int[] last;
    private long[] words = new long[64 * WORDS];
    private int made;
    private int[] free = new int[64];
    private int freeCount;

    Waiting(int lines) {
        last = new int[lines];
        Arrays.fill(last, -1);
    }

    void add(int line, int from, int id, long size) {
        int record = freeCount > 0 ? free[--freeCount] : make();
        words[record + PEER] = (long) from << 32 | id & 0xFFFFFFFFL;
        words[record + BYTES] = size;
        int end = last[line];
        if (end < 0) {
            words[record + NEXT] = record;
        } else {
            words[record + NEXT] = words[end + NEXT];
            words[end + NEXT] = record;
        }
        last[line] = record;
    }

    /** Takes the first of a peer out of a line; its record is valid until the next is added. Or -1. */
    int take(int line, int from) {
        int end = last[line];
        if (end < 0) {
            return -1;
        }
        int before = end;
        do {
            int record = (int) words[before + NEXT];
            if ((int) (words[record + PEER] >>> 32) == from) {
                words[before + NEXT] = words[record + NEXT];
                if (record == end) {
                    last[line] = before == record ? -1 : before;
                }
                if (freeCount == free.length) {
                    free = Arrays.copyOf(free, 2 * freeCount);
                }
                free[freeCount++] = record;
                return record;
            }
            before = record;
        } while (before != end);
        return -1;
    }

    /** Reads what a search of the line will read first. */
    long touch(int line) {
        int end = last[line];
        return end < 0 ? end : words[end];
    }

    int what(int record) {
        return (int) words[record + PEER];
    }

    long bytes(int record) {
        return words[record + BYTES];
    }

    private int make() {
        if (made == words.length) {
            words = Arrays.copyOf(words, Math.multiplyExact(2, made));
        }
        int record = made;
        made += WORDS;
        return record;
    }
}
