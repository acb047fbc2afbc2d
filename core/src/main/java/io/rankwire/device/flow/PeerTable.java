package io.rankwire.device.flow;

import static io.rankwire.device.flow.FramePool.check;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * What is known of the peers that frames were lately exchanged with: sixteen numbers of four bytes each, in flat arrays
 * by place. Twelve are state, two the order of deadlines, two the way from a rank to its place. Of other peers nothing
 * is known, and nothing kept.
 */
final class PeerTable {
    static final int NONE = -1;
    /** Bytes of one place in all arrays together. */
    static final int BYTES = 64;

    // States of the stream to a peer.
    static final int OUT_NONE = 0;
    static final int OUT_OPEN = 1;
    /** All is acknowledged, and CLOSE was sent. */
    static final int OUT_CLOSING = 2;

    // States of the stream from a peer.
    static final int IN_NONE = 0;
    /** The peer was asked whether the stream is alive. */
    static final int IN_ASKED = 1;
    static final int IN_OPEN = 2;

    // Single facts.
    /** The peer has answered: its incarnation is not one from a frame that may be ages old. */
    static final int KNOWN = 1 << 4;
    /** The peer has answered to this very stream. */
    static final int ACCEPTED = 1 << 5;
    /** The peer has said it is not ready. */
    static final int REFUSED = 1 << 6;
    /** Some frames were not yet sent a first time, or are lost and were not repeated. */
    static final int UNSENT = 1 << 7;
    /** The deadline is the one for silence, and nothing has happened since it was set. */
    static final int IDLING = 1 << 8;
    /** A frame to the peer counts as lost at a known time. */
    static final int DOUBTFUL = 1 << 9;

    /** Two timeouts have passed since the peer took a frame. */
    static final int SILENT = 1 << 27;

    private static final int TRIES_AT = 10;
    private static final int SHIFT_AT = 16;
    private static final int OWED_AT = 21;
    private static final int SIX_BITS = 0x3F;
    private static final int FIVE_BITS = 0x1F;

    int[] peer = new int[0];
    int[] facts = new int[0];
    /** The peer's incarnation, or 0. */
    int[] incarnation = new int[0];
    int[] outStream = new int[0];
    /** Number of the next frame; when closing, the tick of the last CLOSE. */
    int[] outNext = new int[0];
    /** Last of the ring of frames that are not acknowledged, in order and without gaps. */
    int[] outLast = new int[0];
    /** Smoothed round trip in eighths of ticks, or 0. */
    int[] roundTrip = new int[0];
    /** Its mean deviation in quarters of ticks. */
    int[] deviation = new int[0];
    int[] inStream = new int[0];
    /** Number of the next frame wanted; while asked, the token. */
    int[] inNext = new int[0];
    /** Last of the ring of frames that came too early, in order. */
    int[] inLast = new int[0];
    int[] due = new int[0];

    /** Places in the order of their deadlines: a heap. */
    private int[] heap = new int[0];
    /** Where in the heap a place is, or {@link #NONE}. */
    private int[] heapAt = new int[0];
    private int heapCount;
    /** Places by rank: open addressing; 0 or place + 1. */
    private int[] index = new int[0];

    private final int most;
    private int count;
    private int freePlace = NONE;
    /** Places from here up were never used. */
    private int fresh;
    int tick;
    /** Ticks between the last two polls. */
    int pause;

    PeerTable(int most) {
        this.most = most;
    }

    int count() {
        return count;
    }

    /**
     * Whether another peer may be spoken to. Some places are left for peers that send to this rank: were all taken by
     * streams to peers, ranks could wait for each other in a circle.
     */
    boolean admits() {
        return count < most - Math.max(1, most / 8);
    }

    int find(int rank) {
        if (count == 0) {
            return NONE;
        }
        int mask = index.length - 1;
        for (int i = home(rank, mask);; i = i + 1 & mask) {
            int place = index[i] - 1;
            if (place < 0 || peer[place] == rank) {
                return place;
            }
        }
    }

