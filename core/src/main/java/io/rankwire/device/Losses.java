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

/**
 * Peers that were lost. All that waits for one of them ends with {@link Code#PEER_DEAD}, what is kept for it is given
 * back, and nothing goes to it any more. A message of it that is here as a whole can still be received.
 */
final class Losses {
    /** The way to nowhere: always full, so that nothing else has to ask whether a peer is lost before it writes. */
    private static final Outlet NOWHERE = new Outlet() {
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

    private final Peers peers;
    private final QueueTable queues;
    private final Operations operations;
    private final BufferedSends buffered;
    private final SendTransfers sends;
    private final ReceiveTransfers receives;
    private final DirectCopies direct;
    private final UnexpectedMessages unexpected;
    private final Wants wants;
    private final Datagrams datagrams;
    private int count;
    private PeerLost last;

    Losses(Peers peers, QueueTable queues, Operations operations, BufferedSends buffered, SendTransfers sends,
            ReceiveTransfers receives, DirectCopies direct, UnexpectedMessages unexpected, Wants wants,
            Datagrams datagrams) {
        this.peers = peers;
        this.queues = queues;
        this.operations = operations;
        this.buffered = buffered;
        this.sends = sends;
        this.receives = receives;
        this.direct = direct;
        this.unexpected = unexpected;
        this.wants = wants;
        this.datagrams = datagrams;
    }

    /** Whether a peer was lost. */
    boolean any() {
        return count != 0;
    }

    /** Why nothing can come from there: one rank, or any; null if something can. */
    PeerLost cause(int from) {
        if (from == MatchWord.ANY) {
            return count == peers.count() - 1 ? last : null;
        }
        return from < 0 ? null : peers.get(from).lost;
    }

    /** Ends a receive that was posted just now if it waits for the lost alone. */
    void refuse(Operation operation) {
        if (cause(operation.peer) != null) {
            remove(queues.get(operation.context), operation);
        }
    }

    /**
     * False if the peer was lost before.
     *
     * @param oneSided may be null
     */
    boolean lose(PeerLost cause, OneSided oneSided) {
        Peer peer = peers.get(cause.rank());
        if (peer.lost != null) {
            return false;
        }
        peer.lose(cause, NOWHERE);
        last = cause;
        count++;
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
        if (oneSided != null) {
            oneSided.lose(peer.rank);
        }
        return true;
    }

    private void endSends(Peer peer) {
        peer.backlog = null;
        while (peer.firstPending != null) {
            Operation first = peer.firstPending;
            peer.removePending(first);
            if (first.isOffered()) {
                first.sending().offered(false);
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
        List<Operation> vain = new ArrayList<>();
        queue.forEachPosted(handle -> {
            Operation operation = operations.at(handle);
            if (cause(operation.peer) != null) {
                vain.add(operation);
            }
        });
        vain.forEach(operation -> remove(queue, operation));
    }

    /** Where matching is divided the answer may come later; {@link #endOfRemoved} is what it ends with then. */
    private static void remove(Matching queue, Operation operation) {
        if (queue.removePosted(operation.entry, operation.index())) {
            operation.finish(Code.PEER_DEAD);
        } else {
            queue.settle();
        }
    }

    /** How a receive ends that was removed from a divided queue. */
    int endOfRemoved(Operation operation) {
        return cause(operation.peer) != null ? Code.PEER_DEAD : Code.CANCELLED;
    }

    /** Receives that have met a message of the peer which is not wholly here. */
    private void endMatched(Peer peer) {
        BitSet waiting = new BitSet();
        for (int context : queues.contexts()) {
            queues.get(context).forEachPosted(waiting::set);
        }
        peer.pieces = null;
        operations.forEachInUse(operation -> {
            if (operation.active() && operation.receive && !waiting.get(operation.index())
                    && MatchWord.source(operation.metWord) == peer.rank) {
                operation.finish(Code.PEER_DEAD);
            }
        });
    }
}
