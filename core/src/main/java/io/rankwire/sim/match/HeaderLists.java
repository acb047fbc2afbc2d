package io.rankwire.sim.match;

import java.util.Arrays;

/** Lists of headers in one store of flat columns, each in the order its headers were appended; all grow as needed. */
final class HeaderLists {
    static final int NONE = -1;

    /** Marks of a header: a request that is under way has met it, so it is there no more for those behind. */
    static final int TAKEN = 1;
    /** Other devices have copies of it, so a flag must be fetched before it is anyone's (H11). */
    static final int SHARED = 2;
    /** Another device has set that flag; whoever comes across it finds that out, and then it is taken. */
    static final int STALE = 4;
    /** Nobody but the list knows it any more. */
    static final int DETACHED = 8;

    long[] words = new long[8];
    int[] ids = new int[8];
    int[] next = new int[8];
    byte[] marks = new byte[8];
    /** Number of the request that made the header. */
    long[] numbers = new long[8];
    /** The cycle before which nobody may look at the header: an older request was not past it. */
    long[] notBefore = new long[8];
    private int[] previous = new int[8];
    private int[] listOf = new int[8];
    private int made;
    private int free = NONE;
    private int inUse;

    private int[] firsts = new int[0];
    private int[] lasts = new int[0];
    private int[] lengths = new int[0];

    /** From now on there are at least so many lists. */
    void reach(int lists) {
        int before = firsts.length;
        if (lists > before) {
            int room = Math.max(lists, 2 * before);
            firsts = Arrays.copyOf(firsts, room);
            lasts = Arrays.copyOf(lasts, room);
            lengths = Arrays.copyOf(lengths, room);
            Arrays.fill(firsts, before, room, NONE);
            Arrays.fill(lasts, before, room, NONE);
        }
    }

    int first(int list) {
        return firsts[list];
    }

    int length(int list) {
        return lengths[list];
    }

    int inUse() {
        return inUse;
    }

    int append(int list, long word, int id, long number, long cycle, int mark) {
        int header = free;
        if (header >= 0) {
            free = next[header];
        } else {
            header = made++;
            if (header == next.length) {
                grow(2 * header);
            }
        }
        inUse++;
        words[header] = word;
        ids[header] = id;
        numbers[header] = number;
        notBefore[header] = cycle;
        marks[header] = (byte) mark;
        link(list, header, lasts[list]);
        return header;
    }

    private void grow(int room) {
        words = Arrays.copyOf(words, room);
        ids = Arrays.copyOf(ids, room);
        next = Arrays.copyOf(next, room);
        marks = Arrays.copyOf(marks, room);
        numbers = Arrays.copyOf(numbers, room);
        notBefore = Arrays.copyOf(notBefore, room);
        previous = Arrays.copyOf(previous, room);
        listOf = Arrays.copyOf(listOf, room);
    }

    private void link(int list, int header, int last) {
        next[header] = NONE;
        previous[header] = last;
        listOf[header] = list;
        if (last < 0) {
            firsts[list] = header;
        } else {
            next[last] = header;
        }
        lasts[list] = header;
        lengths[list]++;
    }

    void remove(int header) {
        unlink(header);
        numbers[header] = NONE;
        next[header] = free;
        free = header;
        inUse--;
    }

    private void unlink(int header) {
        int list = listOf[header];
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
        int end = NONE;
        int merged = NONE;
        while (true) {
            int best = NONE;
            for (int i = 0, list = first; i < lists; i++, list += step) {
                int head = firsts[list];
                if (head >= 0 && (best < 0 || numbers[head] < numbers[best])) {
                    best = head;
                }
            }
            if (best < 0) {
                break;
            }
            unlink(best);
            previous[best] = end;
            next[best] = NONE;
            listOf[best] = first;
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
