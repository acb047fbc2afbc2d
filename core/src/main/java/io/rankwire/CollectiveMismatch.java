package io.rankwire;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.type.ElementType;

/**
 * Ranks that do not make the same collective call. The tag of each message says which call it is of and of what shape,
 * see {@link CollectivePrograms}. A message of the right call and another shape meets no receive; whoever has waited
 * long looks for such messages, and so the calls that go well pay nothing for it.
 */
final class CollectiveMismatch {
    private static final int SHAPE_MASK = (1 << CollectivePrograms.SEQUENCE_SHIFT) - 1;

    private CollectiveMismatch() {}

    /** Throws if a message lies here, or a rank has come to shared lines, whose sender made another call than this. */
    static void look(PointToPoint on, String call, int tag) {
        lookAmongMessages(on, call, tag, false);
        boolean ofCollective = (tag & CollectivePrograms.TAG_MARK) != 0 && (tag & CollectivePrograms.PERSISTENT) == 0;
        if (ofCollective && on instanceof Collectives all && on.host().device.memory().isMappable()) {
            all.lines().meeting.look(call, tag);
        }
    }

    /** The same for a call that is made without messages. */
    static void lookBeside(PointToPoint on, String call, int tag) {
        lookAmongMessages(on, call, tag, true);
    }

    private static void lookAmongMessages(PointToPoint on, String call, int tag, boolean noneExpected) {
        Device device = on.host().device;
        int context = on.context() | Contexts.HIDDEN;
        for (int e = device.firstUnexpected(context); e >= 0; e = device.nextUnexpected(context, e)) {
            Unexpected message = device.look(context, e);
            boolean ofThis = message.tag() >>> CollectivePrograms.SEQUENCE_SHIFT
                    == tag >>> CollectivePrograms.SEQUENCE_SHIFT;
            if ((noneExpected && ofThis || differs(tag, message.tag())) && !device.isRunning(context, message.tag())
                    && on.host().settled(message.source())) {
                throw different(on, call, message);
            }
        }
    }

    private static boolean differs(int tag, int other) {
        int persistent = CollectivePrograms.TAG_MARK | CollectivePrograms.PERSISTENT;
        if ((tag & persistent) != (other & persistent)) {
            return false;
        }
        int ahead = (other >>> CollectivePrograms.SEQUENCE_SHIFT) - (tag >>> CollectivePrograms.SEQUENCE_SHIFT)
                & CollectivePrograms.SEQUENCES - 1;
        boolean same = ahead == 0 && (tag & SHAPE_MASK) != (other & SHAPE_MASK);
        boolean passed = (tag & CollectivePrograms.PERSISTENT) == 0 && ahead > CollectivePrograms.SEQUENCES / 2;
        return same || passed;
    }

    private static RankwireException different(PointToPoint on, String call, Unexpected message) {
        return different(on, call, message.source(), message.tag(), "; its message has " + message.bytes() + " bytes");
    }

    /** A rank, by its rank in the world, has made a call of another tag. */
    static RankwireException different(PointToPoint on, String call, int peer, int tag, String more) {
        int number = tag >>> CollectivePrograms.KIND_SHIFT & 31;
        CollectiveKind[] kinds = CollectiveKind.values();
        String theirs = number < kinds.length ? kinds[number].call : "unknown call";
        return new RankwireException(ErrorClass.COLLECTIVE, "rank " + on.rank() + ": " + call + ", on " + on.name()
                + CallSite.find() + ": " + on.nameOf(peer) + " made another call there: " + theirs
                + ", or the same with other arguments (root, count or operation), or in another form (blocking or not),"
                + " or the two differed in a call before" + more + on.host().doing(peer, on.nameOf(peer)));
    }

    /** What came of the request of a collective or of a work program. */
    static Object outcome(PointToPoint on, Object call, Operation whole) {
        int code = whole.code();
        on.host().device.release(whole);
        if (code == Code.OK) {
            return Status.SENT;
        }
        if (call instanceof Collective collective) {
            return failed(on, collective);
        }
        return code == Code.PEER_DEAD
                ? on.host().lost(call + ", on " + on.name() + CallSite.find(), null)
                : new RankwireException(ErrorClass.COLLECTIVE, "rank " + on.rank() + ": " + call + ", on " + on.name()
                        + CallSite.find() + ": ended early: "
                        + (code == Code.MEMORY_ENDED ? "memory of a buffer was closed while it was under way"
                                : code == Code.REFUSED ? "a receive that is not enabled refused what was sent to it"
                                : "a message did not fit its receive (code " + code + ")"));
    }

    /** A message met its receive and does not fit it. */
    static RankwireException failed(PointToPoint on, Collective call) {
        WorkProgram program = call.program;
        if (program.code() == Code.PEER_DEAD) {
            return on.host().lost(call.call + ", on " + on.name() + CallSite.find(),
                    on.host().device.lost(program.failedPeer()));
        }
        if (program.code() == Code.MEMORY_ENDED) {
            return new RankwireException(ErrorClass.BUFFER, "rank " + on.rank() + ": " + call.call + ", on " + on.name()
                    + ": the memory of its buffer was closed while it was under way" + CallSite.find());
        }
        String peer = on.nameOf(program.failedPeer());
        if (program.code() == Code.MESSAGE_ENDED) {
            return failed(on, call.call, program.failedPeer(),
                    peer + " closed the memory of its buffer while the call was under way");
        }
        boolean refused = program.code() == Code.REFUSED;
        String what = refused ? peer + " refused what was sent to it"
                : peer + " sent " + disagreement(program.cameBytes(), program.cameType(), program.expectedBytes(),
                        program.expectedType());
        return failed(on, call.call, program.failedPeer(), what);
    }

    static String disagreement(long bytes, ElementType type, long expectedBytes, ElementType expected) {
        return bytes + " bytes of " + type + " where " + expectedBytes + " bytes of " + expected
                + " were expected; the ranks do not agree about counts or types";
    }

    /** A rank, by its rank in the world, has sent what does not fit. */
    static RankwireException failed(PointToPoint on, String call, int peer, String what) {
        return new RankwireException(ErrorClass.COLLECTIVE, "rank " + on.rank() + ": " + call + ", on " + on.name()
                + CallSite.find() + ": " + what + on.host().doing(peer, on.nameOf(peer)));
    }
}
