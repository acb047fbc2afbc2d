package io.rankwire.device.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fixed-size headers on a free list, shared by every queue of a rank, posted and unexpected alike. One flat array, so a
 * header is an index and costs no object.
 *
 * <pre>
 *  long  posted receive          unexpected message       free
 *  0     match word              match word
 *  1     next:32 | previous:32   next:32 | previous:32    next free   (the FIFO of the exact key)
 *  2     post sequence           next:32 | previous:32                (arrival order)
 *  3     owner:32 | handle:32    owner:32 | number:32     0           (numbers count arrivals of a spread queue)
 *  4                             description
 *  5                             payload
 *  6                             next:32 | previous:32                (the FIFO of the source)
 *  7                             next:32 | previous:32                (the FIFO of the tag)
 * </pre>
 *
 * Each queue draws its headers from a {@link HeaderShare}, by default all from the same.
 *
 * <p>Not thread-safe: the device that owns the queues owns the store.
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
    /** Of all shares together. */
    private int limit;
    private int queues;
    private final HeaderShare common;
    private final List<HeaderShare> parts = new ArrayList<>();

    public HeaderStore(int initialHeaders, int maxHeaders) {
        if (initialHeaders < 1 || maxHeaders < initialHeaders || maxHeaders > MOST) {
            throw new IllegalArgumentException("headers: initial " + initialHeaders + ", max " + maxHeaders);
        }
        capacity = initialHeaders;
        limit = maxHeaders;
        common = new HeaderShare(maxHeaders);
        parts.add(common);
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

    /** The index of a header, or -1 when all are in use that are not set aside. */
    public int allocate() {
        return allocate(common);
    }

    /** The index of a header, or -1 when the share is at its limit. */
    int allocate(HeaderShare share) {
        int entry = freeHead;
        if (entry < 0 || share.inUse == share.limit) {
            return allocateFresh(share);
        }
        long[] cells = this.cells;
        int at = at(entry);
        freeHead = (int) cells[at + LINK];
        cells[at + OWNER] = OUT;
        share.inUse++;
        return entry;
    }

    private int allocateFresh(HeaderShare share) {
        if (share.inUse == share.limit || fresh == capacity && !grow()) {
            return -1;
        }
        cells[at(fresh) + OWNER] = OUT;
        share.inUse++;
        return fresh++;
    }

    private boolean grow() {
        if (capacity >= limit) {
            return false;
        }
        capacity((int) Math.min(limit, 2L * capacity));
        return true;
    }

    private void capacity(int headers) {
        capacity = headers;
        cells = Arrays.copyOf(cells, BIAS + capacity * LONGS);
    }

    public void free(int entry) {
        free(entry, common);
    }

    void free(int entry, HeaderShare share) {
        long[] cells = this.cells;
        int at = at(entry);
        assert entry < fresh && share.inUse > 0 : "not a header: " + entry;
        assert cells[at + OWNER] != 0 : "freed twice: " + entry;
        cells[at + OWNER] = 0;
        cells[at + LINK] = freeHead;
        freeHead = entry;
        share.inUse--;
    }

    /** Headers given and counted, of all shares. */
    public int inUse() {
        int sum = 0;
        for (int i = 0; i < parts.size(); i++) {
            sum += parts.get(i).inUse;
        }
        return sum;
    }

    public int capacity() {
        return capacity;
    }

    public int limit() {
        return limit;
    }

    /** Lets the store grow further while running. It never shrinks. */
    public void limit(int maxHeaders) {
        int least = Math.max(limit, capacity);
        if (maxHeaders < least || maxHeaders > MOST) {
            throw new IllegalArgumentException("limit " + maxHeaders + " outside " + least + ".." + MOST);
        }
        common.limit += maxHeaders - limit;
        limit = maxHeaders;
    }

    /** Raises the limit by some headers, or by as many as there can be. */
    public void extend(int headers) {
        limit((int) Math.min(MOST, (long) limit + headers));
    }

    /** The share of all queues that have none of their own. */
    public HeaderShare common() {
        return common;
    }

    /** A new share, without headers. */
    public HeaderShare divide() {
        HeaderShare part = new HeaderShare(0);
        parts.add(part);
        return part;
    }

    /** Ends a share of which no header is in use; all queues without a share of their own get its headers. */
    public void unite(HeaderShare part) {
        check(part.inUse == 0 && part != common, "a share in use ends");
        common.limit += part.limit;
        parts.remove(part);
    }

    /**
     * Gives a share headers that others have and neither use nor are guaranteed.
     *
     * @return how many, at most as many as wanted
     */
    public int redivide(HeaderShare to, int wanted) {
        int given = 0;
        for (HeaderShare from : parts) {
            int some = from == to ? 0 : Math.min(from.spare(), wanted - given);
            from.limit -= some;
            given += some;
        }
        to.limit += given;
        return given;
    }

    /** Makes memory for all headers that are guaranteed, before they are needed. */
    public void prepare() {
        long guaranteed = 0;
        for (HeaderShare part : parts) {
            guaranteed += part.guaranteed();
        }
        if (guaranteed > capacity) {
            capacity((int) guaranteed);
        }
    }

    /** Writes the number of a message's arrival. */
    void number(int entry, int number) {
        int at = at(entry) + OWNER;
        cells[at] = cells[at] & 0xFFFFFFFF00000000L | number & 0xFFFFFFFFL;
    }

    int number(int entry) {
        return (int) cells[at(entry) + OWNER];
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
        int counted = 0;
        long divided = 0;
        for (HeaderShare part : parts) {
            check(part.inUse <= part.limit && part.reserved <= part.inUse, "more headers in use than a share has");
            counted += part.reserved;
            divided += part.limit;
        }
        check(divided == limit, "shares do not make up the store");
        check(free + inUse() - counted == fresh, "headers lost or counted twice");
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
