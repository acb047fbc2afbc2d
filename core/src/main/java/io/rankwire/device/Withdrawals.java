package io.rankwire.device;

import io.rankwire.device.match.Matching;
import java.util.ArrayList;
import java.util.List;

/** Operations that are cancelled or given up, and contexts that are dropped with all they have. */
record Withdrawals(Peers peers, QueueTable queues, Operations operations, UnexpectedMessages unexpected,
        Outbound outbound, Loopback loopback, Attempts attempts, SplitQueues splits, NetworkMatching network) {
    /** As {@link Device#cancel}. */
    boolean cancel(Operation operation) {
        if (operation.isDone()) {
            return false;
        }
        if (operation.receive) {
            if (queues.get(operation.context).removePosted(operation.entry, operation.index())) {
                operation.finish(Code.CANCELLED);
                network.removed(operation);
                return true;
            }
            return false;
        }
        if (operation.peer < 0) {
            // A call of all members, or of a group: others go on with it.
            return false;
        }
        Peer peer = peers.get(operation.peer);
        return operation.peer == peers.self() ? loopback.cancel(operation)
                : attempts != null ? attempts.cancel(peer, operation) : outbound.cancel(peer, operation);
    }

    /** As {@link Device#giveUp}. */
    boolean giveUp(Operation operation) {
        if (!operation.isDone() && !cancel(operation) && operation.receive) {
            queues.get(operation.context).settle();
        }
        boolean over = operation.isDone();
        if (over) {
            operations.give(operation);
        } else if (!operation.receive && operation.isAnnounced() && operation.sending().isLent()) {
            peers.get(operation.peer).outlet.settle();
        }
        return over;
    }

    /** As {@link Device#dropContext}. */
    void drop(int context) {
        Matching queue = queues.find(context);
        if (queue == null) {
            return;
        }
        queue.settle();
        List<Operation> receives = new ArrayList<>();
        queue.forEachPosted(handle -> receives.add(operations.at(handle)));
        receives.forEach(this::cancel);
        queue.settle();
        unexpected.discardAll(queue);
        network.drop(context);
        queues.remove(context);
        if (splits != null) {
            splits.drop(queue);
        }
    }
}
