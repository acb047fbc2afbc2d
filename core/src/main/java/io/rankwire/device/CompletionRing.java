package io.rankwire.device;

/**
 * The places of operations that have ended, in the order in which they ended. The maker of the ring gives each
 * operation a place of its own below the ring's capacity, so that the ring never overflows. It belongs to the thread
 * that drives the device.
 */
public final class CompletionRing {
    private final int[] places;
    private int first;
    private int count;

    public CompletionRing(int capacity) {
        places = new int[capacity];
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Adds the place of an operation that has ended. */
    public void add(int place) {
        int at = first + count++;
        places[at < places.length ? at : at - places.length] = place;
    }

    /** Takes the place that was added first of those that are there; there is one. */
    public int take() {
        int place = places[first];
        first = first + 1 < places.length ? first + 1 : 0;
        count--;
        return place;
    }
}
