package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Device;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.PeerLost;
import io.rankwire.launch.Board;
import java.util.function.Consumer;

/**
 * The peers that this rank has lost, and the errors of calls that need one of them. Part of {@link Host}; its callers
 * have the lock.
 */
public final class PeerLosses {
    private final Device device;
    private final Board board;
    private final int rank;
    private final boolean isVirtual;
    /** Null in a job that ends with its first lost rank. */
    private Survivors survivors;
    private Consensus consensus;
    private long nowNs;
    /** The peer that was lost last, and whether a call has reported it. */
    private PeerLost lost;
    private boolean reported;
    /** Called with each lost peer. */
    private Consumer<PeerLost> listener = peer -> { };

    PeerLosses(Device device, Board board, int rank, boolean isVirtual) {
        this.device = device;
        this.board = board;
        this.rank = rank;
        this.isVirtual = isVirtual;
    }

    /** Calls this with each peer that the fabric has lost from now on. */
    void onLoss(Consumer<PeerLost> to) {
        listener = to;
    }

    /**
     * @param by goes on without ranks that are declared dead; null if the job does not
     */
    void goOn(Survivors by, Consensus revocations) {
        survivors = by;
        consensus = revocations;
    }

    /** Whether a rank was declared dead and the next reading of the clock takes that in; needs no lock. */
    boolean hasNews() {
        return survivors != null && survivors.hasNews();
    }

    /** Passes the time to a fabric that repeats frames; returns 0 unless a peer was lost, which ends operations. */
    int advance(long ns) {
        nowNs = ns;
        PeerLost now = device.advance(ns);
        if (now != null) {
            note(now);
            listener.accept(now);
            if (survivors != null) {
                survivors.suspect();
            }
        }
        return (now == null ? 0 : 1) + (consensus == null ? 0 : consensus.settle())
                + (survivors == null ? 0 : survivors.look(ns));
    }

    /** Takes in deaths for a call that does not wait: a program that computes makes few, and none reads the clock. */
    void look() {
        if (survivors != null) {
            survivors.look();
        }
    }

    /** A peer is lost. */
    void note(PeerLost peer) {
        lost = peer;
        reported = false;
    }

    /**
     * Returns the error of a call that waits for a lost peer.
     *
     * @param what the call, its peer and the program's line
     * @param cause null for the peer that was lost last
     */
    RankwireException error(String what, PeerLost cause) {
        // A peer whose frame made no sense just now has ended the call, and is reported with it.
        advance(nowNs);
        reported = true;
        PeerLost why = cause == null ? lost : cause;
        awaitAbort(what, why);
        return new RankwireException(ErrorClass.PEER, "rank " + rank + ": " + what + ": " + why.getMessage());
    }

    /** Returns the error of a call that has found that it cannot reach a peer at all. */
    RuntimeException unreachable(PeerLost peer, String call) {
        awaitAbort(call, peer);
        if (survivors != null) {
            survivors.suspect(peer.rank());
        }
        return new RankwireException(survivors == null ? ErrorClass.RESOURCE : ErrorClass.PEER,
                "rank " + rank + ": " + call + ": " + peer.getMessage(), peer);
    }

    boolean hasLost() {
        return lost != null;
    }

    /** Throws if a peer was lost and no call has reported it: messages to that peer may not have arrived. */
    void check(String call) {
        if (lost != null && !reported && survivors == null) {
            throw error(call + ": what was sent to rank " + lost.rank() + " may not have arrived", lost);
        }
    }

    RankwireException givenUp(String what) {
        return new RankwireException(ErrorClass.ABORTED,
                "rank " + rank + ": " + what + " was given up: " + board.abortReason());
    }

    /** Waits some time for the launcher to abort the job: its reason says more of a lost peer than this call can. */
    private void awaitAbort(String call, PeerLost why) {
        boolean mayCome = !isVirtual && survivors == null && !(why instanceof BadFrame);
        if (mayCome ? OtherRanks.holdsSoon(board::aborted) : survivors != null && board.aborted()) {
            throw givenUp(call);
        }
    }
}
