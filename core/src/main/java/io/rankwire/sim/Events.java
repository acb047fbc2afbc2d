package io.rankwire.sim;

import java.util.Arrays;

/**
 * What is going to happen, and when. Events happen in the order (time, target, source, number the source gave it), so
 * neither the order in which they were added nor anything of the machine can be seen in a run. None is an object.
 *
 * <p>A calendar: events of the near future hang unsorted in bins of equal width, the bin whose turn it is has been
 * sorted, later ones wait in a heap, and so do those that are added to the bin being worked off.
 */
public final class Events {
    private static final int BINS = 1 << 12;
    private static final int MASK = BINS - 1;
    /** Events in a bin that are worth a change of the bins' width. */
    private static final int CROWD = 64;
    private static final int FEW = 2;
    /** Events in a bin from which on they are sorted as runs. */
    private static final int MANY = 1 << 10;

    // An event is a line of words: what happens to it happens to all of them.
    private static final int WORDS = 8;
    private static final int TIME = 0;
    /** Target above, source below. */
    private static final int ACTORS = 1;
    /** The source's number above, kind in the lowest eight bits. */
    private static final int NUMBER = 2;
    private static final int FIRST = 3;
    private static final int SECOND = 4;
    /** The next in its chain. */
    private static final int NEXT = 5;

    /** Slots are places in it. */
    private long[] words;
    private int free;

    private final int[] given;
    private final long[] hashes;

