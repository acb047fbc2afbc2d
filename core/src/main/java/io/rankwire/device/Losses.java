package io.rankwire.device;

import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.match.Matching;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.transfer.DirectCopies;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Peers that were lost. All that waits for one of them ends with {@link Code#PEER_DEAD}, what is kept for it is given
 * back, and nothing goes to it any more. A message of that peer that is here as a whole can still be received.
 *
 * @param lost the causes so far
 */
record Losses(List<PeerLost> lost, Peers peers, QueueTable queues, Operations operations, BufferedSends buffered,
        SendTransfers sends, ReceiveTransfers receives, DirectCopies direct, UnexpectedMessages unexpected, Wants wants,
        Datagrams datagrams, Attempts attempts, Interruptions interruptions, AgreementFrames agreements) {
    /** A way that is always full: to a lost peer, so that no other part checks for that, or closed for now. */
    static final Outlet NOWHERE = new Outlet() {
        @Override
        public MemorySegment memory() {
            throw new IllegalStateException("the peer is lost");
        }

        @Override
        public long claim(int payloadBytes) {
            return FULL;
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            throw new IllegalStateException("the peer is lost");
        }
    };

    /** Why a receive or probe of a rank, or of any, ends without a message in a context; null if it does not. */
    PeerLost cause(int context, int from, int tag) {
        PeerLost other = interruptions.cause(context, from, tag);
        return other != null ? other : cause(from);
    }

    /** Why nothing can come from a rank, or from any; null if something can. */
    PeerLost cause(int from) {
        if (lost.isEmpty()) {
            return null;
        }
        if (from == MatchWord.ANY) {
            return lost.size() == peers.count() - 1 ? lost.getLast() : null;
        }
        return from < 0 || peers.known(from) == null ? null : peers.known(from).lost;
    }

    /** Ends a receive that was just posted if only lost peers could send to it, or its context was revoked. */
    void refuse(Operation operation) {
        if (interruptions.isRevoked(operation.context)) {
            remove(queues.get(operation.context), operation, Code.REVOKED);
        } else if (cause(operation.context, operation.peer, operation.tag) != null) {
            remove(queues.get(operation.context), operation, Code.PEER_DEAD);
        }
    }


    /**
     * Ends what waits for a peer; false if the peer was lost before.
     *
     * @param oneSided may be null
     */
    boolean lose(PeerLost cause, OneSided oneSided) {
        Peer peer = peers.lost(cause.rank());
        if (peer.lost != null) {
            return false;
        }
        peer.lose(cause, NOWHERE);
        lost.add(cause);
        int[] contexts = queues.contexts();
        for (int context : contexts) {
            queues.get(context).settle();
        }
        direct.lose(peer);
        endSends(peer);
        if (peer.holder != null) {
            wants.release(peer);
        }
        for (int context : contexts) {
            unexpected.discardAnnounced(queues.get(context), peer.rank);
            endPosted(queues.get(context));
        }
        endMatched(peer);
        receives.lose(peer);
        datagrams.lose(peer.rank);
        agreements.lose(peer.rank);
        if (oneSided != null) {
            oneSided.lose(peer.rank);
        }
        return true;
    }

    private void endSends(Peer peer) {
        peer.backlog = null;
        sends.lose(peer);
        if (attempts != null) {
            attempts.lose(peer);
        }
        while (peer.firstPending != null) {
            Operation first = peer.firstPending;
            peer.removePending(first);
            if (first.isOffered()) {
                first.sending().offered = false;
            } else {
                buffered.finish(first, Code.PEER_DEAD);
            }
        }
        operations.forEachInUse(operation -> {
            if (operation.active() && !operation.receive && operation.isAnnounced() && operation.peer == peer.rank) {
                operation.endsWith(Code.PEER_DEAD);
                sends.finish(peer, operation);
            }
        });
    }

    private void endPosted(Matching queue) {
        endPosted(queue, operations, operation -> cause(operation.context, operation.peer, operation.tag) != null);
    }

    /** Ends receives of a queue that wait in vain. */
    static void endPosted(Matching queue, Operations operations, Predicate<Operation> isVain) {
        List<Operation> vain = new ArrayList<>();
        queue.forEachPosted(handle -> {
            Operation operation = operations.at(handle);
            if (isVain.test(operation)) {
                vain.add(operation);
            }
        });
        vain.forEach(operation -> remove(queue, operation, Code.PEER_DEAD));
    }

    /** Where matching is divided the receive may end later, with {@link #endOfRemoved}. */
    private static void remove(Matching queue, Operation operation, int code) {
        if (queue.removePosted(operation.entry, operation.index())) {
            operation.finish(code);
        } else {
            queue.settle();
        }
    }

    /** How a receive ends that was removed from a divided queue. */
    int endOfRemoved(Operation operation) {
        if (interruptions.isRevoked(operation.context)) {
            return Code.REVOKED;
        }
        return cause(operation.context, operation.peer, operation.tag) != null ? Code.PEER_DEAD : Code.CANCELLED;
    }

    /** Ends receives that have met a message of the peer of which a part is missing. */
    private void endMatched(Peer peer) {
        BitSet waiting = new BitSet();
        for (int context : queues.contexts()) {
            queues.get(context).forEachPosted(waiting::set);
        }
        operations.forEachInUse(operation -> {
            if (operation.active() && operation.receive && !waiting.get(operation.index())
                    && MatchWord.source(operation.metWord) == peer.rank && !operation.isBeingRead()) {
                operation.finish(Code.PEER_DEAD);
            }
        });
    }
}
