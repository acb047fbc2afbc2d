package io.rankwire.sim.match;

import java.util.Arrays;

/** The lists of {@link CycleUnits}. */
final class CycleLists {
    static final int NONE = -1;

    final long[] words;
    final int[] ids;
    final int[] next;
    private final int[] previous;
    /** Number of the request that made the header. */
    private final long[] numbers;
    /** Headers of a queue, two lists, are placed on the banks in turn. */
    final long[] places;
    private final long[] counts;
    private final int[] firsts;
    private final int[] lasts;
    private final int[] lengths;
    private int free;

    CycleLists(int lists, int headers) {
        words = new long[headers];
        ids = new int[headers];
        next = new int[headers];
        previous = new int[headers];
        numbers = new long[headers];
        places = new long[headers];
        counts = new long[lists / 2];
        firsts = new int[lists];
        lasts = new int[lists];
        lengths = new int[lists];
        Arrays.fill(firsts, NONE);
        Arrays.fill(lasts, NONE);
        for (int header = 0; header < headers; header++) {
            next[header] = header + 1 < headers ? header + 1 : NONE;
        }
    }

    int first(int list) {
        return firsts[list];
    }

    int length(int list) {
        return lengths[list];
    }

    long number(int header) {
        return numbers[header];
    }

    /** The header, or {@link #NONE} if the store is full. */
    int append(int list, long word, int id, long number) {
        int header = free;
        if (header < 0) {
            return NONE;
        }
        free = next[header];
        words[header] = word;
        ids[header] = id;
        numbers[header] = number;
        places[header] = list / 2 + counts[list / 2]++;
        link(list, header);
        return header;
    }

    private void link(int list, int header) {
        int last = lasts[list];
        next[header] = NONE;
        previous[header] = last;
        if (last < 0) {
            firsts[list] = header;
        } else {
            next[last] = header;
        }
        lasts[list] = header;
        lengths[list]++;
    }

    void remove(int list, int header) {
        unlink(list, header);
        next[header] = free;
        free = header;
    }

    private void unlink(int list, int header) {
        int before = previous[header];
        int after = next[header];
        if (before < 0) {
            firsts[list] = after;
        } else {
            next[before] = after;
        }
        if (after < 0) {
            lasts[list] = before;
        } else {
            previous[after] = before;
        }
        lengths[list]--;
    }

    /** Moves the headers of several lists, every {@code step}-th from the first, into the first, in order. */
    int merge(int first, int lists, int step) {
        int moved = 0;
        int merged = NONE;
        int end = NONE;
        while (true) {
            int best = NONE;
            int from = NONE;
            for (int i = 0, list = first; i < lists; i++, list += step) {
                int head = firsts[list];
                if (head >= 0 && (best < 0 || numbers[head] < numbers[best])) {
                    best = head;
                    from = list;
                }
            }
            if (best < 0) {
                break;
            }
            unlink(from, best);
            previous[best] = end;
            next[best] = NONE;
            if (end < 0) {
                merged = best;
            } else {
                next[end] = best;
            }
            end = best;
            moved++;
        }
        firsts[first] = merged;
        lasts[first] = end;
        lengths[first] = moved;
        return moved;
    }
}
