package io.rankwire.device.match;

import java.util.Arrays;

/**
 * Fixed-size headers on a free list, shared by every queue of a rank, posted and unexpected alike. One flat array, so a
 * header is an index and costs no object.
 *
 * <pre>
 *  long  posted receive          unexpected message       free
 *  0     match word              match word
 *  1     next:32 | previous:32   next:32 | previous:32    next free   (the FIFO of the exact key)
 *  2     post sequence           next:32 | previous:32                (arrival order)
 *  3     owner:32 | handle:32    owner:32 | 0             0
 *  4                             description
 *  5                             payload
 *  6                             next:32 | previous:32                (the FIFO of the source)
 *  7                             next:32 | previous:32                (the FIFO of the tag)
 * </pre>
 *
 * Not thread-safe: the device that owns the queues owns the store.
 */
public final class HeaderStore {
    static final int WORD = 0;
    static final int LINK = 1;
    static final int SEQUENCE = 2;
    static final int ARRIVAL_LINK = 2;
    static final int OWNER = 3;
    static final int DESCRIPTION = 4;
    static final int PAYLOAD = 5;
    static final int SOURCE_LINK = 6;
    static final int TAG_LINK = 7;

    /** Owner and handle of a header that is in no queue and not free: just allocated, or taken and not yet read. */
    static final long OUT = -1;

    private static final int LONGS = 8;
    /** An array's elements start 16 bytes into it; skipping 48 more lets a header of a large array fill one line. */
    private static final int BIAS = 6;
    private static final int MOST = (Integer.MAX_VALUE - BIAS - LONGS) / LONGS;

    /** Replaced when the store grows, so read it again after every {@link #allocate()}. */
    long[] cells;

    private int freeHead = -1;
    /**
     * Headers from here up have never been used; they are on no list, so a large store is not touched before its time.
     */
    private int fresh;
    private int capacity;
    private int limit;
    private int inUse;
    private int reserved;
    private int queues;

    public HeaderStore(int initialHeaders, int maxHeaders) {
        if (initialHeaders < 1 || maxHeaders < initialHeaders || maxHeaders > MOST) {
            throw new IllegalArgumentException("headers: initial " + initialHeaders + ", max " + maxHeaders);
        }
        capacity = initialHeaders;
        limit = maxHeaders;
        cells = new long[BIAS + initialHeaders * LONGS];
    }

    /** Where the header's first long is in {@link #cells}. */
    static int at(int entry) {
        return BIAS + entry * LONGS;
    }

    static long owned(int owner, int handle) {
        return (long) owner << 32 | handle;
    }

    /**
     * A number that marks one queue's headers; a queue uses it for posted ones and the next number for unexpected ones.
     */
    int register() {
        queues = queues + 2 & Integer.MAX_VALUE - 1;
        return queues == 0 ? register() : queues;
    }

    /** The index of a header, or -1 when the store is at its limit. */
    public int allocate() {
        int entry = freeHead;
        if (entry < 0 || inUse == limit) {
            return allocateFresh();
        }
        long[] cells = this.cells;
        int at = at(entry);
        freeHead = (int) cells[at + LINK];
        cells[at + OWNER] = OUT;
        inUse++;
        return entry;
    }

    private int allocateFresh() {
        if (inUse == limit || fresh == capacity && !grow()) {
            return -1;
        }
        cells[at(fresh) + OWNER] = OUT;
        inUse++;
        return fresh++;
    }

    private boolean grow() {
        if (capacity >= limit) {
            return false;
        }
        capacity = (int) Math.min(limit, 2L * capacity);
        cells = Arrays.copyOf(cells, BIAS + capacity * LONGS);
        return true;
    }

    public void free(int entry) {
        long[] cells = this.cells;
        int at = at(entry);
        assert entry < fresh && inUse > 0 : "not a header: " + entry;
        assert cells[at + OWNER] != 0 : "freed twice: " + entry;
        cells[at + OWNER] = 0;
        cells[at + LINK] = freeHead;
        freeHead = entry;
        inUse--;
    }

    /** Counts one header more without giving it: its queue keeps the receive elsewhere. False at the limit. */
    boolean reserve() {
        if (inUse == limit) {
            return false;
        }
        inUse++;
        reserved++;
        return true;
    }

    /** Headers that were only counted are no longer needed. */
    void restore(int headers) {
        assert reserved >= headers;
        inUse -= headers;
        reserved -= headers;
    }

    /** Headers given and counted. */
    public int inUse() {
        return inUse;
    }

    public int capacity() {
        return capacity;
    }

    public int limit() {
        return limit;
    }

    /** Lets the store grow further while running. It never shrinks. */
    public void limit(int maxHeaders) {
        int least = Math.max(capacity, inUse);
        if (maxHeaders < least || maxHeaders > MOST) {
            throw new IllegalArgumentException("limit " + maxHeaders + " outside " + least + ".." + MOST);
        }
        limit = maxHeaders;
    }

    public long word(int entry) {
        return cells[at(entry) + WORD];
    }

    public long description(int entry) {
        return cells[at(entry) + DESCRIPTION];
    }

    public long payload(int entry) {
        return cells[at(entry) + PAYLOAD];
    }

    public void checkInvariants() {
        check(capacity <= limit && fresh <= capacity, "sizes");
        check(cells.length == BIAS + capacity * LONGS, "array length");
        int free = 0;
        for (int e = freeHead; e >= 0; e = (int) cells[at(e) + LINK]) {
            check(e < fresh && cells[at(e) + OWNER] == 0, "free list holds a live header");
            check(++free <= fresh, "free list runs in a circle");
        }
        check(inUse <= limit && free + inUse - reserved == fresh, "headers lost or counted twice");
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
