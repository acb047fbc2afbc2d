package io.rankwire.device;

import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;

/**
 * Sends. A message goes whole at once when it is small and the receiver's credit covers it (eager); otherwise it is
 * announced, and {@link SendTransfers} moves it. Order per peer is the order of the calls: a send that finds no room
 * waits, and those behind it wait too. {@link ControlFrames} pass them, and so do more urgent messages of other
 * contexts, see {@link Priorities}.
 */
record Outbound(Credit credit, ControlFrames control, BusyPeers busy, BufferedSends buffered,
        SendTransfers transfers, Priorities priorities) {
    static final int ID = 8;

    /** Sends without an operation or a queue. False if anything stands in the way; nothing has changed then. */
    boolean sendNow(Peer peer, int context, int tag, Object buffer, long offset, long bytes, int elementType) {
        if (bytes > peer.eagerBytes || peer.firstPending != null) {
            return false;
        }
        return writeEager(Frame.EAGER, peer, context, tag, buffer, offset, (int) bytes, elementType);
    }

    private boolean writeEager(
            int kind, Peer peer, int context, int tag, Object buffer, long offset, int bytes, int elementType) {
        long units = credit.units(bytes);
        if (peer.used + units > peer.allowedEager) {
            return false;
        }
        Outlet outlet = peer.outlet(context);
        int meta = Frame.meta(kind, elementType);
        long header = Frame.header(context, tag);
        long at = outlet.claim(bytes, meta, header);
        if (at < 0) {
            return false;
        }
        if (bytes != Peer.USUAL || !Copy.wordOfArray(buffer, offset, outlet.memory(), at)) {
            Copy.out(buffer, offset, outlet.memory(), at, bytes);
            peer.moreSent += bytes - Peer.USUAL;
        }
        outlet.commit(at, bytes, meta, header);
        peer.used += units;
        peer.wholeSent++;
        return true;
    }

    void send(Peer peer, Operation operation) {
        operation.priority = priorities.of(operation.context);
        if (peer.firstPending != null || !tryStart(peer, operation)) {
            queue(peer, operation);
        }
    }

    private void queue(Peer peer, Operation operation) {
        if (peer.isLost()) {
            buffered.finish(operation, Code.PEER_DEAD);
            return;
        }
        buffered.hold(operation);
        peer.counts.sendsDelayed++;
        peer.addPending(operation);
        busy.add(peer);
    }

    private boolean tryStart(Peer peer, Operation operation) {
        try {
            return start(peer, operation);
        } catch (IllegalStateException e) {
            operation.checkEnded(e);
            buffered.finish(operation, Code.MEMORY_ENDED);
            return true;
        }
    }

    private boolean start(Peer peer, Operation operation) {
        boolean fits = operation.bytes <= peer.eagerBytes;
        if (fits && peer.used + credit.units(operation.bytes) <= peer.allowedEager) {
            boolean sync = operation.mode == Operation.Mode.SYNCHRONOUS;
            return sync ? sendSync(peer, operation) : sendEager(peer, operation);
        }
        if (fits && !peer.denied) {
            if (!peer.asked) {
                peer.asked = true;
                control.send(peer, Frame.CREDIT_REQUEST, 0);
            }
            return false;
        }
        if (peer.used >= peer.allowed) {
            if (peer.tagged != null && !peer.tagged.endAll(true)) {
                return false;
            }
            if (peer.beginsHolding()) {
                control.send(peer, Frame.HOLDING, peer.allowed);
            }
            return false;
        }
        return transfers.announce(peer, operation);
    }

    /** The peer asks for messages that may be kept here. */
    void wanted(Peer peer, int context, int tag) {
        if (tag < MatchWord.ANY || !peer.isHolding()) {
            throw new Violation(tag < MatchWord.ANY ? "tag " + tag : "no message is kept for want of credit");
        }
        if (peer.backlog == null) {
            peer.backlog = new Backlog(peer, transfers, control);
        }
        peer.backlog.want(context, tag);
    }

    private boolean sendEager(Peer peer, Operation operation) {
        int kind = operation.mode == Operation.Mode.READY ? Frame.READY : Frame.EAGER;
        if (!writeEager(kind, peer, operation.context, operation.tag, operation.buffer, operation.offset,
                (int) operation.bytes, operation.elementType)) {
            return false;
        }
        buffered.finish(operation, Code.OK);
        return true;
    }

    private boolean sendSync(Peer peer, Operation operation) {
        int bytes = (int) operation.bytes;
        Outlet outlet = peer.outlet(operation.context);
        long at = outlet.claim(ID + bytes);
        if (at < 0) {
            return false;
        }
        Words.store(outlet.memory(), at, operation.rename());
        Copy.out(operation.buffer, operation.offset, outlet.memory(), at + ID, bytes);
        long header = Frame.header(operation.context, operation.tag);
        outlet.commit(at, ID + bytes, Frame.meta(Frame.EAGER_SYNC, operation.elementType), header);
        peer.used += credit.units(bytes);
        peer.counts.syncSent++;
        peer.counts.sent(ID + bytes);
        operation.sending().announced = true;
        operation.sending().whole = true;
        return true;
    }

    /** True if the send is withdrawn now; false if it is too late or the peer must be asked first. */
    boolean cancel(Peer peer, Operation operation) {
        if (!operation.isAnnounced()) {
            if (peer.isPending(operation) && !operation.isCancelling()) {
                peer.removePending(operation);
                buffered.finish(operation, Code.CANCELLED);
                return true;
            }
            return false;
        }
        if (peer.tagged != null) {
            peer.tagged.endAll(false);
        }
        transfers.withdraw(peer, operation);
        return false;
    }

    /** One bounded round over the peers that have work left. */
    int progress() {
        int work = 0;
        for (int i = busy.count() - 1; i >= 0; i--) {
            Peer peer = busy.get(i);
            work += advance(peer);
            if (!peer.hasWork()) {
                busy.remove(i);
            }
        }
        return work;
    }

    private int advance(Peer peer) {
        int work = control.flush(peer);
        if (peer.hasControl()) {
            return work;
        }
        for (Operation first = peer.firstPending; first != null; first = peer.firstPending) {
            if (first.isOffered() || first.isCancelling() || !tryStart(peer, first)) {
                break;
            }
            peer.removePending(first);
            work++;
        }
        if (peer.backlog != null) {
            work += peer.backlog.offer();
        }
        if (peer.transfers().hasWork()) {
            work += transfers.push(peer);
        }
        return peer.transfers().isLending() ? work + transfers.takeBack(peer, work) : work;
    }
}
