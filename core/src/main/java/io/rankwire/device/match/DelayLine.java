package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

/**
 * One direction of the way between device and software: a ring of entries that keep their order and arrive after a
 * delay. An entry gets the time when it is due from the first {@link #stamp} after it was put, so putting one needs no
 * clock.
 *
 * <pre>
 *  long  command             event
 *  0     kind:32 | place:32  kind:32 | place:32
 *  1     word                word of the message
 *  2     handle              description
 *  3     flags               payload
 *  4     last number seen    number of the message
 *  5     due                 due
 * </pre>
 */
final class DelayLine {
    private static final int LONGS = 6;
    private static final int WORD = 1;
    private static final int DESCRIPTION = 2;
    private static final int PAYLOAD = 3;
    private static final int NUMBER = 4;
    private static final int DUE = 5;

    private final boolean grows;
    private long[] cells;
    /** Places in the ring, a power of two; {@link #limit} says how many of them may be used. */
    private int length;
    private int limit;
    private int head;
    private int tail;
    /** Entries before this one know when they are due. */
    private int stamped;
    private long lastDue = Long.MIN_VALUE;

    DelayLine(int entries) {
        this(entries, false);
    }

    private DelayLine(int entries, boolean grows) {
        limit = entries;
        length = Integer.highestOneBit(2 * entries - 1);
        cells = new long[length * LONGS];
        this.grows = grows;
    }

    /** A ring that grows: for messages that a stopped device holds, which the credit of senders bounds. */
    static DelayLine growing() {
        return new DelayLine(4, true);
    }

    int count() {
        return tail - head;
    }

    int room() {
        return limit - (tail - head);
    }

    void put(int kind, int place, long word, long description, long payload, long number) {
        if (tail - head == limit) {
            check(grows, "no room on the way between device and software");
            grow();
        }
        int at = at(tail++);
        cells[at] = (long) kind << 32 | place;
        cells[at + WORD] = word;
        cells[at + DESCRIPTION] = description;
        cells[at + PAYLOAD] = payload;
        cells[at + NUMBER] = number;
    }

    private void grow() {
        long[] grown = new long[2 * cells.length];
        for (int i = head; i != tail; i++) {
            System.arraycopy(cells, at(i), grown, (i & 2 * length - 1) * LONGS, LONGS);
        }
        cells = grown;
        length *= 2;
        limit = length;
    }

    /** Sets when the entries are due that were put since the last call. */
    void stamp(long due) {
        stamp(due, 0, 0);
    }

    /** The same, where entries of a kind take some time more, one after another. */
    void stamp(long due, int slowKind, long slowNs) {
        for (; stamped != tail; stamped++) {
            int at = at(stamped);
            lastDue = Math.max(lastDue, due) + (kind(at) == slowKind ? slowNs : 0);
            cells[at + DUE] = lastDue;
        }
    }

    boolean isDue(long now) {
        return head != tail && head != stamped && cells[at(head) + DUE] <= now;
    }

    /** When the first is due: before all times if it has no stamp yet, never if nothing is here. */
    long due() {
        return head == tail ? Long.MAX_VALUE : head == stamped ? Long.MIN_VALUE : cells[at(head) + DUE];
    }

    /** Takes the first off and returns where it lies until the next {@link #put}. */
    int take() {
        assert head != tail;
        if (head == stamped) {
            stamped++;
        }
        return at(head++);
    }

    /** The position of the first entry; positions grow without end, and the last entry is before {@link #last()}. */
    int first() {
        return head;
    }

    int last() {
        return tail;
    }

    int at(int position) {
        return (position & length - 1) * LONGS;
    }

    int kind(int at) {
        return (int) (cells[at] >>> 32);
    }

    int place(int at) {
        return (int) cells[at];
    }

    /** Turns an entry into another kind where it is. */
    void kind(int at, int kind) {
        cells[at] = (long) kind << 32 | cells[at] & 0xFFFFFFFFL;
    }

    long word(int at) {
        return cells[at + WORD];
    }

    long description(int at) {
        return cells[at + DESCRIPTION];
    }

    long payload(int at) {
        return cells[at + PAYLOAD];
    }

    long number(int at) {
        return cells[at + NUMBER];
    }
}
