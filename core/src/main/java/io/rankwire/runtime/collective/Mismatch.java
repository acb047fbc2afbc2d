package io.rankwire.runtime.collective;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Consensus;
import io.rankwire.runtime.Contexts;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.RankSet;
import io.rankwire.runtime.Received;
import io.rankwire.runtime.WorkBuilder;
import io.rankwire.type.ElementType;
import java.util.List;

/**
 * Ranks that do not make the same collective call. The tag of each message says which call it is of and of what shape,
 * see {@link CallLog}. A message of the right call and another shape meets no receive; a rank that has
 * waited long looks for such messages, and so the calls that go well pay nothing for it. Calls that end without waiting
 * for anyone are compared when the world or their communicator ends.
 */
public final class Mismatch {
    private static final int SHAPE_MASK = (1 << CallLog.SEQUENCE_SHIFT) - 1;
    private static final int HALF = CallLog.SEQUENCES / 2;
    private static final String NO_CALL = "no call, until it closed its world";
    private static final String NOT_THE_SAME = ": the ranks do not make the same calls; ";

    private Mismatch() {}

    /** Throws if a message lies here, or a rank has come to shared lines, whose sender made another call than this. */
    public static void look(Endpoint on, String call, int tag) {
        if ((tag & CallLog.TAG_MARK) == 0) {
            return;
        }
        String made = on.collectives().nameOf(tag, call);
        lookAmongMessages(on, made, tag, false);
        if ((tag & CallLog.PERSISTENT) == 0 && on.sharesMemory()) {
            on.collectives().shared().slots.look(made, tag);
        }
        if (on.session().tree() != null) {
            lookAmongStopped(on, made);
        }
        lookAmongEnded(on, made);
    }

    private static boolean isRunning(Device device, int context, int tag) {
        return device.programs().stream().anyMatch(program -> program.context() == context && program.tag() == tag);
    }

    /** The same for a call that is made without messages. */
    public static void lookBeside(Endpoint on, String call, int tag) {
        lookAmongMessages(on, call, tag, true);
        lookAmongEnded(on, call);
    }

    private static void lookAmongMessages(Endpoint on, String call, int tag, boolean noneExpected) {
        Device device = on.host().device;
        int context = on.context() | Contexts.HIDDEN;
        for (int e = device.probes().first(context); e >= 0; e = device.probes().next(context, e)) {
            Unexpected message = device.probes().look(context, e);
            boolean ofThis = message.tag() >>> CallLog.SEQUENCE_SHIFT
                    == tag >>> CallLog.SEQUENCE_SHIFT;
            if ((noneExpected && ofThis || differs(tag, message.tag())) && !isRunning(device, context, message.tag())
                    && isNear(on, message.source())) {
                throw different(on, call, message.source(), message.tag());
            }
        }
    }

    private static boolean differs(int tag, int other) {
        int persistent = CallLog.TAG_MARK | CallLog.PERSISTENT;
        if ((tag & persistent) != (other & persistent)) {
            return false;
        }
        int ahead = (other >>> CallLog.SEQUENCE_SHIFT) - (tag >>> CallLog.SEQUENCE_SHIFT)
                & CallLog.SEQUENCES - 1;
        boolean same = ahead == 0 && (tag & SHAPE_MASK) != (other & SHAPE_MASK);
        boolean passed = (tag & CallLog.PERSISTENT) == 0 && ahead > HALF;
        return same || passed;
    }

    /** Whether a rank has said how far it is, and it is not so far ahead that the numbers in tags have gone round. */
    private static boolean isNear(Endpoint on, int peer) {
        if (!on.host().others.hasStopped(peer)) {
            return false;
        }
        List<CallLog.Said> theirs = said(on, peer);
        int last = -1;
        for (CallLog.Said said : theirs) {
            last = said.persistent() ? last : Math.max(last, said.number());
        }
        return !theirs.isEmpty() && last < on.collectives().calls().made() + HALF;
    }

    /** Throws if a rank that has stopped has made another call: on the combining tree no message of it comes here. */
    private static void lookAmongStopped(Endpoint on, String call) {
        for (int member = 0; member < on.everyone().size(); member++) {
            int peer = on.everyone().worldRankOf(member);
            String found = peer != on.session().worldRank() && on.host().others.hasStopped(peer)
                    ? compare(on, peer, false) : null;
            if (found != null) {
                throw different(on, call, found);
            }
        }
    }

