package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.at;
import static io.rankwire.device.match.HeaderStore.check;

import java.util.function.LongConsumer;

/**
 * From a key to the FIFO of headers that carry it. Open addressing with linear probing over 16-byte slots, four to a
 * cache line; a removed key's place is closed by shifting back, so nothing lingers and a miss stays short.
 *
 * <pre>
 *  slot: key (0 = empty) | head:32 tail:32
 * </pre>
 *
 * The links of a FIFO are in the headers. A head's previous and a tail's next mean nothing: the slot says which
 * headers are head and tail, which saves a write to the neighbour's line on the common removal.
 */
final class KeyTable {
    private static final long[] NO_SLOTS = new long[2];
    private static final int FIRST_SLOTS = 16;
    private static final int SMALL = 1 << 15;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final long SPREAD_AGAIN = 0xBF58476D1CE4E5B9L;

    private long[] slots = NO_SLOTS;
    private int keys;
    private int mostKeys;
    /** The slot looked at last: receives and messages come in runs of one key. Only a guess, the key is compared. */
    private int memo;

    /** Sources differ above bit 31 and tags below. One product alone piles up sources that are a stride apart. */
    private static int home(long key, int mask) {
        long h = key * SPREAD;
        h = (h ^ h >>> 32) * SPREAD_AGAIN;
        return (int) (h >>> 32) & mask;
    }

    /** The index of the key's slot, or of the empty slot where it would go. */
    private static int locate(long[] slots, long key) {
        int mask = slots.length - 2;
        int i = home(key, mask);
        long found = slots[i];
        i = i + (elsewhere(found, key) << 1) & mask;
        while ((found = slots[i]) != key && found != 0) {
            i = i + 2 & mask;
        }
        return i;
    }

    /**
     * 1 if a slot holds another key, else 0. Without a branch: whether a random key's home is taken cannot be
     * predicted, and a wrong guess costs more than this.
     */
    private static int elsewhere(long found, long key) {
        long other = found ^ key;
        return (int) (((found | -found) & (other | -other)) >>> 63);
    }

    int keys() {
        return keys;
    }

    /** The key's slot, for {@link #headAt} and {@link #removeHead}, or -1; which of them, no branch here depends on. */
    int find(long key) {
        long[] slots = this.slots;
        if (slots[memo] == key) {
            return memo;
        }
        int i = locate(slots, key);
        memo = i;
        long found = slots[i];
        return i | (int) ((found | -found) >>> 63) - 1;
    }

    /** As {@link #find}, but leaves no trace. */
    int peek(long key) {
        int slot = locate(slots, key);
        return slots[slot] == key ? slot : -1;
    }

    /** The wild bits of a slot's key. */
    int shapeAt(int slot) {
        return (int) (slots[slot] >>> 62);
    }

    int headAt(int slot) {
        return (int) (slots[slot + 1] >>> 32);
    }

    /** The first header of the key, or -1. */
    int head(long key) {
        int slot = find(key);
        return slot < 0 ? -1 : headAt(slot);
    }

    /** Appends a header to its key's FIFO; {@code link} says which of the header's longs holds this FIFO's links. */
    void append(long[] cells, long key, int entry, int link) {
        long[] slots = this.slots;
        int i = slots[memo] == key ? memo : locate(slots, key);
        if (slots[i] != 0) {
            long ends = slots[i + 1];
            int tail = (int) ends;
            int tailLink = at(tail) + link;
            cells[tailLink] = cells[tailLink] & 0xFFFFFFFFL | (long) entry << 32;
            cells[at(entry) + link] = tail;
            slots[i + 1] = ends & 0xFFFFFFFF00000000L | entry;
            return;
        }
        if (keys == mostKeys) {
            slots = grow();
            i = locate(slots, key);
        }
        keys++;
        memo = i;
        slots[i] = key;
        slots[i + 1] = (long) entry << 32 | entry;
    }

    private long[] grow() {
        long[] old = slots;
        int length = Math.max(2 * FIRST_SLOTS, Math.multiplyExact(old.length, 2));
        long[] grown = new long[length];
        for (int i = 0; i < old.length; i += 2) {
            if (old[i] != 0) {
                int to = locate(grown, old[i]);
                grown[to] = old[i];
                grown[to + 1] = old[i + 1];
            }
        }
        slots = grown;
        // Memory is cheap while the table is small: a quarter full; half full when it is large.
        mostKeys = length <= SMALL ? length / 8 : length / 4;
        return grown;
    }

