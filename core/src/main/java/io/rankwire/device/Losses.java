package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.wire.Frame;
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

    private final Device device;
    private int count;
    private PeerLost last;

    Losses(Device device) {
        this.device = device;
    }

    /** Why nothing can come from there: one rank, or any; null if something can. */
    PeerLost cause(int from) {
        if (from == MatchWord.ANY) {
            return count == device.peers() - 1 ? last : null;
        }
        return from < 0 ? null : device.peer(from).lost;
    }

    /** Ends a receive that was posted just now if it waits for the lost alone. */
    void refuse(Operation operation) {
        if (cause(operation.peer) != null) {
            remove(device.queue(operation.context), operation);
        }
    }

    /**
     * False if the peer was lost before.
     *
     * @param oneSided may be null
     */
    boolean lose(PeerLost cause, OneSided oneSided) {
        Peer peer = device.peer(cause.rank());
        if (peer.lost != null) {
            return false;
        }
        peer.lose(cause, NOWHERE);
        last = cause;
        count++;
        int[] contexts = device.contexts();
        for (int context : contexts) {
            device.queue(context).settle();
        }
        device.direct().lose(peer);
        endSends(peer);
        if (peer.holder != null) {
            device.wants().release(peer);
        }
        for (int context : contexts) {
            discardAnnounced(device.queue(context), peer.rank);
            endPosted(device.queue(context));
        }
        endMatched(peer);
        for (int id = 0; id < peer.announced.length; id++) {
            device.receives().forget(peer, id);
        }
        device.datagrams().lose(peer.rank);
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
            if (!first.offered) {
                device.outbound().finishSend(first, Code.PEER_DEAD);
            }
            first.offered = false;
        }
        device.forEachOperation(operation -> {
            if (operation.active() && !operation.receive && operation.announced && operation.peer == peer.rank) {
                operation.code = Code.PEER_DEAD;
                device.sends().finish(peer, operation);
            }
        });
    }

    /** Announcements of messages that will not come. */
    private void discardAnnounced(Matching queue, int rank) {
        int next;
        for (int e = queue.firstUnexpected(); e >= 0; e = next) {
            next = queue.nextUnexpected(e);
            boolean announced = Frame.kind(Inbound.metaOf(queue.a(e))) == Frame.REQUEST_TO_SEND;
            if (announced && MatchWord.source(queue.word(e)) == rank) {
                device.inbound().discard(queue, e);
            }
        }
    }

    private void endPosted(Matching queue) {
        List<Operation> vain = new ArrayList<>();
        queue.forEachPosted(handle -> {
            Operation operation = device.operation(handle);
            if (cause(operation.peer) != null) {
                vain.add(operation);
            }
        });
        vain.forEach(operation -> remove(queue, operation));
    }

    /** Where matching is divided the answer may come later; {@link #ending} is what it ends with then. */
    private static void remove(Matching queue, Operation operation) {
        if (queue.removePosted(operation.entry, operation.index())) {
            operation.finish(Code.PEER_DEAD);
        } else {
            queue.settle();
        }
    }

    /** How a receive ends that was removed from a divided queue. */
    int ending(Operation operation) {
        return cause(operation.peer) != null ? Code.PEER_DEAD : Code.CANCELLED;
    }

    /** Receives that have met a message of the peer which is not wholly here. */
    private void endMatched(Peer peer) {
        BitSet waiting = new BitSet();
        for (int context : device.contexts()) {
            device.queue(context).forEachPosted(waiting::set);
        }
        peer.pieces = null;
        device.forEachOperation(operation -> {
            if (operation.active() && operation.receive && !waiting.get(operation.index())
                    && MatchWord.source(operation.metWord) == peer.rank) {
                operation.finish(Code.PEER_DEAD);
            }
        });
    }
}