    /** Throws if a rank has closed its world, and has made or left out a call here that this rank has not. */
    private static void lookAmongEnded(Endpoint on, String call) {
        if (on.session().goesOn()) {
            // The rank may have failed, and closed its world on its way out.
            return;
        }
        RankSet everyone = on.everyone();
        for (int member = 0; member < everyone.size(); member++) {
            int peer = everyone.worldRankOf(member);
            boolean closed = peer != on.session().worldRank() && on.host().others.hasClosed(peer);
            String found = closed ? compare(on, peer, true) : null;
            if (found != null) {
                throw different(on, call, found);
            }
        }
    }

    /** At the end of a communicator or of its world: throws if the next rank has made other calls than this one. */
    public static void lookAtEnd(Endpoint on) {
        if (on.session().goesOn()) {
            return;
        }
        RankSet everyone = on.everyone();
        int peer = everyone.worldRankOf((everyone.rankOf(on.session().worldRank()) + 1) % everyone.size());
        String found = on.host().others.hasClosed(peer) ? compare(on, peer, true) : null;
        if (found != null) {
            throw new RankwireException(ErrorClass.COLLECTIVE, "rank " + on.rank() + ": close" + NOT_THE_SAME + found);
        }
    }

    /**
     * Ranks that free a communicator have found that a member has made other calls there than the first one: all throw.
     */
    public static RankwireException atFree(Endpoint on, int stranger) {
        String found = null;
        for (int member : new int[] {stranger, 0}) {
            int peer = on.everyone().worldRankOf(member);
            if (found == null && peer != on.session().worldRank()) {
                on.host().lock();
                try {
                    on.host().awaitStopped(peer, "free, on " + on.name() + CallSite.find());
                } finally {
                    on.host().unlock();
                }
                found = compare(on, peer, false);
            }
        }
        return different(on, "free", found != null ? found
                : "the first that differed is not remembered any more");
    }

    private static List<CallLog.Said> said(Endpoint on, int peer) {
        return CallLog.read(on.host().others.shown(peer), on.session().number(), on.context());
    }

    /** The first call that is another one here than at a peer, both side by side; null if none is known. */
    private static String compare(Endpoint on, int peer, boolean hasEnded) {
        List<CallLog.Said> theirs = said(on, peer);
        int last = -1;
        for (CallLog.Said said : theirs) {
            CallLog log = said.persistent() ? on.collectives().persistentCalls() : on.collectives().calls();
            last = said.persistent() ? last : said.number();
            if (said.number() >= log.made() ? hasEnded && on.session().isClosed()
                    : log.has(said.number()) && differs(log, said)) {
                return sideBySide(on, peer, log, said.number(), said.text());
            }
        }
        boolean all = hasEnded && CallLog.isWhole(on.host().others.shown(peer), on.session().number());
        return all && last + 1 < on.collectives().calls().made() && on.collectives().calls().has(last + 1)
                ? sideBySide(on, peer, on.collectives().calls(), last + 1, missing(theirs)) : null;
    }

    private static boolean differs(CallLog log, CallLog.Said said) {
        return log.word(said.number()) != said.word() || said.persistent() && !log.name(said.number()).started;
    }

    private static String missing(List<CallLog.Said> theirs) {
        return NO_CALL + (theirs.isEmpty() ? "" : "; its last: " + theirs.getLast().text());
    }

    private static String sideBySide(Endpoint on, int peer, CallLog log, int number, String theirs) {
        String own = !log.has(number) ? NO_CALL
                : log.describe(number) + (log.isPersistent() && !log.name(number).started ? ", never started" : "");
        boolean first = on.everyone().rankOf(on.session().worldRank()) < on.everyone().rankOf(peer);
        String here = "\n  rank " + on.rank() + ": " + own;
        String there = "\n  " + on.nameOf(peer) + ": " + theirs;
        return (log.isPersistent() ? "persistent call " : "call ") + (number + 1) + " on " + on.name() + " is"
                + (first ? here + there : there + here);
    }

    /** A rank, by its rank in the world, has made a call of another tag. */
    public static RankwireException different(Endpoint on, String call, int peer, int tag) {
        String found = compare(on, peer, false);
        if (found == null) {
            CallLog log = on.collectives().logOf(tag);
            int number = log.numberOf(tag);
            String theirs = theirs(on, peer, tag);
            found = sideBySide(on, peer, log, number < 0 ? log.made() - 1 : number,
                    theirs != null ? theirs : CallLog.kindOf(tag)
                            + " with other arguments, or they differed in an earlier call"
                            + on.host().others.doing(peer, "; it is in "));
        }
        return different(on, call, found);
    }

