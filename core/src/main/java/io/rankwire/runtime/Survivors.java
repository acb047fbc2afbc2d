package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Device;
import io.rankwire.fabric.PeerLost;
import io.rankwire.launch.FailureLog;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Goes on without dead ranks, in a job that does. Only the {@link FailureLog} says who is dead, so that all ranks learn
 * of the same deaths in the same order. This class looks there with each reading of the clock, ends what waits for a
 * rank that is new in the log, and marks the communicators that it is a member of. A peer that the fabric has lost
 * earlier is a suspect until it is in the log. Its callers have the lock.
 */
public final class Survivors {
    /** Rounds of progress in which frames of a dead rank are taken in that it had sent before. */
    private static final int MOST_ROUNDS = 256;
    /** A word that no log has. */
    private static final long NOTHING = -1;

    private final Session session;
    private final FailureLog log;
    /** The memory and the place in which calls look at the log's {@link FailureLog#countWord}; null if it has none. */
    private final MemorySegment reach;
    private final long at;
    /** What the word was when all that the log had was taken in. */
    private long taken;
    private final Device device;
    /** The deaths that are taken in, in the order of the log. */
    private final List<PeerLost> dead = new ArrayList<>();
    /** Ranks that this one cannot reach and that are not in the log. */
    private final BitSet suspects = new BitSet();
    private int lastSuspect;

    Survivors(Session session, FailureLog log) {
        this.session = session;
        this.log = log;
        MemorySegment word = log.countWord();
        this.reach = word == null ? null : Words.reach(word);
        this.at = word == null ? 0 : Words.origin(word);
        long now = word();
        this.taken = log.count() == 0 ? now : NOTHING;
        this.device = session.host().device;
    }

    /** Takes in the deaths that were declared since the last time; returns how many. */
    int look(long nowNs) {
        if (!hasNews() && suspects.isEmpty()) {
            return 0;
        }
        int before = dead.size();
        takeIn(nowNs);
        if (!suspects.isEmpty()) {
            report();
        }
        return dead.size() - before;
    }

    /** The same for a call that may not wait: without the clock, unless there is news. */
    void look() {
        if (hasNews()) {
            takeIn(session.host().nowNs());
        }
    }

    /** Whether deaths were declared that are not taken in; needs no lock. Many calls ask, so this is one comparison. */
    public boolean hasNews() {
        return (reach == null || Words.glance(reach, at) != taken) && log.count() > dead.size();
    }

    private void takeIn(long nowNs) {
        long now = word();
        for (int i = dead.size(); i < log.count(); i++) {
            int rank = log.rank(i);
            PeerLost cause = new PeerLost(rank, log.cause(i));
            if (rank == session.worldRank()) {
                endSelf(cause);
            }
            dead.add(cause);
            suspects.clear(rank);
            takeIn(cause, nowNs);
        }
        taken = now;
    }

    /** Ends everything that waits for a dead rank, even if its last frames cause an error. */
    private void takeIn(PeerLost cause, long nowNs) {
        RuntimeException failure = null;
        try {
            takeLast(nowNs);
        } catch (RuntimeException e) {
            failure = e;
        }
        try {
            device.lose(cause);
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
        session.host().losses.note(cause);
        for (Endpoint each : session.contexts().live()) {
            try {
                each.members().lose(cause);
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private long word() {
        return reach == null ? NOTHING : Words.acquire(reach, at);
    }

    /** Takes in what a dead rank has sent: it sends nothing any more. */
    private void takeLast(long nowNs) {
        int round = 0;
        while (round < MOST_ROUNDS && device.progressAll(nowNs) != 0) {
            round++;
        }
    }

    private void endSelf(PeerLost cause) {
        String text = "rank " + session.worldRank() + " ends: it was declared dead: " + cause.getMessage();
        session.declaredDead(text);
        throw new RankwireException(ErrorClass.ABORTED, text);
    }

    /** The deaths that are taken in, in the order of the log. */
    List<PeerLost> dead() {
        return dead;
    }

    /** Whether every peer that this rank has lost is in the log, and what the log has is taken in. */
    boolean isSettled() {
        return suspects.isEmpty() && log.count() == dead.size();
    }

    /** The fabric has lost peers. */
    void suspect() {
        for (int rank = 0; rank < session.places(); rank++) {
            if (device.lost(rank) != null) {
                suspect(rank);
            }
        }
    }

    /** The fabric cannot reach a peer. */
    void suspect(int rank) {
        if (!log.isDead(rank)) {
            suspects.set(rank);
            report();
        }
    }

    /** Reports the suspects in turn, until each is in the log. */
    private void report() {
        int next = suspects.nextSetBit(lastSuspect + 1);
        lastSuspect = next < 0 ? suspects.nextSetBit(0) : next;
        log.suspect(session.worldRank(), lastSuspect);
    }
}
