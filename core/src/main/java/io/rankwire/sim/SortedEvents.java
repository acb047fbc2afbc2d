package io.rankwire.sim;

import static io.rankwire.sim.EventBins.ACTORS;
import static io.rankwire.sim.EventBins.TIME;

import java.util.Arrays;

/**
 * The events of the bin whose turn it is, in their order. A key each, which decides nearly always, and the place lie
 * beside, close together.
 */
final class SortedEvents {
    /** Events from which on they are sorted as runs. */
    private static final int MANY = 1 << 10;
    private static final int FEW = 24;

    private final EventBins bins;
    private int[] places = new int[64];
    private long[] keys = new long[64];
    /** Room to merge into, and where runs end. */
    private int[] otherPlaces = new int[0];
    private long[] otherKeys = new long[0];
    private int[] ends = new int[64];
    private int from;
    private int to;
    private int head;

    SortedEvents(EventBins bins) {
        this.bins = bins;
    }

    boolean isEmpty() {
        return from == to;
    }

    int size() {
        return to - from;
    }

    /** The place of an event by how many are before it. */
    int place(int after) {
        return places[from + after];
    }

    void drop() {
        from++;
    }

    void clear() {
        bins.giveBack(head, to);
        from = 0;
        to = 0;
    }

    /** Takes the events of a bin; the events before must be gone. Returns how many there are. */
    int take(long bin, int shift) {
        clear();
        int count = bins.count(bin);
        if (count > places.length) {
            places = new int[2 * count];
            keys = new long[2 * count];
        }
        head = bins.head(bin);
        bins.take(bin, places);
        long[] words = bins.words;
        long start = bin << shift;
        for (int i = 0; i < count; i++) {
            int place = places[i];
            long after = words[place + TIME] - start;
            keys[i] = shift > 31 ? after : after << 32 | words[place + ACTORS] >>> 32;
        }
        to = count;
        if (count > MANY) {
            mergeRuns(count);
        } else {
            sort(0, count - 1);
        }
        return count;
    }

    /** Whether all are of one time. */
    boolean atOnce() {
        return bins.words[places[from] + TIME] == bins.words[places[to - 1] + TIME];
    }

    private boolean ordered(int i, int j) {
        return keys[i] != keys[j] ? keys[i] < keys[j] : bins.before(places[i], places[j]);
    }

    private boolean before(long key, int place, int j) {
        return key != keys[j] ? key < keys[j] : bins.before(place, places[j]);
    }

    private boolean after(int i, long key, int place) {
        return key != keys[i] ? keys[i] < key : bins.before(places[i], place);
    }

    /** Ranks in step leave a bin of events that were added in long runs, which are merged two by two. */
    private void mergeRuns(int count) {
        int runs = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || ordered(i, i - 1)) {
                if (runs == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * runs);
                }
                ends[runs++] = i;
            }
        }
        if (runs > 1 && otherPlaces.length < places.length) {
            otherPlaces = new int[places.length];
            otherKeys = new long[places.length];
        }
        while (runs > 1) {
            int merged = 0;
            for (int run = 0; run < runs; run += 2) {
                int low = run == 0 ? 0 : ends[run - 1];
                int middle = ends[run];
                int high = run + 1 < runs ? ends[run + 1] : middle;
                merge(low, middle, high);
                // Behind what is still to be read.
                ends[merged++] = high;
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
            otherPlaces[at] = places[next];
            otherKeys[at] = keys[next];
        }
    }

    /** What was merged becomes what is sorted. */
    private void exchange() {
        int[] merged = otherPlaces;
        otherPlaces = places;
        places = merged;
        long[] mergedKeys = otherKeys;
        otherKeys = keys;
        keys = mergedKeys;
    }

    private void sort(int low, int high) {
        while (high - low > FEW) {
            int middle = median(low, low + high >>> 1, high);
            int pivot = places[middle];
            long pivotKey = keys[middle];
            int i = low;
            int j = high;
            while (i <= j) {
                while (after(i, pivotKey, pivot)) {
                    i++;
                }
                while (before(pivotKey, pivot, j)) {
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
        int place = places[i];
        long key = keys[i];
        int j = i - 1;
        while (j >= low && before(key, place, j)) {
            places[j + 1] = places[j];
            keys[j + 1] = keys[j];
            j--;
        }
        places[j + 1] = place;
        keys[j + 1] = key;
    }

    private void swap(int i, int j) {
        int place = places[i];
        places[i] = places[j];
        places[j] = place;
        long key = keys[i];
        keys[i] = keys[j];
        keys[j] = key;
    }

    private int median(int i, int j, int k) {
        if (ordered(i, j)) {
            return ordered(j, k) ? j : ordered(i, k) ? k : i;
        }
        return ordered(i, k) ? i : ordered(j, k) ? k : j;
    }
}
