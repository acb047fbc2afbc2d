package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The allocations of one rank: by id, whose lower bits are a place in a table and whose upper bits tell how often that
 * place was used before; and by address, in a sorted array.
 */
public final class Allocations {
    private static final int PLACE_BITS = 20;
    private static final int MOST = 1 << PLACE_BITS;

    private Shared[] places = new Shared[8];
    private long[] uses = new long[8];
    private Shared[] sorted = new Shared[8];
    private long[] starts = new long[8];
    private int count;

    /** The place of an id in a table. */
    public static int place(long id) {
        return (int) id & MOST - 1;
    }

    /** The id that the next {@link #add} takes. */
    public long nextId() {
        int place = 0;
        while (place < places.length && places[place] != null) {
            place++;
        }
        if (place == MOST) {
            throw new FabricException("a rank can have " + MOST + " allocations at a time", null);
        }
        long used = place < uses.length ? uses[place] : 0;
        return used << PLACE_BITS | place;
    }

    public void add(Shared shared) {
        int place = place(shared.id());
        if (place == places.length) {
            places = Arrays.copyOf(places, 2 * place);
            uses = Arrays.copyOf(uses, 2 * place);
        }
        assert places[place] == null && uses[place] == shared.id() >>> PLACE_BITS;
        places[place] = shared;
        uses[place]++;
        if (count == sorted.length) {
            sorted = Arrays.copyOf(sorted, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
        int at = after(shared.memory().address());
        System.arraycopy(sorted, at, sorted, at + 1, count - at);
        System.arraycopy(starts, at, starts, at + 1, count - at);
        sorted[at] = shared;
        starts[at] = shared.memory().address();
        count++;
    }

    /** The allocation with this id, or null. */
    public Shared get(long id) {
        int place = place(id);
        return place < places.length && places[place] != null && places[place].id() == id ? places[place] : null;
    }

    /** False if it is not, or no longer, here. */
    public boolean remove(Shared shared) {
        if (get(shared.id()) != shared) {
            return false;
        }
        places[place(shared.id())] = null;
        int at = after(shared.memory().address()) - 1;
        assert sorted[at] == shared;
        count--;
        System.arraycopy(sorted, at + 1, sorted, at, count - at);
        System.arraycopy(starts, at + 1, starts, at, count - at);
        sorted[count] = null;
        return true;
    }

    public int count() {
        return count;
    }

    /** By address, from 0 to {@link #count} - 1. */
    public Shared at(int i) {
        return sorted[i];
    }

    /** See {@link SharedMemory#find}. */
    public Shared find(MemorySegment memory, long offset, long bytes) {
        if (count == 0 || !memory.isNative()) {
            return null;
        }
        long address = memory.address() + offset;
        int at = after(address) - 1;
        return at >= 0 && address - starts[at] <= sorted[at].memory().byteSize() - bytes ? sorted[at] : null;
    }

    /** How many allocations start at or before an address. Addresses of user memory are positive. */
    private int after(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (starts[middle] <= address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
