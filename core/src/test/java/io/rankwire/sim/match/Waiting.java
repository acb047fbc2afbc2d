package io.rankwire.sim.match;

import java.util.Arrays;

/** Requests of {@link CycleUnits} that wait for units, oldest first. */
final class Waiting {
    private long[] dues = new long[64];
    private int[] groups = new int[64];
    private int[] kinds = new int[64];
    private long[] words = new long[64];
    private int[] ids = new int[64];
    private long[] numbers = new long[64];
    private int[] next = new int[64];
    private int[] previous = new int[64];
    private int made;
    private int free = -1;
    private int first = -1;
    private int last = -1;
    private int count;

    /** Groups that may not start in this round. */
    private int[] blocked = new int[16];
    private int blockedCount;

    void add(long due, int group, int kind, long word, int id, long number) {
        int i = free;
        if (i >= 0) {
            free = next[i];
        } else {
            if (made == dues.length) {
                grow(2 * made);
            }
            i = made++;
        }
        dues[i] = due;
        groups[i] = group;
        kinds[i] = kind;
        words[i] = word;
        ids[i] = id;
        numbers[i] = number;
        next[i] = -1;
        previous[i] = last;
        if (last < 0) {
            first = i;
        } else {
            next[last] = i;
        }
        last = i;
        count++;
    }

    void remove(int i) {
        int before = previous[i];
        int after = next[i];
        if (before < 0) {
            first = after;
        } else {
            next[before] = after;
        }
        if (after < 0) {
            last = before;
        } else {
            previous[after] = before;
        }
        next[i] = free;
        free = i;
        count--;
    }

    private void grow(int length) {
        dues = Arrays.copyOf(dues, length);
        groups = Arrays.copyOf(groups, length);
        kinds = Arrays.copyOf(kinds, length);
        words = Arrays.copyOf(words, length);
        ids = Arrays.copyOf(ids, length);
        numbers = Arrays.copyOf(numbers, length);
        next = Arrays.copyOf(next, length);
        previous = Arrays.copyOf(previous, length);
    }

    void unblock() {
        blockedCount = 0;
    }

    void block(int group) {
        if (blockedCount == blocked.length) {
            blocked = Arrays.copyOf(blocked, 2 * blockedCount);
        }
        blocked[blockedCount++] = group;
    }

    boolean blocked(int group) {
        for (int i = 0; i < blockedCount; i++) {
            if (blocked[i] == group) {
                return true;
            }
        }
        return false;
    }

    int count() {
        return count;
    }

    int first() {
        return first;
    }

    int next(int i) {
        return next[i];
    }

    long due(int i) {
        return dues[i];
    }

    int group(int i) {
        return groups[i];
    }

    int kind(int i) {
        return kinds[i];
    }

    long word(int i) {
        return words[i];
    }

    int id(int i) {
        return ids[i];
    }

    long number(int i) {
        return numbers[i];
    }
}