    private static RankwireException different(Endpoint on, String call, String found) {
        return new RankwireException(ErrorClass.COLLECTIVE,
                "rank " + on.rank() + ": " + call + ", on " + on.name() + CallSite.find() + NOT_THE_SAME + found);
    }

    /** What came of the request of a collective or of a work program. */
    public static Object outcome(Endpoint on, Object call, Operation whole) {
        int code = whole.code();
        on.host().device.release(whole);
        if (call instanceof Consensus.Pending agreement) {
            return Consensus.outcome(agreement, code);
        }
        if (code == Code.OK) {
            return Received.NOTHING;
        }
        if (call instanceof Collective collective) {
            return failed(on, collective);
        }
        return ((WorkBuilder) call).failure();
    }

    /** A message met its receive and does not fit it. */
    public static RankwireException failed(Endpoint on, Collective call) {
        WorkProgram program = call.program();
        String made = on.collectives().nameOf(program.tag(), call.call);
        if (program.code() == Code.REVOKED) {
            return on.members().interruption(made);
        }
        if (program.code() == Code.PEER_DEAD) {
            return on.host().lost(made + ", on " + on.name() + CallSite.find(),
                    on.host().device.lost(program.failedPeer()));
        }
        if (program.code() == Code.MEMORY_ENDED) {
            return new RankwireException(ErrorClass.BUFFER, "rank " + on.rank() + ": " + made + ", on " + on.name()
                    + ": the memory of its buffer was closed while it was under way" + CallSite.find());
        }
        String peer = on.nameOf(program.failedPeer());
        if (program.code() == Code.OPERATION_THREW) {
            return program.thrown() != null ? threw(on, made, call.shape.op(), program.thrown())
                    : missed(on, made, peer + " could not give its part: the operation " + call.shape.op()
                            + " has thrown an exception there, or at a rank whose part it needed");
        }
        if (program.code() == Code.MESSAGE_ENDED) {
            return missed(on, made, peer + " closed the memory of its buffer while the call was under way");
        }
        boolean refused = program.code() == Code.REFUSED;
        String what = refused ? peer + " refused what was sent to it"
                : peer + " sent " + disagreement(program.cameBytes(), program.cameType(), program.expectedBytes(),
                        program.expectedType());
        if (on.members().isInterruptedSoon(made + ", on " + on.name() + CallSite.find() + ": " + what)) {
            return on.members().interruption(made);
        }
        on.host().awaitStopped(program.failedPeer(), made + ", on " + on.name() + CallSite.find());
        return failed(on, made, program.failedPeer(), program.tag(), what);
    }

    /** The operation of a call has thrown an exception on this rank. */
    public static RankwireException threw(Endpoint on, String call, Operator op, Throwable thrown) {
        return new RankwireException(ErrorClass.COLLECTIVE, "rank " + on.rank() + ": " + call + ", on " + on.name()
                + CallSite.find() + ": the operation " + op + " threw " + thrown, thrown);
    }

    /** Another rank could not give what this one needs. */
    public static RankwireException missed(Endpoint on, String call, String what) {
        return new RankwireException(ErrorClass.COLLECTIVE,
                "rank " + on.rank() + ": " + call + ", on " + on.name() + CallSite.find() + ": " + what);
    }

    public static String disagreement(long bytes, ElementType type, long expectedBytes, ElementType expected) {
        return bytes + " bytes of " + type + " where " + expectedBytes + " bytes of " + expected
                + " were expected; the ranks do not agree about counts or types";
    }

    /** A rank, by its rank in the world, has sent what does not fit in a call. */
    public static RankwireException failed(Endpoint on, String call, int peer, int tag, String what) {
        CallLog log = on.collectives().logOf(tag);
        String theirs = theirs(on, peer, tag);
        String both = theirs == null ? on.host().others.doing(peer, "; it is in ")
                : "; " + sideBySide(on, peer, log, log.numberOf(tag), theirs);
        return new RankwireException(ErrorClass.COLLECTIVE, "rank " + on.rank() + ": " + call + ", on " + on.name()
                + CallSite.find() + ": " + what + both);
    }

    /** What a rank has shown of the call that this tag is of, which this rank remembers too; else null. */
    private static String theirs(Endpoint on, int peer, int tag) {
        CallLog log = on.collectives().logOf(tag);
        for (CallLog.Said said : said(on, peer)) {
            if (said.number() == log.numberOf(tag) && said.persistent() == log.isPersistent()) {
                return said.text();
            }
        }
        return null;
    }
}
