package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Outlet;
import java.util.Arrays;

/**
 * Records of the port itself that a peer is to get as soon as there is room for them. There is one question at a time,
 * and so one answer: what a peer can make this rank keep is bounded.
 */
final class Errands {
    /** Nothing was asked; the question waits; it was sent; the answer was no. */
    static final int IDLE = 0;
    static final int DUE = 1;
    static final int ASKED = 2;
    static final int REFUSED = 3;

    private static final int WORD = Long.BYTES;

    private final OfiPeer peer;
    boolean pings;
    boolean leaves;
    int question = IDLE;
    long asked;
    /** The allocation that the peer has asked for, while the answer is due. */
    boolean answers;
    long wanted;
    long base;
    long key;
    long bytes;
    /** Allocations of this rank that end, and those of the peer that are not accessed any more. */
    private long[] endings = new long[4];
    private int endingCount;
    private long[] releases = new long[4];
    private int releaseCount;

    Errands(OfiPeer peer) {
        this.peer = peer;
    }

    boolean isEmpty() {
        return !pings && !leaves && question != DUE && !answers && endingCount == 0 && releaseCount == 0;
    }

    void ask(long place) {
        asked = place;
        question = DUE;
    }

    void end(long place) {
        if (endingCount == endings.length) {
            endings = Arrays.copyOf(endings, 2 * endingCount);
        }
        endings[endingCount++] = place;
    }

    void release(long place) {
        if (releaseCount == releases.length) {
            releases = Arrays.copyOf(releases, 2 * releaseCount);
        }
        releases[releaseCount++] = place;
    }

    /** Forgets all: the peer is gone. */
    void clear() {
        pings = false;
        leaves = false;
        answers = false;
        question = IDLE;
        endingCount = 0;
        releaseCount = 0;
    }

    /** Writes what there is room for; whether that was anything. */
    boolean run() {
        boolean any = false;
        if (pings && put(Message.PING, 0)) {
            pings = false;
            any = true;
        }
        if (answers && putAnswer()) {
            answers = false;
            any = true;
        }
        if (question == DUE && put(Message.ASK, asked)) {
            question = ASKED;
            any = true;
        }
        while (endingCount > 0 && put(Message.ENDING, endings[endingCount - 1])) {
            endingCount--;
            any = true;
        }
        while (releaseCount > 0 && put(Message.RELEASED, releases[releaseCount - 1])) {
            releaseCount--;
            any = true;
        }
        if (leaves && put(Message.GOODBYE, 0)) {
            leaves = false;
            any = true;
        }
        return any;
    }

    private boolean put(long kind, long place) {
        long at = peer.claimOwn(WORD);
        if (at == Outlet.FULL) {
            return false;
        }
        Raw.word(at, place);
        peer.add(at, WORD, 0, kind);
        return true;
    }

    private boolean putAnswer() {
        long at = peer.claimOwn(4 * WORD);
        if (at == Outlet.FULL) {
            return false;
        }
        Raw.word(at, wanted);
        Raw.word(at + WORD, base);
        Raw.word(at + 2 * WORD, key);
        Raw.word(at + 3 * WORD, bytes);
        peer.add(at, 4 * WORD, 0, Message.ANSWER);
        return true;
    }
}
