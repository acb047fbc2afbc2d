package io.rankwire.device.work;

import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.work.DeferralPlan.Step;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeredProgram;
import io.rankwire.type.ElementType;
import io.rankwire.wire.Frame;
import java.util.ArrayList;
import java.util.List;

/**
 * The puts of a run that the network makes. Each is a PUT frame, and a read of no bytes behind it: the answer shows
 * that the put is over. It has a channel of its own, so that a refusal shows which put was refused. When an epoch ends,
 * the puts that relied on it are withdrawn. Those that had not begun come to their owner as frames that it refuses;
 * then the device makes them as ever, if an epoch is open at that moment.
 */
final class DeferredPuts {
    private static final int WITHDRAWN = Frame.meta(Frame.PUT, Frame.NO_TYPE);

    private static final class Put {
        final Step step;
        /** Its number among the entries of the port. */
        final int number;
        final Access access;
        /** Null before its frame is given to the port, and when all is over. */
        Channel channel;
        int proof;
        /** Null when it was taken in. */
        Operation answer;
        /** Whether the port has the PUT, and the read behind it. */
        boolean isGiven;
        boolean isProved;
        /** Whether the device has come to the entry: the program knows the answer's operation. */
        boolean isPassed;

        Put(Step step, int number, Access access) {
            this.step = step;
            this.number = number;
            this.access = access;
        }
    }

    private final WorkProgram program;
    private final Device device;
    private final List<Put> puts = new ArrayList<>();

    DeferredPuts(WorkProgram program, Device device) {
        this.program = program;
        this.device = device;
    }

    private Put find(int queue, int entry) {
        for (Put put : puts) {
            if (put.step.queue() == queue && put.step.entry() == entry) {
                return put;
            }
        }
        throw new AssertionError("queue " + queue + ", entry " + entry);
    }

    /** Why the network cannot make a put of this number of bytes; null if it can, and relies on the epoch. */
    String reserve(Step step, int number, Access access, long bytes) {
        if (access.part.isMapped()) {
            return "writes to memory that is mapped here";
        }
        String obstacle = device.networkSends.unreachable(access.part.peer());
        int most = device.oneSided().chunk();
        if (obstacle == null && device.networkSends.isLost(access.part.peer())) {
            obstacle = "is a put to rank " + access.part.peer() + " of the world, which is lost";
        } else if (obstacle == null && bytes > most) {
            obstacle = "writes " + bytes + " bytes, where up to " + most + " go in one frame";
        } else if (obstacle == null && access.channel != null) {
            obstacle = "finds an access of an earlier run under way";
        }
        if (obstacle == null) {
            String closed = access.part.claim();
            obstacle = closed == null ? null
                    : "is a put to rank " + access.part.peer() + " of the world, and " + closed;
        }
        if (obstacle == null) {
            puts.add(new Put(step, number, access));
        }
        return obstacle;
    }

    /** No put relies on its epoch any more. */
    void release() {
        puts.forEach(put -> put.access.part.release());
    }

    /** Gives a put to the port; false if the port does not take it. */
    boolean give(TriggeredProgram port, Step step, Shared from, long offset, long bytes) {
        Put put = find(step.queue(), step.entry());
        Access access = put.access;
        put.channel = device.oneSided().open(access.part.peer(), access.part.key());
        access.channel = put.channel;
        put.answer = device.begin(program.context, access.part.peer(), bytes);
        put.proof = device.oneSided().expect(put.channel, put.answer);
        put.isGiven = port.send(step.counter(), step.value(), step.advances(), access.part.peer(),
                Frame.meta(Frame.PUT, access.type.code()), Frame.header(access.part.key(), put.channel.id()),
                new long[] {access.at, bytes, 0}, from, offset, (int) bytes);
        return put.isGiven;
    }

    /** Gives the read behind a put to the port. */
    boolean prove(TriggeredProgram port, Step step) {
        Put put = find(step.queue(), step.entry());
        put.isProved = port.send(step.counter(), step.value(), step.advances(), put.access.part.peer(),
                Frame.meta(Frame.GET, ElementType.RAW.code()), Frame.header(put.access.part.key(), put.proof),
                new long[] {put.access.at, 0}, null, 0, 0);
        return put.isProved;
    }

    /** The device has come to a put; returns the operation that is done when the put is over. */
    Operation passed(int queue, int entry) {
        Put put = find(queue, entry);
        put.isPassed = true;
        if (!put.access.isWithdrawn) {
            put.access.part.used();
        }
        return put.answer;
    }

    /** An operation is over. If it was of a put that was withdrawn before it began, returns its step; else null. */
    Step answered(Operation operation) {
        for (Put put : puts) {
            if (put.answer == operation) {
                boolean mayBeRefused = put.access.isWithdrawn && operation.code() != Code.PEER_DEAD;
                put.answer = null;
                put.access.isWithdrawn = false;
                return mayBeRefused && put.channel.takeRefusal() != Code.OK ? put.step : null;
            }
        }
        return null;
    }

    /** An epoch has ended: withdraws the puts that relied on it and may not have begun. */
    void epochClosed(TriggeredProgram port) {
        for (Put put : puts) {
            if (put.access.part.obstacle() != null) {
                withdraw(port, put);
            }
        }
    }

    private static void withdraw(TriggeredProgram port, Put put) {
        if (put.isGiven && put.answer != null && !put.access.isWithdrawn) {
            put.access.isWithdrawn = true;
            port.replace(put.number, WITHDRAWN);
        }
    }

    /** The run has failed, or the port did not take all of it. */
    void cancel(TriggeredProgram port) {
        puts.forEach(put -> withdraw(port, put));
    }

    /** The run is over, in order or not: the program has nothing to do with the puts any more. */
    void end(WorkEngine engine) {
        release();
        for (Put put : puts) {
            if (put.channel != null) {
                put.access.channel = null;
                put.access.isWithdrawn = false;
                if (!put.isProved) {
                    device.oneSided().unexpect(put.proof);
                }
                if (put.answer != null && !put.isPassed) {
                    engine.giveUp(put.answer);
                }
                put.answer = null;
            }
        }
    }

    /** Closes channels on which nothing comes any more; whether others are left. */
    boolean isLeft() {
        boolean isLeft = false;
        for (Put put : puts) {
            // The owner refuses what was withdrawn before it began, also if no read follows.
            boolean isSilent = put.channel == null || put.channel.localDone()
                    && (put.isProved || !put.isGiven || put.channel.takeRefusal() != Code.OK);
            if (isSilent && put.channel != null) {
                device.oneSided().close(put.channel);
                put.channel = null;
            }
            isLeft |= !isSilent;
        }
        return isLeft;
    }
}
