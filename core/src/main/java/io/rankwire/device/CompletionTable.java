package io.rankwire.device;

import io.rankwire.device.work.Watches;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * What the program attached to operations, and in which order they have ended. Each operation has a place in the table
 * from the moment at which it is added until it is taken; so the table never has more ended operations than places. The
 * table belongs to the thread that drives the device.
 *
 * @param <E> what is attached to an operation
 */
public final class CompletionTable<E> implements EndListener {
    private Object[] entries;
    /** Places without an entry; those from {@link #freeCount} up are stale. */
    private int[] free;
    private int freeCount;
    /** The places of operations that have ended: a ring. */
    private int[] ended;
    private int firstEnded;
    private int endedCount;
    /** Operations that have ended since the table was made. */
    private long produced;
    /** The programs that wait for a number of them; null if none ever did. */
    private Watches watches;

    public CompletionTable(int places) {
        entries = new Object[places];
        ended = new int[places];
        free = new int[places];
        addFree(0);
    }

    private void addFree(int from) {
        for (int place = entries.length - 1; place >= from; place--) {
            free[freeCount++] = place;
        }
    }

    public int places() {
        return entries.length;
    }

    /** The number of entries that were added and not taken. */
    public int size() {
        return entries.length - freeCount;
    }

    public boolean isFull() {
        return freeCount == 0;
    }

    /** Doubles the number of places. */
    public void grow() {
        int before = entries.length;
        int[] inOrder = new int[2 * before];
        for (int i = 0; i < endedCount; i++) {
            inOrder[i] = ended[(firstEnded + i) % before];
        }
        ended = inOrder;
        firstEnded = 0;
        entries = Arrays.copyOf(entries, 2 * before);
        free = Arrays.copyOf(free, 2 * before);
        addFree(before);
    }

    /**
     * Attaches an entry to an operation. The table is not full.
     *
     * @param operation null for one that has ended
     */
    public void add(E entry, Operation operation) {
        int place = free[--freeCount];
        entries[place] = entry;
        if (operation == null || operation.isDone()) {
            ended(place);
        } else {
            operation.noteEnd(this, place);
        }
    }

    @Override
    public void ended(int place) {
        int at = firstEnded + endedCount++;
        ended[at < ended.length ? at : at - ended.length] = place;
        produced++;
        if (watches != null) {
            watches.reached(produced);
        }
    }

    /** How many operations have ended since the table was made, taken or not. */
    public long produced() {
        return produced;
    }

    /** Programs that wait for a number of ends. */
    public Watches watches() {
        if (watches == null) {
            watches = new Watches();
        }
        return watches;
    }

    public boolean hasEnded() {
        return endedCount != 0;
    }

    /** The entry of the operation that has ended first. There is one. */
    @SuppressWarnings("unchecked") // add puts nothing else there
    public E first() {
        return (E) entries[ended[firstEnded]];
    }

    /** Takes the entry of the operation that has ended first. There is one. */
    public E take() {
        E entry = first();
        int place = ended[firstEnded];
        firstEnded = firstEnded + 1 < ended.length ? firstEnded + 1 : 0;
        endedCount--;
        entries[place] = null;
        free[freeCount++] = place;
        return entry;
    }

    @SuppressWarnings("unchecked") // add puts nothing else there
    public void forEach(Consumer<E> action) {
        for (Object entry : entries) {
            if (entry != null) {
                action.accept((E) entry);
            }
        }
    }
}