    /** Removes the first header of a slot that {@link #find} gave. */
    void removeHead(long[] cells, int slot, int link) {
        long[] slots = this.slots;
        long ends = slots[slot + 1];
        int head = (int) (ends >>> 32);
        if (head == (int) ends) {
            keys--;
            close(slots, slot);
        } else {
            slots[slot + 1] = cells[at(head) + link] & 0xFFFFFFFF00000000L | ends & 0xFFFFFFFFL;
        }
    }

    /** Removes a header from anywhere in its key's FIFO. */
    void remove(long[] cells, long key, int entry, int link) {
        long[] slots = this.slots;
        int slot = locate(slots, key);
        assert slots[slot] == key : "no such key";
        long ends = slots[slot + 1];
        if ((int) (ends >>> 32) == entry) {
            removeHead(cells, slot, link);
            return;
        }
        long links = cells[at(entry) + link];
        int previous = (int) links;
        int previousLink = at(previous) + link;
        cells[previousLink] = cells[previousLink] & 0xFFFFFFFFL | links & 0xFFFFFFFF00000000L;
        if ((int) ends == entry) {
            slots[slot + 1] = ends & 0xFFFFFFFF00000000L | previous;
        } else {
            int nextLink = at((int) (links >>> 32)) + link;
            cells[nextLink] = cells[nextLink] & 0xFFFFFFFF00000000L | previous;
        }
    }

    /** Empties a slot and moves back whatever the hole would hide. */
    private static void close(long[] slots, int hole) {
        int mask = slots.length - 2;
        int i = hole + 2 & mask;
        long key;
        while ((key = slots[i]) != 0) {
            int fromHome = i - home(key, mask) & mask;
            if (fromHome >= (i - hole & mask)) {
                slots[hole] = key;
                slots[hole + 1] = slots[i + 1];
                hole = i;
            }
            i = i + 2 & mask;
        }
        slots[hole] = 0;
    }

    /** Writes every header of every FIFO into an array, in no order between keys; returns how many. */
    int collect(long[] cells, int link, int[] into) {
        int count = 0;
        for (int i = 0; i < slots.length; i += 2) {
            if (slots[i] == 0) {
                continue;
            }
            int tail = (int) slots[i + 1];
            int entry = headAt(i);
            into[count++] = entry;
            while (entry != tail) {
                entry = (int) (cells[at(entry) + link] >>> 32);
                into[count++] = entry;
            }
        }
        return count;
    }

    void forEachKey(LongConsumer key) {
        for (int i = 0; i < slots.length; i += 2) {
            if (slots[i] != 0) {
                key.accept(slots[i]);
            }
        }
    }

    /** How far all keys together are from home, in slots: what searching costs beyond the first probe. */
    long strayed() {
        int mask = slots.length - 2;
        long sum = 0;
        for (int i = 0; i < slots.length; i += 2) {
            sum += slots[i] == 0 ? 0 : (i - home(slots[i], mask) & mask) >> 1;
        }
        return sum;
    }

    void checkInvariants() {
        check((slots.length & slots.length - 1) == 0, "slots are not a power of two");
        check(keys <= mostKeys, "table too full");
        int seen = 0;
        for (int i = 0; i < slots.length; i += 2) {
            if (slots[i] != 0) {
                seen++;
                check(locate(slots, slots[i]) == i, "key cannot be reached");
            }
        }
        check(seen == keys, "keys lost or counted twice");
    }

    /** The headers in all FIFOs of one shape, whose links are checked on the way. */
    int length(long[] cells, int shape, int link, int most) {
        int length = 0;
        for (int i = 0; i < slots.length; i += 2) {
            if (slots[i] == 0 || (int) (slots[i] >>> 62) != shape) {
                continue;
            }
            length++;
            int tail = (int) slots[i + 1];
            for (int e = headAt(i); e != tail; length++) {
                check(length <= most, "FIFO runs in a circle");
                int next = (int) (cells[at(e) + link] >>> 32);
                check((int) cells[at(next) + link] == e, "FIFO links disagree");
                e = next;
            }
        }
        return length;
    }
}
