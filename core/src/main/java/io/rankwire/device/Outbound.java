package io.rankwire.device;

import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.util.Arrays;

/**
 * Sends. A message goes whole at once when it is small and the receiver's credit covers it (eager); otherwise it is
 * announced and moved when it has met its receive. Order per peer is the order of the calls: a send that finds no room
 * waits, and those behind it wait too. Control frames pass them.
 */
final class Outbound {
    private static final int ID = 8;
    /** Data frames one peer may get in one round of progress, so that no transfer holds up the rest. */
    private static final int DATA_QUANTUM = 4;

    private final Device device;
    private final int eagerBytes;
    private final int dataBytes;

    private Peer[] busy = new Peer[4];
    private int busyCount;
    private long bufferedHeld;

    Outbound(Device device, int maxPayload) {
        this.device = device;
        this.eagerBytes = Math.min(device.config().eagerBytes(), maxPayload - ID);
        this.dataBytes = maxPayload - ID & ~63;
    }

    int eagerBytes() {
        return eagerBytes;
    }

    /** The short way: no operation, no queue. False if anything stands in the way; nothing was changed then. */
    boolean sendNow(Peer peer, int context, int tag, Object buffer, long offset, int bytes, int elementType) {
        if (peer.firstPending != null) {
            return false;
        }
        return writeEager(peer, context, tag, buffer, offset, bytes, elementType);
    }

    private boolean writeEager(
            Peer peer, int context, int tag, Object buffer, long offset, int bytes, int elementType) {
        long units = device.units(bytes);
        if (peer.used + units > peer.allowedEager) {
            return false;
        }
        Outlet outlet = peer.outlet;
        long at = outlet.claim(bytes);
        if (at < 0) {
            return false;
        }
        Copy.out(buffer, offset, outlet.memory(), at, bytes);
        outlet.commit(at, bytes, Frame.meta(Frame.EAGER, elementType), Frame.header(context, tag));
        peer.used += units;
        return true;
    }

    void send(Peer peer, Operation operation) {
        if (peer.firstPending == null && tryStart(peer, operation)) {
            return;
        }
        holdIfBuffered(operation);
        peer.addPending(operation);
        markBusy(peer);
    }

    /** Room for another buffered send, by the cap of the configuration. */
    boolean bufferAdmits(long bytes) {
        return bufferedHeld + bytes <= device.config().bufferedBytes();
    }

    long bufferedHeld() {
        return bufferedHeld;
    }

    /** A buffered send is done for its caller once its bytes are held here. */
    void holdIfBuffered(Operation operation) {
        if (operation.mode != Operation.Mode.BUFFERED || operation.heldBuffer) {
            return;
        }
        byte[] copy = new byte[(int) operation.bytes];
        Copy.toBytes(operation.buffer, operation.offset, copy);
        operation.buffer = copy;
        operation.offset = 0;
        operation.heldBuffer = true;
        bufferedHeld += copy.length;
    }

    private boolean tryStart(Peer peer, Operation operation) {
        boolean fits = operation.bytes <= eagerBytes;
        if (fits && peer.used + device.units(operation.bytes) <= peer.allowedEager) {
            boolean sync = operation.mode == Operation.Mode.SYNCHRONOUS;
            return sync ? sendSync(peer, operation) : sendEager(peer, operation);
        }
        if (fits && !peer.denied) {
            if (!peer.asked) {
                peer.asked = true;
                control(peer, Frame.CREDIT_REQUEST, 0, 0);
            }
            return false;
        }
        return announce(peer, operation);
    }

    private boolean sendEager(Peer peer, Operation operation) {
        if (!writeEager(peer, operation.context, operation.tag, operation.buffer, operation.offset,
                (int) operation.bytes, operation.elementType)) {
            return false;
        }
        finishSend(operation, Code.OK);
        return true;
    }

    private boolean sendSync(Peer peer, Operation operation) {
        int bytes = (int) operation.bytes;
        Outlet outlet = peer.outlet;
        long at = outlet.claim(ID + bytes);
        if (at < 0) {
            return false;
        }
        Words.plain(outlet.memory(), at, operation.index());
        Copy.out(operation.buffer, operation.offset, outlet.memory(), at + ID, bytes);
        long header = Frame.header(operation.context, operation.tag);
        outlet.commit(at, ID + bytes, Frame.meta(Frame.EAGER_SYNC, operation.elementType), header);
        peer.used += device.units(bytes);
        operation.announced = true;
        return true;
    }

    private boolean announce(Peer peer, Operation operation) {
        if (peer.used + 1 > peer.allowed) {
            return false;
        }
        Outlet outlet = peer.outlet;
        long at = outlet.claim(2 * ID);
        if (at < 0) {
            return false;
        }
        holdIfBuffered(operation);
        Words.plain(outlet.memory(), at, operation.index());
        Words.plain(outlet.memory(), at + ID, operation.bytes);
        long header = Frame.header(operation.context, operation.tag);
        outlet.commit(at, 2 * ID, Frame.meta(Frame.REQUEST_TO_SEND, operation.elementType), header);
        peer.used += 1;
        operation.announced = true;
        return true;
    }

