package io.rankwire.sim;

import java.util.Arrays;

/**
 * The bins of a calendar: events of the near future in the order they were added, one bin for each span of time. Those
 * of a bin lie together in chunks, so they are written and read in a row, wherever their actors are.
 */
final class EventBins {
    static final int BINS = 1 << 12;
    private static final int MASK = BINS - 1;

    // An event is a few words; what happens to it happens to all of them.
    static final int WORDS = 5;
    static final int TIME = 0;
    /** Target above, source below. */
    static final int ACTORS = 1;
    /** The source's number above, kind in the lowest eight bits. */
    static final int NUMBER = 2;
    static final int FIRST = 3;
    static final int SECOND = 4;

    /** Events in a chunk, a power of two. */
    private static final int CHUNK = 16;
    /** Where a chunk holds the number of the next one. */
    private static final int LINK = CHUNK * WORDS;
    private static final int STRIDE = LINK + 1;

    // A bin is a row: its events, its first chunk, the place of the next event.
    private static final int ROW = 4;
    private static final int HEAD = 1;
    private static final int TAIL = 2;

    /** Chunks, each known by its place; read it again after every {@link #add}. */
    long[] words;
    private final int[] rows = new int[BINS * ROW];
    private int[] free = new int[16];
    private int freeCount;
    private int made;
    private int size;

    EventBins(int room) {
        words = new long[Math.max(4, room / CHUNK) * STRIDE];
    }

    /** Events in all bins. */
    int size() {
        return size;
    }

    /** Events in a bin; bins are counted from time 0 and share their places. */
    int count(long bin) {
        return rows[((int) bin & MASK) * ROW];
    }

    void add(long bin, long time, long actors, long number, long first, long second) {
        int row = ((int) bin & MASK) * ROW;
        int count = rows[row]++;
        int at = (count & CHUNK - 1) == 0 ? extend(row, count) : rows[row + TAIL];
        rows[row + TAIL] = at + WORDS;
        long[] words = this.words;
        words[at + TIME] = time;
        words[at + ACTORS] = actors;
        words[at + NUMBER] = number;
        words[at + FIRST] = first;
        words[at + SECOND] = second;
        size++;
    }

    private int extend(int row, int count) {
        int chunk = freeCount > 0 ? free[--freeCount] : make();
        if (count == 0) {
            rows[row + HEAD] = chunk;
        } else {
            // The tail is where the link of the last chunk is.
            words[rows[row + TAIL]] = chunk;
        }
        return chunk;
    }

    private int make() {
        if (made + STRIDE > words.length) {
            if (words.length > Integer.MAX_VALUE / 2 - STRIDE) {
                throw new IllegalStateException(size + " events pending are too many");
            }
            words = Arrays.copyOf(words, 2 * words.length);
        }
        int chunk = made;
        made += STRIDE;
        return chunk;
    }

    /** Empties a bin into an array of places, which stay good until {@link #giveBack} of its first chunk. */
    int take(long bin, int[] places) {
        int row = ((int) bin & MASK) * ROW;
        int count = rows[row];
        int at = rows[row + HEAD];
        for (int i = 0; i < count; i++) {
            if ((i & CHUNK - 1) == 0 && i > 0) {
                at = (int) words[at];
            }
            places[i] = at;
            at += WORDS;
        }
        rows[row] = 0;
        size -= count;
        return count;
    }

    /** Moves all events elsewhere, in no order. */
    void drain(long[] into, int at) {
        for (int row = 0; row < rows.length; row += ROW) {
            int chunk = rows[row + HEAD];
            for (int left = rows[row]; left > 0; left -= CHUNK) {
                int part = Math.min(left, CHUNK) * WORDS;
                System.arraycopy(words, chunk, into, at, part);
                at += part;
                chunk = (int) words[chunk + LINK];
            }
            giveBack(rows[row + HEAD], rows[row]);
            rows[row] = 0;
        }
        size = 0;
    }

    /** Where a bin that holds events begins. */
    int head(long bin) {
        return rows[((int) bin & MASK) * ROW + HEAD];
    }

    /** Frees the chunks of events that were taken. */
    void giveBack(int head, int count) {
        int chunk = head;
        for (int left = count; left > 0; left -= CHUNK) {
            if (freeCount == free.length) {
                free = Arrays.copyOf(free, 2 * freeCount);
            }
            free[freeCount++] = chunk;
            chunk = left > CHUNK ? (int) words[chunk + LINK] : 0;
        }
    }

    /** Whether one event comes before another. */
    boolean before(int at, int other) {
        return order(words, at, words, other) < 0;
    }

    static int order(long[] words, int at, long[] others, int other) {
        if (words[at + TIME] != others[other + TIME]) {
            return words[at + TIME] < others[other + TIME] ? -1 : 1;
        }
        if (words[at + ACTORS] != others[other + ACTORS]) {
            return words[at + ACTORS] < others[other + ACTORS] ? -1 : 1;
        }
        return (int) (words[at + NUMBER] >>> 8) - (int) (others[other + NUMBER] >>> 8);
    }
}
