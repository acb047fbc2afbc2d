package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;

/** How those that live come to know that a rank is dead. */
final class Loss {
    private static final int MOST_LATE_PS = 40_000_000;
    private static final int CONTEXT = 78;
    private static final long NEVER = Long.MAX_VALUE;

    private final int victim;
    private final Rand rand;
    private final Device[] devices;
    private final boolean[] told;
    /** When a fabric that loses no frames notices, by rank. */
    private final long[] at;
    /** By rank: a message to the dead, sent to find that out. */
    private final Operation[] questions;

    Loss(int victim, Rand rand, Device[] devices) {
        this.victim = victim;
        this.rand = rand;
        this.devices = devices;
        told = new boolean[devices.length];
        at = new long[devices.length];
        questions = new Operation[devices.length];
    }

    boolean isTold(int rank) {
        return told[rank];
    }

    void told(int rank) {
        check(!told[rank], "rank " + rank + " is told twice that rank " + victim + " is lost");
        told[rank] = true;
    }

    long at(int rank, long now) {
        if (at[rank] == 0) {
            at[rank] = now + rand.below(MOST_LATE_PS);
        }
        return at[rank];
    }

    /** On a fabric that loses no frames: the loss, when its time has come, which the device is then told; or null. */
    PeerLost notice(int rank, long now) {
        if (told[rank] || now < at(rank, now)) {
            return null;
        }
        PeerLost lost = new PeerLost(victim, "rank " + victim + " has ended");
        devices[rank].lose(lost);
        return lost;
    }

    /** On one that does: a rank that sends nothing to the dead would never notice, so it does. */
    void ask(int rank) {
        Operation question = questions[rank];
        if (question == null && !told[rank]) {
            questions[rank] = devices[rank].send(Operation.Mode.SYNCHRONOUS, CONTEXT, victim, 0, new byte[0], 0, 0,
                    ElementType.BYTE.code());
        } else if (question != null && question.isDone() && at[rank] != NEVER) {
            check(question.code() == Code.PEER_DEAD, "a dead rank has received a message");
            devices[rank].release(question);
            at[rank] = NEVER;
        }
    }
}