    /** The receiver is known and wants so many bytes. */
    void clearToSend(Peer peer, Operation operation, int remoteId, long wanted) {
        operation.remoteId = remoteId;
        operation.wanted = wanted;
        if (!operation.cancelling) {
            startData(peer, operation);
        }
    }

    /**
     * The peer's answer to a cancel; a message that met its receive meanwhile goes on as if none had been asked for.
     */
    void cancelAnswered(Peer peer, Operation operation, boolean withdrawn) {
        operation.cancelling = false;
        if (withdrawn) {
            finishSend(operation, Code.CANCELLED);
        } else if (operation.wanted >= 0) {
            startData(peer, operation);
        }
    }

    void acknowledged(Peer peer, Operation operation) {
        clearToSend(peer, operation, 0, 0);
    }

    /** The receiver takes nothing. A send whose cancel is still unanswered ends with that answer, not before. */
    void refused(Peer peer, Operation operation) {
        operation.code = Code.REFUSED;
        clearToSend(peer, operation, 0, 0);
    }

    private void startData(Peer peer, Operation operation) {
        if (operation.wanted == 0) {
            finishSend(operation, operation.code);
        } else {
            peer.addData(operation);
            markBusy(peer);
        }
    }

    void finishSend(Operation operation, int code) {
        if (operation.heldBuffer) {
            bufferedHeld -= operation.bytes;
            operation.buffer = null;
            operation.finish(code);
            device.giveBack(operation);
        } else {
            operation.finish(code);
        }
    }

    /** True if the send is withdrawn now; false if it is too late or the peer must be asked first. */
    boolean cancel(Peer peer, Operation operation) {
        if (!operation.announced) {
            if (peer.removePending(operation)) {
                finishSend(operation, Code.CANCELLED);
                return true;
            }
            return false;
        }
        if (!operation.cancelling && operation.wanted < 0) {
            operation.cancelling = true;
            control(peer, Frame.CANCEL, Frame.header(operation.context, operation.tag), operation.index());
        }
        return false;
    }

    void control(Peer peer, int kind, long header, long extra) {
        if (peer.hasControl() || !writeControl(peer, kind, header, extra)) {
            peer.addControl(kind, header, extra);
            markBusy(peer);
        }
    }

    private boolean writeControl(Peer peer, int kind, long header, long extra) {
        boolean long2 = kind == Frame.CLEAR_TO_SEND || kind == Frame.CANCEL;
        Outlet outlet = peer.outlet;
        long at = outlet.claim(long2 ? ID : 0);
        if (at < 0) {
            return false;
        }
        if (long2) {
            Words.plain(outlet.memory(), at, extra);
        }
        outlet.commit(at, long2 ? ID : 0, Frame.meta(kind, 0), header);
        return true;
    }

    /** Peers with something left to send. */
    int waiting() {
        return busyCount;
    }

    void markBusy(Peer peer) {
        if (!peer.busy) {
            peer.busy = true;
            if (busyCount == busy.length) {
                busy = Arrays.copyOf(busy, 2 * busyCount);
            }
            busy[busyCount++] = peer;
            device.addChore();
        }
    }

    /** One bounded round over the peers that have work left. */
    int progress() {
        int work = 0;
        for (int i = busyCount - 1; i >= 0; i--) {
            Peer peer = busy[i];
            work += advance(peer);
            if (!peer.hasWork()) {
                peer.busy = false;
                busy[i] = busy[--busyCount];
                busy[busyCount] = null;
            }
        }
        return work;
    }

    private int advance(Peer peer) {
        int work = 0;
        while (peer.hasControl()) {
            if (!writeControl(peer, (int) peer.controlWord(0), peer.controlWord(1), peer.controlWord(2))) {
                return work;
            }
            peer.dropControl();
            work++;
        }
        while (peer.firstPending != null) {
            Operation operation = peer.dropPending();
            if (!tryStart(peer, operation)) {
                operation.next = peer.firstPending;
                if (peer.firstPending == null) {
                    peer.lastPending = operation;
                }
                peer.firstPending = operation;
                break;
            }
            work++;
        }
        for (int n = 0; n < DATA_QUANTUM && peer.firstData != null && pushData(peer); n++) {
            work++;
        }
        return work;
    }

    private boolean pushData(Peer peer) {
        Operation operation = peer.firstData;
        int chunk = (int) Math.min(dataBytes, operation.wanted - operation.moved);
        Outlet outlet = peer.outlet;
        long at = outlet.claim(ID + chunk);
        if (at < 0) {
            return false;
        }
        Words.plain(outlet.memory(), at, operation.moved);
        Copy.out(operation.buffer, operation.offset + operation.moved, outlet.memory(), at + ID, chunk);
        long header = Frame.header(operation.remoteId, 0);
        outlet.commit(at, ID + chunk, Frame.meta(Frame.DATA, operation.elementType), header);
        operation.moved += chunk;
        if (operation.moved == operation.wanted) {
            finishSend(peer.dropData(), Code.OK);
        }
        return true;
    }
}