    private static int home(int rank, int mask) {
        return rank * 0x9E37_79B9 >>> 7 & mask;
    }

    /** A place for a peer that has none, or {@link #NONE} if all are taken. */
    int open(int rank) {
        if (count == most) {
            return NONE;
        }
        int place = freePlace;
        if (place != NONE) {
            freePlace = outNext[place];
        } else {
            if (fresh == peer.length) {
                grow();
            }
            place = fresh++;
        }
        count++;
        peer[place] = rank;
        facts[place] = 0;
        incarnation[place] = 0;
        outLast[place] = NONE;
        inLast[place] = NONE;
        roundTrip[place] = 0;
        deviation[place] = 0;
        heapAt[place] = NONE;
        enter(place);
        return place;
    }

    private void enter(int place) {
        int mask = index.length - 1;
        int i = home(peer[place], mask);
        while (index[i] != 0) {
            i = i + 1 & mask;
        }
        index[i] = place + 1;
    }

    private void grow() {
        int places = Math.min(most, Math.max(4, 2 * fresh));
        peer = Arrays.copyOf(peer, places);
        facts = Arrays.copyOf(facts, places);
        incarnation = Arrays.copyOf(incarnation, places);
        outStream = Arrays.copyOf(outStream, places);
        outNext = Arrays.copyOf(outNext, places);
        outLast = Arrays.copyOf(outLast, places);
        roundTrip = Arrays.copyOf(roundTrip, places);
        deviation = Arrays.copyOf(deviation, places);
        inStream = Arrays.copyOf(inStream, places);
        inNext = Arrays.copyOf(inNext, places);
        inLast = Arrays.copyOf(inLast, places);
        due = Arrays.copyOf(due, places);
        heap = Arrays.copyOf(heap, places);
        heapAt = Arrays.copyOf(heapAt, places);
        index = new int[Integer.highestOneBit(2 * places)];
        // All places below are taken: otherwise one of them would have been given again.
        for (int place = 0; place < fresh; place++) {
            enter(place);
        }
    }

    /** Forgets a peer with which nothing is open any more. */
    void close(int place) {
        assert out(place) == OUT_NONE && in(place) == IN_NONE && outLast[place] == NONE && inLast[place] == NONE;
        rest(place);
        remove(place);
        count--;
        peer[place] = NONE;
        outNext[place] = freePlace;
        freePlace = place;
    }

    /** Takes a place out of the index and closes the gap, so that a search may still end at the first empty entry. */
    private void remove(int place) {
        int mask = index.length - 1;
        int gap = home(peer[place], mask);
        while (index[gap] != place + 1) {
            gap = gap + 1 & mask;
        }
        index[gap] = 0;
        for (int i = gap + 1 & mask; index[i] != 0; i = i + 1 & mask) {
            int home = home(peer[index[i] - 1], mask);
            if ((i - home & mask) >= (i - gap & mask)) {
                index[gap] = index[i];
                index[i] = 0;
                gap = i;
            }
        }
    }

    int out(int place) {
        return facts[place] & 3;
    }

    void out(int place, int state) {
        facts[place] = facts[place] & ~3 | state;
    }

    int in(int place) {
        return facts[place] >>> 2 & 3;
    }

    void in(int place, int state) {
        facts[place] = facts[place] & ~(3 << 2) | state << 2;
    }

    boolean is(int place, int fact) {
        return (facts[place] & fact) != 0;
    }

    void set(int place, int fact) {
        facts[place] |= fact;
    }

    void clear(int place, int fact) {
        facts[place] &= ~fact;
    }

    /** Repetitions since the peer last took something. */
    int tries(int place) {
        return facts[place] >>> TRIES_AT & SIX_BITS;
    }

    void tries(int place, int tries) {
        facts[place] = facts[place] & ~(SIX_BITS << TRIES_AT) | tries << TRIES_AT;
    }

    /** How often the time to a repetition was doubled. */
    int shift(int place) {
        return facts[place] >>> SHIFT_AT & FIVE_BITS;
    }

