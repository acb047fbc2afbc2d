package io.rankwire.sim;

import java.util.Arrays;

/**
 * What is going to happen, and when. Events happen in the order (time, target, source, number the source gave it), so
 * neither the order in which they were added nor anything of the machine can be seen in a run. They lie in columns;
 * none is an object.
 *
 * <p>A calendar: events of the near future hang unsorted in bins of equal width, the bin whose turn it is has been
 * sorted, later ones wait in a heap, and so do those that are added to the bin being worked off.
 */
public final class Events {
    private static final int BINS = 1 << 12;
    private static final int MASK = BINS - 1;
    /** Events in a bin that are worth a change of the bins' width. */
    private static final int CROWD = 256;
    private static final int FEW = 2;

    private long[] time;
    /** Target above, source below. */
    private long[] actors;
    /** The source's number above, kind in the lowest eight bits. */
    private long[] number;
    private long[] a;
    private long[] b;
    private int[] next;
    private int free;

    private final int[] given;
    private final long[] hashes;

    private final int[] bins = new int[BINS];
    private int shift = 10;
    /** The bin being worked off, counted from time 0. */
    private long turn;
    private int binned;
    private int[] sorted = new int[64];
    private int sortedFrom;
    private int sortedTo;
    private final Heap near = new Heap();
    private final Heap far = new Heap();

    private long now;
    private int current = -1;
    private long count;
    private int emptyTurns;

    /**
     * @param actors targets and sources are numbered below this
     */
    public Events(int actors) {
        this(actors, 1024);
    }

    public Events(int actors, int room) {
        given = new int[actors];
        hashes = new long[actors];
        time = new long[0];
        this.actors = new long[0];
        number = new long[0];
        a = new long[0];
        b = new long[0];
        next = new int[0];
        free = -1;
        grow(room);
        Arrays.fill(bins, -1);
    }

    /** The time of the event that is happening. */
    public long now() {
        return now;
    }

    /** Events that have happened. */
    public long count() {
        return count;
    }

    public boolean isEmpty() {
        return binned == 0 && sortedFrom == sortedTo && near.size == 0 && far.size == 0;
    }

    public int pending() {
        return binned + sortedTo - sortedFrom + near.size + far.size;
    }

    /**
     * Something will happen.
     *
     * @param at not before now
     * @param kind from 0 to 255
     */
    public void add(long at, int target, int source, int kind, long first, long second) {
        assert at >= now : "at " + at + ", and it is " + now;
        if (free < 0) {
            grow(2 * time.length);
        }
        int slot = free;
        free = next[slot];
        time[slot] = at;
        actors[slot] = (long) target << 32 | source;
        number[slot] = (long) given[source]++ << 8 | kind;
        a[slot] = first;
        b[slot] = second;
        long bin = at >>> shift;
        if (bin <= turn) {
            near.add(slot);
        } else if (bin - turn < BINS) {
            int place = (int) bin & MASK;
            next[slot] = bins[place];
            bins[place] = slot;
            binned++;
        } else {
            far.add(slot);
        }
    }

    /** Goes to the next event; false when there is none. Then this is about it until the next call. */
    public boolean next() {
        if (sortedFrom == sortedTo && near.size == 0 && !turnOver()) {
            return false;
        }
        int slot;
        if (near.size == 0 || sortedFrom < sortedTo && before(sorted[sortedFrom], near.slots[0])) {
            slot = sorted[sortedFrom++];
        } else {
            slot = near.take();
        }
        happen(slot);
        return true;
    }

    /** The time of the next event, or -1. */
    public long nextTime() {
        if (sortedFrom == sortedTo && near.size == 0 && !turnOver()) {
            return -1;
        }
        long first = sortedFrom < sortedTo ? time[sorted[sortedFrom]] : Long.MAX_VALUE;
        return near.size == 0 ? first : Math.min(first, time[near.slots[0]]);
    }

