package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import io.rankwire.wire.MatchWord;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Posted receives that all carry one word: a ring of their handles. Order is the order of the ring, so there is nothing
 * to look up, link or allocate; each only counts as a header of the queue's share. {@link MatchQueue} keeps its
 * receives here while they are a run, and moves them into its table when one with another word comes.
 *
 * <p>Places are counted on and on, so a receive that has left never passes for one that is here. A cancelled receive
 * leaves a gap that the next arrival steps over. After {@link #spill} the ring holds the headers instead of the
 * handles, for callers that know only a place.
 */
final class Run {
    /** Marks an entry as a place in the run; headers of the store are fewer. */
    private static final int MARK = 1 << 30;
    private static final int PLACES = (1 << 29) - 1;
    private static final int GAP = -1;
    private static final int FIRST_LENGTH = 16;

    private final HeaderShare share;
    private int[] ring = new int[FIRST_LENGTH];
    private int head;
    private int tail;
    private int gaps;
    /** The word of all receives here; 0 while they are in the table. */
    private long word;

    Run(HeaderShare share) {
        this.share = share;
    }

    static boolean isPlace(int entry) {
        return (entry & MARK) != 0 && entry >= 0;
    }

    /** 0 if the run cannot take any, because it was spilled and not begun again. */
    long word() {
        return word;
    }

    int count() {
        return word == 0 ? 0 : tail - head - gaps;
    }

    /** Starts a run of another word; there must be no receive in it. */
    void begin(long newWord) {
        assert count() == 0 && newWord != 0;
        head = tail;
        gaps = 0;
        word = newWord;
    }

    /** Appends a receive with the run's word: {@code ~entry}, or {@link Matching#FULL}. */
    int append(int handle) {
        if (!share.reserve()) {
            return Matching.FULL;
        }
        int at = tail;
        ring[at & ring.length - 1] = handle;
        tail = at + 1;
        return ~(at & PLACES | MARK);
    }

    boolean hasRoom() {
        return tail - head != ring.length;
    }

    /** Makes room, unless the ring is mostly gaps: a few receives that stay must not make it grow for ever. */
    boolean grow() {
        if (gaps > ring.length >>> 1) {
            return false;
        }
        int[] old = ring;
        int[] grown = new int[Math.multiplyExact(old.length, 2)];
        for (int i = head; i != tail; i++) {
            grown[i & grown.length - 1] = old[i & old.length - 1];
        }
        ring = grown;
        return true;
    }

    /** The handle of the first receive if the message meets it, which is removed; or {@link Matching#NONE}. */
    int meet(long exactWord) {
        if (word != exactWord && !MatchWord.matches(word, exactWord)) {
            return Matching.NONE;
        }
        int at = head;
        if (at == tail) {
            return Matching.NONE;
        }
        int handle = ring[at & ring.length - 1];
        head = at + 1;
        if (handle == GAP) {
            gaps--;
            return meet(exactWord);
        }
        share.restore(1);
        return handle;
    }

    /** The handle of the first receive, which is left in place; or {@link Matching#NONE}. */
    int earliest() {
        int at = head;
        while (at != tail && ring[at & ring.length - 1] == GAP) {
            at++;
        }
        return at == tail ? Matching.NONE : ring[at & ring.length - 1];
    }

    /** The handle of the first receive, a gap's number or one that was there before. */
    int first() {
        return ring[head & ring.length - 1];
    }

    /** How many receives, gaps included, messages of this word would meet one after another. */
    int ready(long exactWord) {
        return word != 0 && MatchWord.matches(word, exactWord) ? tail - head : 0;
    }

    int ready(int after) {
        return ring[head + after & ring.length - 1];
    }

    void meetReady(int messages) {
        assert messages <= tail - head;
        head += messages;
        share.restore(messages);
    }

    /** Removes a receive from its place; false if it is not there any more. */
    boolean remove(int entry, int handle) {
        int place = entry - head & PLACES;
        if (place >= tail - head || ring[head + place & ring.length - 1] != handle) {
            return false;
        }
        ring[head + place & ring.length - 1] = GAP;
        gaps++;
        share.restore(1);
        trim();
        return true;
    }

    private void trim() {
        while (head != tail && ring[tail - 1 & ring.length - 1] == GAP) {
            tail--;
            gaps--;
        }
        while (head != tail && ring[head & ring.length - 1] == GAP) {
            head++;
            gaps--;
        }
    }

    /** Moves all receives to the table, in order; {@link #headerOf} gives their headers until {@link #begin}. */
    void spill(MatchQueue table) {
        long from = word;
        word = 0;
        for (int i = head; i != tail; i++) {
            int handle = ring[i & ring.length - 1];
            if (handle != GAP) {
                share.restore(1);
                ring[i & ring.length - 1] = table.insert(from, handle);
            }
        }
    }

    /** The header a receive of a spilled run has got, or -1 if it was not there any more. */
    int headerOf(int entry) {
        int place = entry - head & PLACES;
        return place >= tail - head ? -1 : ring[head + place & ring.length - 1];
    }

    void forEach(IntConsumer handle) {
        for (int i = head; i != tail; i++) {
            if (ring[i & ring.length - 1] != GAP) {
                handle.accept(ring[i & ring.length - 1]);
            }
        }
    }

    void checkInvariants() {
        check(Integer.bitCount(ring.length) == 1 && tail - head >= 0 && tail - head <= ring.length, "run's ends");
        if (word != 0) {
            int[] seen = new int[1];
            forEach(handle -> seen[0]++);
            check(seen[0] == count(), "gaps of the run miscounted");
            check(head == tail || ring[tail - 1 & ring.length - 1] != GAP, "the run ends with a gap");
        }
    }
}