    /** Slots of the events in each bin; how many there are stands in front. */
    private final int[][] bins = new int[BINS][8];
    private int shift = 10;
    /** The bin being worked off, counted from time 0. */
    private long turn;
    private int binned;
    /** The bin being worked off; what decides its order lies beside, close together. */
    private int[] sorted = new int[64];
    private long[] sortedTime = new long[64];
    private long[] sortedActors = new long[64];
    /** Room to merge into, and where runs end. */
    private int[] other = new int[0];
    private long[] otherTime = new long[0];
    private long[] otherActors = new long[0];
    private int[] ends = new int[64];
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
        words = new long[0];
        free = -1;
        grow(room);
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
            grow(2 * (words.length / WORDS));
        }
        int slot = free;
        free = (int) words[slot + NEXT];
        words[slot + TIME] = at;
        words[slot + ACTORS] = (long) target << 32 | source;
        words[slot + NUMBER] = (long) given[source]++ << 8 | kind;
        words[slot + FIRST] = first;
        words[slot + SECOND] = second;
        place(slot);
    }

    private void hang(int slot, int place) {
        int[] bin = bins[place];
        int count = ++bin[0];
        if (count == bin.length) {
            bin = Arrays.copyOf(bin, 2 * count);
            bins[place] = bin;
        }
        bin[count] = slot;
        binned++;
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
        long first = sortedFrom < sortedTo ? words[sorted[sortedFrom] + TIME] : Long.MAX_VALUE;
        return near.size == 0 ? first : Math.min(first, words[near.slots[0] + TIME]);
    }

    private void happen(int slot) {
        now = words[slot + TIME];
        count++;
        int target = (int) (words[slot + ACTORS] >>> 32);
        long mixed = hashes[target] ^ now;
        mixed = mixed * 0x9E3779B97F4A7C15L + words[slot + ACTORS];
        mixed = (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L + words[slot + NUMBER];
        hashes[target] = mixed ^ mixed >>> 32;
        current = slot;
        words[slot + NEXT] = free;
        free = slot;
    }

    public int target() {
        return (int) (words[current + ACTORS] >>> 32);
    }

    public int source() {
        return (int) words[current + ACTORS];
    }

    public int kind() {
        return (int) words[current + NUMBER] & 0xFF;
    }

    /** Read before anything is added: the place may be used again. */
    public long first() {
        return words[current + FIRST];
    }

    public long second() {
        return words[current + SECOND];
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
            turn = (words[far.slots[0] + TIME] >>> shift) - 1;
        }
        do {
            turn++;
            while (far.size > 0 && words[far.slots[0] + TIME] >>> shift < turn + BINS) {
                int slot = far.take();
                hang(slot, (int) (words[slot + TIME] >>> shift) & MASK);
            }
            emptyTurns++;
        } while (bins[(int) turn & MASK][0] == 0);
        int[] bin = bins[(int) turn & MASK];
        int found = bin[0];
        bin[0] = 0;
        if (found > sorted.length) {
            sorted = new int[2 * found];
            sortedTime = new long[2 * found];
            sortedActors = new long[2 * found];
        }
        for (int i = 0; i < found; i++) {
            int slot = bin[i + 1];
            sorted[i] = slot;
            sortedTime[i] = words[slot + TIME];
            sortedActors[i] = words[slot + ACTORS];
        }
        binned -= found;
        if (found > MANY) {
            mergeRuns(found);
        } else {
            sort(0, found - 1);
        }
        sortedFrom = 0;
        sortedTo = found;
        adapt(found);
        return true;
    }

    /** Wider bins where most are empty, narrower ones where many events share a bin and not the time. */
    private void adapt(int found) {
        boolean sameTime = words[sorted[0] + TIME] == words[sorted[found - 1] + TIME];
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
        int[] all = new int[binned + sortedTo - sortedFrom];
        int count = 0;
        for (int[] bin : bins) {
            System.arraycopy(bin, 1, all, count, bin[0]);
            count += bin[0];
            bin[0] = 0;
        }
        binned = 0;
        shift = newShift;
        turn = words[sorted[sortedFrom] + TIME] >>> shift;
        System.arraycopy(sorted, sortedFrom, all, count, sortedTo - sortedFrom);
        sortedFrom = 0;
        sortedTo = 0;
        for (int slot : all) {
            place(slot);
        }
        while (far.size > 0 && words[far.slots[0] + TIME] >>> shift < turn + BINS) {
            place(far.take());
        }
    }

    private void place(int slot) {
        long bin = words[slot + TIME] >>> shift;
        if (bin <= turn) {
            near.add(slot);
        } else if (bin - turn < BINS) {
            hang(slot, (int) bin & MASK);
        } else {
            far.add(slot);
        }
    }

    private boolean before(int one, int other) {
        return order(words[one + TIME], words[one + ACTORS], one, words[other + TIME], words[other + ACTORS], other)
                < 0;
    }

    /**
     * Sorts many: ranks in step leave a bin of events that were added in long runs, the last one first here. Runs are
     * merged two by two.
     */
    private void mergeRuns(int found) {
        for (int i = 0, j = found - 1; i < j; i++, j--) {
            swap(i, j);
        }
        int runs = 0;
        for (int i = 1; i <= found; i++) {
            if (i == found || ordered(i, i - 1)) {
                if (runs == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * runs);
                }
                ends[runs++] = i;
            }
        }
        if (other.length < sorted.length) {
            other = new int[sorted.length];
            otherTime = new long[sorted.length];
            otherActors = new long[sorted.length];
        }
        while (runs > 1) {
            int merged = 0;
            for (int run = 0; run < runs; run += 2) {
                int from = run == 0 ? 0 : ends[run - 1];
                int middle = ends[run];
                int to = run + 1 < runs ? ends[run + 1] : middle;
                merge(from, middle, to);
                // Behind what is still to be read.
                ends[merged++] = to;
            }
            runs = merged;
            exchange();
        }
    }

    private void merge(int low, int middle, int high) {
        int i = low;
        int j = middle;
        for (int at = low; at < high; at++) {
            int next = j == high || i < middle && ordered(i, j) ? i++ : j++;
            other[at] = sorted[next];
            otherTime[at] = sortedTime[next];
            otherActors[at] = sortedActors[next];
        }
    }

    /** What was merged becomes what is sorted. */
    private void exchange() {
        int[] slots = sorted;
        sorted = other;
        other = slots;
        long[] words = sortedTime;
        sortedTime = otherTime;
        otherTime = words;
        words = sortedActors;
        sortedActors = otherActors;
        otherActors = words;
    }

    private boolean ordered(int i, int j) {
        return order(sortedTime[i], sortedActors[i], sorted[i], sortedTime[j], sortedActors[j], sorted[j]) < 0;
    }

    private void sort(int low, int high) {
        while (high - low > 24) {
            int middle = median(low, low + high >>> 1, high);
            int pivot = sorted[middle];
            long pivotTime = sortedTime[middle];
            long pivotActors = sortedActors[middle];
            int i = low;
            int j = high;
            while (i <= j) {
                while (order(sortedTime[i], sortedActors[i], sorted[i], pivotTime, pivotActors, pivot) < 0) {
                    i++;
                }
                while (order(pivotTime, pivotActors, pivot, sortedTime[j], sortedActors[j], sorted[j]) < 0) {
                    j--;
                }
                if (i <= j) {
                    swap(i++, j--);
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
            insert(low, i);
        }
    }

    private void insert(int low, int i) {
        int slot = sorted[i];
        long time = sortedTime[i];
        long actors = sortedActors[i];
        int j = i - 1;
        while (j >= low && order(time, actors, slot, sortedTime[j], sortedActors[j], sorted[j]) < 0) {
            sorted[j + 1] = sorted[j];
            sortedTime[j + 1] = sortedTime[j];
            sortedActors[j + 1] = sortedActors[j];
            j--;
        }
        sorted[j + 1] = slot;
        sortedTime[j + 1] = time;
        sortedActors[j + 1] = actors;
    }

    private void swap(int i, int j) {
        int slot = sorted[i];
        sorted[i] = sorted[j];
        sorted[j] = slot;
        long word = sortedTime[i];
        sortedTime[i] = sortedTime[j];
        sortedTime[j] = word;
        word = sortedActors[i];
        sortedActors[i] = sortedActors[j];
        sortedActors[j] = word;
    }

    private int order(long time, long actors, int slot, long otherTime, long otherActors, int other) {
        if (time != otherTime) {
            return time < otherTime ? -1 : 1;
        }
        return actors != otherActors ? actors < otherActors ? -1 : 1 : byNumber(slot, other);
    }

    private int byNumber(int one, int other) {
        return (int) (words[one + NUMBER] >>> 8) - (int) (words[other + NUMBER] >>> 8);
    }

    private int median(int i, int j, int k) {
        if (ordered(i, j)) {
            return ordered(j, k) ? j : ordered(i, k) ? k : i;
        }
        return ordered(i, k) ? i : ordered(j, k) ? k : j;
    }

    private void grow(int room) {
        int old = words.length;
        if (room > Integer.MAX_VALUE / WORDS) {
            throw new IllegalStateException(room + " events pending are too many");
        }
        words = Arrays.copyOf(words, Math.max(16, room) * WORDS);
        for (int slot = words.length - WORDS; slot >= old; slot -= WORDS) {
            words[slot + NEXT] = free;
            free = slot;
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