    private void happen(int slot) {
        now = time[slot];
        count++;
        int target = (int) (actors[slot] >>> 32);
        long mixed = hashes[target] ^ now;
        mixed = mixed * 0x9E3779B97F4A7C15L + actors[slot];
        mixed = (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L + number[slot];
        hashes[target] = mixed ^ mixed >>> 32;
        current = slot;
        next[slot] = free;
        free = slot;
    }

    public int target() {
        return (int) (actors[current] >>> 32);
    }

    public int source() {
        return (int) actors[current];
    }

    public int kind() {
        return (int) number[current] & 0xFF;
    }

    /** Read before anything is added: the place may be used again. */
    public long first() {
        return a[current];
    }

    public long second() {
        return b[current];
    }

    /** Something about the event that is happening which must be the same in every run. */
    public void note(int target, long what) {
        long mixed = (hashes[target] ^ what) * 0x94D049BB133111EBL;
        hashes[target] = mixed ^ mixed >>> 31;
    }

    /** Of all that has happened to each actor, in order. */
    public long hash() {
        long mixed = 0;
        for (long hash : hashes) {
            mixed = (mixed ^ hash) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }

    /** Finds the next bin with events and sorts it. */
    private boolean turnOver() {
        if (binned == 0) {
            if (far.size == 0) {
                return false;
            }
            turn = (time[far.slots[0]] >>> shift) - 1;
        }
        do {
            turn++;
            while (far.size > 0 && time[far.slots[0]] >>> shift < turn + BINS) {
                int slot = far.take();
                long bin = time[slot] >>> shift;
                next[slot] = bins[(int) bin & MASK];
                bins[(int) bin & MASK] = slot;
                binned++;
            }
            emptyTurns++;
        } while (bins[(int) turn & MASK] < 0);
        int found = 0;
        for (int slot = bins[(int) turn & MASK]; slot >= 0; slot = next[slot]) {
            if (found == sorted.length) {
                sorted = Arrays.copyOf(sorted, 2 * found);
            }
            sorted[found++] = slot;
        }
        bins[(int) turn & MASK] = -1;
        binned -= found;
        sort(0, found - 1);
        sortedFrom = 0;
        sortedTo = found;
        adapt(found);
        return true;
    }

    /** Wider bins where most are empty, narrower ones where many events share a bin and not the time. */
    private void adapt(int found) {
        boolean sameTime = time[sorted[0]] == time[sorted[found - 1]];
        if (found > CROWD && !sameTime && shift > 0) {
            resize(shift - 2 < 0 ? 0 : shift - 2);
        } else if (emptyTurns > 1024) {
            if (pending() > FEW) {
                resize(Math.min(shift + 2, 50));
            }
            emptyTurns = 0;
        } else if (found > FEW) {
            emptyTurns = Math.max(0, emptyTurns - 64);
        }
    }

    /** What hangs in bins is hung anew; the sorted rest of the bin goes to the near heap. */
    private void resize(int newShift) {
        if (newShift == shift) {
            return;
        }
        int chain = -1;
        for (int i = 0; i < BINS; i++) {
            for (int slot = bins[i]; slot >= 0; ) {
                int following = next[slot];
                next[slot] = chain;
                chain = slot;
                slot = following;
            }
            bins[i] = -1;
        }
        binned = 0;
        shift = newShift;
        turn = time[sorted[sortedFrom]] >>> shift;
        for (int i = sortedFrom; i < sortedTo; i++) {
            next[sorted[i]] = chain;
            chain = sorted[i];
        }
        sortedFrom = 0;
        sortedTo = 0;
        while (chain >= 0) {
            int slot = chain;
            chain = next[slot];
            long bin = time[slot] >>> shift;
            if (bin <= turn) {
                near.add(slot);
            } else if (bin - turn < BINS) {
                next[slot] = bins[(int) bin & MASK];
                bins[(int) bin & MASK] = slot;
                binned++;
            } else {
                far.add(slot);
            }
        }
        while (far.size > 0 && time[far.slots[0]] >>> shift < turn + BINS) {
            int slot = far.take();
            long bin = time[slot] >>> shift;
            if (bin <= turn) {
                near.add(slot);
            } else {
                next[slot] = bins[(int) bin & MASK];
                bins[(int) bin & MASK] = slot;
                binned++;
            }
        }
    }

    private boolean before(int one, int other) {
        long x = time[one];
        long y = time[other];
        if (x != y) {
            return x < y;
        }
        x = actors[one];
        y = actors[other];
        return x != y ? x < y : (int) (number[one] >>> 8) - (int) (number[other] >>> 8) < 0;
    }

    private void sort(int low, int high) {
        while (high - low > 24) {
            int pivot = median(low, low + high >>> 1, high);
            int i = low;
            int j = high;
            while (i <= j) {
                while (before(sorted[i], pivot)) {
                    i++;
                }
                while (before(pivot, sorted[j])) {
                    j--;
                }
                if (i <= j) {
                    int swap = sorted[i];
                    sorted[i++] = sorted[j];
                    sorted[j--] = swap;
                }
            }
            if (j - low < high - i) {
                sort(low, j);
                low = i;
            } else {
                sort(i, high);
                high = j;
            }
        }
        for (int i = low + 1; i <= high; i++) {
            int slot = sorted[i];
            int j = i - 1;
            while (j >= low && before(slot, sorted[j])) {
                sorted[j + 1] = sorted[j];
                j--;
            }
            sorted[j + 1] = slot;
        }
    }

    private int median(int i, int j, int k) {
        int x = sorted[i];
        int y = sorted[j];
        int z = sorted[k];
        if (before(x, y)) {
            return before(y, z) ? y : before(x, z) ? z : x;
        }
        return before(x, z) ? x : before(y, z) ? z : y;
    }

    private void grow(int room) {
        int old = time.length;
        int size = Math.max(16, room);
        time = Arrays.copyOf(time, size);
        actors = Arrays.copyOf(actors, size);
        number = Arrays.copyOf(number, size);
        a = Arrays.copyOf(a, size);
        b = Arrays.copyOf(b, size);
        next = Arrays.copyOf(next, size);
        for (int i = size - 1; i >= old; i--) {
            next[i] = free;
            free = i;
        }
    }

    /** Slots in the order of their events; four children a node. */
    private final class Heap {
        int[] slots = new int[64];
        int size;

        void add(int slot) {
            if (size == slots.length) {
                slots = Arrays.copyOf(slots, 2 * size);
            }
            int hole = size++;
            while (hole > 0) {
                int parent = hole - 1 >> 2;
                if (!before(slot, slots[parent])) {
                    break;
                }
                slots[hole] = slots[parent];
                hole = parent;
            }
            slots[hole] = slot;
        }

        int take() {
            int top = slots[0];
            int last = slots[--size];
            int hole = 0;
            while (true) {
                int child = 4 * hole + 1;
                if (child >= size) {
                    break;
                }
                int least = child;
                int end = Math.min(child + 4, size);
                for (int other = child + 1; other < end; other++) {
                    if (before(slots[other], slots[least])) {
                        least = other;
                    }
                }
                if (!before(slots[least], last)) {
                    break;
                }
                slots[hole] = slots[least];
                hole = least;
            }
            if (size > 0) {
                slots[hole] = last;
            }
            return top;
        }
    }
}