    void shift(int place, int shift) {
        facts[place] = facts[place] & ~(FIVE_BITS << SHIFT_AT) | Math.min(shift, FIVE_BITS) << SHIFT_AT;
    }

    /** Frames taken in since the last acknowledgement, up to 63. */
    int owed(int place) {
        return facts[place] >>> OWED_AT & SIX_BITS;
    }

    void owe(int place) {
        if (owed(place) < SIX_BITS) {
            facts[place] += 1 << OWED_AT;
        }
    }

    void settle(int place) {
        facts[place] &= ~(SIX_BITS << OWED_AT);
    }

    /** Sets a deadline unless there is an earlier one. */
    void need(int place, int at) {
        if (heapAt[place] == NONE) {
            due[place] = at;
            heap[heapCount] = place;
            heapAt[place] = heapCount;
            up(heapCount++);
        } else if (at - due[place] < 0) {
            due[place] = at;
            up(heapAt[place]);
        }
    }

    /** Takes away the deadline. */
    void rest(int place) {
        int at = heapAt[place];
        if (at == NONE) {
            return;
        }
        heapAt[place] = NONE;
        int last = heap[--heapCount];
        if (last != place) {
            heap[at] = last;
            heapAt[last] = at;
            up(at);
            down(heapAt[last]);
        }
    }

    boolean isAwaited(int place) {
        return heapAt[place] != NONE;
    }

    /** The place with the earliest deadline, or {@link #NONE}. */
    int first() {
        return heapCount == 0 ? NONE : heap[0];
    }

    /** The place with the earliest deadline among those that the test holds for, or {@link #NONE}. */
    int firstOf(IntPredicate test) {
        int first = NONE;
        for (int at = 0; at < heapCount; at++) {
            int place = heap[at];
            if ((first == NONE || before(place, first)) && test.test(place)) {
                first = place;
                if (at == 0) {
                    break;
                }
            }
        }
        return first;
    }

    boolean isDue(int place) {
        return due[place] - tick <= 0;
    }

    private void up(int from) {
        int at = from;
        int place = heap[at];
        while (at > 0) {
            int above = heap[at - 1 >>> 1];
            if (!before(place, above)) {
                break;
            }
            heap[at] = above;
            heapAt[above] = at;
            at = at - 1 >>> 1;
        }
        heap[at] = place;
        heapAt[place] = at;
    }

    private void down(int from) {
        int at = from;
        int place = heap[at];
        while (2 * at + 1 < heapCount) {
            int below = 2 * at + 1;
            if (below + 1 < heapCount && before(heap[below + 1], heap[below])) {
                below++;
            }
            if (!before(heap[below], place)) {
                break;
            }
            heap[at] = heap[below];
            heapAt[heap[at]] = at;
            at = below;
        }
        heap[at] = place;
        heapAt[place] = at;
    }

    /** Ties go by rank, so that the order does not depend on the past. */
    private boolean before(int a, int b) {
        int apart = due[a] - due[b];
        return apart != 0 ? apart < 0 : peer[a] < peer[b];
    }

    /** Bytes of all arrays. */
    long bytes() {
        return 4L * (14L * peer.length + index.length);
    }

    void checkInvariants() {
        int used = 0;
        int waiting = 0;
        for (int place = 0; place < fresh; place++) {
            if (peer[place] != NONE) {
                used++;
                check(find(peer[place]) == place, "rank " + peer[place] + " is not found at its place");
                waiting += heapAt[place] == NONE ? 0 : 1;
                check(heapAt[place] == NONE || heap[heapAt[place]] == place, "a place is not where the heap has it");
            }
        }
        check(used == count && count <= most, count + " places counted, " + used + " found, most " + most);
        check(waiting == heapCount, heapCount + " deadlines counted, " + waiting + " found");
        for (int at = 1; at < heapCount; at++) {
            check(!before(heap[at], heap[at - 1 >>> 1]), "deadlines out of order");
        }
        check(bytes() <= (long) BYTES * Math.max(4, peer.length), bytes() + " bytes for " + peer.length + " places");
    }
}
