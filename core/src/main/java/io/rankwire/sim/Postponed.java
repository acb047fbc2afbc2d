package io.rankwire.sim;

import java.util.Arrays;

/**
 * Frames that are ready by the order of events, and whose devices will be moved a little later. Ranks in step get
 * several frames each within a short time, all at once: dealt with in the order of time, every frame would find its
 * device's memory out of the cache again.
 */
final class Postponed {
    private static final int NONE = -1;
    private static final long LOW = 0xFFFFFFFFL;

    // A frame: when it was ready, itself above and the next of its rank below.
    private static final int WORDS = 2;
    private long[] items = new long[64 * WORDS];
    private int made;
    private int[] free = new int[64];
    private int freeCount;
    private int held;
    private int waiting;

    /** By rank: the first item above, the last below, or {@link #NONE}; since when. */
    private final long[] ranks;

    /** Ranks in the order of their first frames, with the times of those; some may have been dealt with since. */
    private long[] queue = new long[64 * 2];
    private int head;
    private int tail;

    Postponed(int ranks) {
        this.ranks = new long[2 * ranks];
        Arrays.fill(this.ranks, NONE);
    }

    boolean isEmpty() {
        return held == 0;
    }

    boolean holds(int rank) {
        return ranks[2 * rank] != NONE;
    }

    void add(int rank, int frame, long time) {
        int item = freeCount > 0 ? free[--freeCount] : make();
        items[item] = time;
        items[item + 1] = (long) frame << 32 | NONE & LOW;
        held++;
        long ends = ranks[2 * rank];
        if (ends == NONE) {
            ranks[2 * rank] = (long) item << 32 | item;
            ranks[2 * rank + 1] = time;
            waiting++;
            enqueue(rank, time);
        } else {
            int last = (int) ends;
            items[last + 1] = items[last + 1] & ~LOW | item;
            ranks[2 * rank] = ends & ~LOW | item;
        }
    }

    /** The first frame of a rank, as an item. */
    int first(int rank) {
        return (int) (ranks[2 * rank] >> 32);
    }

    /** The next one of the same rank, or -1. */
    int next(int item) {
        return (int) items[item + 1];
    }

    int frame(int item) {
        return (int) (items[item + 1] >>> 32);
    }

    long time(int item) {
        return items[item];
    }

    /** Since when the first rank waits; there must be one. */
    long since() {
        dropStale();
        return queue[head + 1];
    }

    /** The ranks that wait longest, together with about {@code frames} frames. */
    int longest(int[] into, int frames) {
        int count = 0;
        int most = Math.clamp((long) frames * waiting / held, 1, into.length);
        int mask = queue.length - 1;
        for (int at = head; at != tail && count < most; at = at + 2 & mask) {
            int rank = (int) queue[at];
            if (holds(rank) && ranks[2 * rank + 1] == queue[at + 1]) {
                into[count++] = rank;
            }
        }
        return count;
    }

    /** The rank's frames are no longer held; items stay good until the next {@link #add}. Returns the first. */
    int take(int rank) {
        int first = first(rank);
        ranks[2 * rank] = NONE;
        waiting--;
        for (int item = first; item != NONE; item = next(item)) {
            if (freeCount == free.length) {
                free = Arrays.copyOf(free, 2 * freeCount);
            }
            free[freeCount++] = item;
            held--;
        }
        if (held == 0) {
            // In a row again.
            made = 0;
            freeCount = 0;
            head = tail;
        }
        return first;
    }

    private int make() {
        if (made == items.length) {
            items = Arrays.copyOf(items, 2 * made);
        }
        int item = made;
        made += WORDS;
        return item;
    }

    private void dropStale() {
        int rank = (int) queue[head];
        while (!holds(rank) || ranks[2 * rank + 1] != queue[head + 1]) {
            head = head + 2 & queue.length - 1;
            rank = (int) queue[head];
        }
    }

    private void enqueue(int rank, long time) {
        queue[tail] = rank;
        queue[tail + 1] = time;
        tail = tail + 2 & queue.length - 1;
        if (tail == head) {
            long[] old = queue;
            queue = new long[2 * old.length];
            for (int i = 0; i < old.length; i++) {
                queue[i] = old[head + i & old.length - 1];
            }
            head = 0;
            tail = old.length;
        }
    }
}
