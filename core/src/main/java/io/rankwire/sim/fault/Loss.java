package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Channel;
import io.rankwire.device.Device;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;

/** How those that live come to know that a rank is dead. */
final class Loss {
    private static final int MOST_LATE_PS = 40_000_000;
    private static final int NO_REGION = 1 << 19;

    private final int victim;
    private final Rand rand;
    private final Device[] devices;
    private final boolean[] reported;
    /** When a fabric that loses no frames notices, by rank. */
    private final long[] at;
    /** By rank: the question to the dead rank by which it finds out. */
    private final Channel[] questions;

    Loss(int victim, Rand rand, Device[] devices) {
        this.victim = victim;
        this.rand = rand;
        this.devices = devices;
        reported = new boolean[devices.length];
        at = new long[devices.length];
        questions = new Channel[devices.length];
    }

    boolean isTold(int rank) {
        return reported[rank];
    }

    void reported(int rank) {
        check(!reported[rank], "rank " + rank + " got two reports that rank " + victim + " is lost");
        reported[rank] = true;
    }

    long at(int rank, long now) {
        if (at[rank] == 0) {
            at[rank] = now + rand.below(MOST_LATE_PS);
        }
        return at[rank];
    }

    /**
     * On a fabric that loses no frames: the loss, when its time has come, which is then reported to the device; or
     * null.
     */
    PeerLost notice(int rank, long now) {
        if (reported[rank] || now < at(rank, now)) {
            return null;
        }
        PeerLost lost = new PeerLost(victim, "rank " + victim + " has ended");
        devices[rank].lose(lost);
        return lost;
    }

    /**
     * On one that does: a rank that sends nothing to the dead would never notice, so it does. Requests for locks need
     * no credit, of which it may have none there.
     */
    void ask(int rank) {
        if (questions[rank] == null && !reported[rank]) {
            questions[rank] = devices[rank].oneSided().open(victim, NO_REGION);
            devices[rank].oneSided().lock(questions[rank], true);
        }
        check(questions[rank] == null || reported[rank] == questions[rank].lockAnswered(), "rank " + rank
                + (reported[rank] ? " still waits for a lock of" : " got a lock of") + " rank " + victim);
    }
}
