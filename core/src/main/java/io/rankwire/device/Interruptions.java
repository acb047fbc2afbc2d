package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.fabric.PeerLost;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Contexts in which calls end though their peers are there. In a revoked context everything that waits ends, also what
 * is posted later, and messages that come are discarded. In a context with a loss that its user has not acknowledged,
 * receives of any source end.
 */
public final class Interruptions {
    private final Device device;
    private final QueueTable queues;
    private final Operations operations;
    private final UnexpectedMessages unexpected;
    private final Map<Integer, Interrupted> interrupted = new HashMap<>();
    /** Contexts in which a death or a revocation may have ended receives, so that a ready message finds none. */
    private final Set<Integer> ended = new HashSet<>();
    private final Set<Integer> revoked = new HashSet<>();

    Interruptions(Device device, QueueTable queues, Operations operations, UnexpectedMessages unexpected) {
        this.device = device;
        this.queues = queues;
        this.operations = operations;
        this.unexpected = unexpected;
    }

    /**
     * @param tag receives with this tag end, too
     */
    private record Interrupted(PeerLost cause, int tag) {}

    /** Why a receive or probe ends that other ranks could send to; null if it does not. */
    PeerLost cause(int context, int from, int tag) {
        Interrupted here = interrupted.get(context);
        return here != null && (from == MatchWord.ANY || tag == here.tag) ? here.cause : null;
    }

    /**
     * Receives of any source end in a context from now on, because of this loss.
     *
     * @param tag receives with this tag end, too; {@link MatchWord#ANY} for none
     */
    public void begin(int context, PeerLost cause, int tag) {
        ended.add(context);
        interrupted.put(context, new Interrupted(cause, tag == MatchWord.ANY ? Integer.MIN_VALUE : tag));
        Matching queue = queues.find(context);
        if (queue != null) {
            queue.settle();
            Losses.endPosted(queue, operations, each -> cause(context, each.peer, each.tag) != null);
        }
    }

    /** Receives that other ranks could send to do not end any more in a context. */
    public void end(int context) {
        interrupted.remove(context);
    }

    /**
     * Ends the work programs of a context that run, with a code that no operation of theirs has.
     *
     * @param peer the rank that is the cause, or -1
     */
    public void endPrograms(int context, int code, int peer) {
        if (device.engine != null) {
            device.engine.interrupt(context, code, peer);
        }
    }

    /** Whether receives in a context may have ended before their messages come. */
    boolean hasEndedReceives(int context) {
        return ended.contains(context);
    }

    boolean isRevoked(int context) {
        return revoked.contains(context);
    }

    /** Ends what waits in a context. A message that has met its receive still goes on to its end. */
    void revoke(int context) {
        if (!revoked.add(context)) {
            return;
        }
        ended.add(context);
        endPrograms(context, Code.REVOKED, -1);
        device.network().stop(context);
        List<Operation> open = new ArrayList<>();
        operations.forEachInUse(operation -> {
            // Operations without a buffer are accesses to memory, or stand for a work program.
            if (operation.active() && operation.context == context && operation.buffer != null) {
                open.add(operation);
            }
        });
        for (Operation operation : open) {
            if (operation.active()) {
                device.cancel(operation);
            }
        }
        discard(context);
    }

    /** Discards what has come in revoked contexts since the last time. */
    void sweep() {
        for (int context : revoked) {
            discard(context);
        }
    }

    private void discard(int context) {
        Matching queue = queues.find(context);
        if (queue != null) {
            unexpected.refuseAll(queue);
        }
    }
}
