package io.rankwire.device;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PortTraits;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.util.Arrays;

/**
 * Sends. A message goes whole at once when it is small and the receiver's credit covers it (eager); otherwise it is
 * announced, and {@link SendTransfers} moves it. Order per peer is the order of the calls: a send that finds no room
 * waits, and those behind it wait too. Control frames pass them.
 */
final class Outbound {
    private static final int ID = 8;
    private static final int LINE = PortTraits.LINE;
    /** A message of more bytes goes in pieces of so many. */
    private static final int PIECE = PortTraits.PIECE;

    private final Device device;
    private final int eagerBytes;

    private Peer[] busy = new Peer[4];
    private int busyCount;
    private long bufferedHeld;

    Outbound(Device device, int maxPayload) {
        this.device = device;
        this.eagerBytes = Math.min(device.config().eagerBytes(), maxPayload - ID - extra(maxPayload));
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
        if (bytes > PIECE) {
            if (outlet.claim(bytes + extra(bytes)) < 0) {
                return false;
            }
            writePieces(peer, context, tag, buffer, offset, bytes, elementType);
            return true;
        }
        long at = outlet.claim(bytes);
        if (at < 0) {
            return false;
        }
        Copy.out(buffer, offset, outlet.memory(), at, bytes);
        outlet.commit(at, bytes, Frame.meta(Frame.EAGER, elementType), Frame.header(context, tag));
        peer.used += units;
        return true;
    }

    /** What pieces may take beyond their bytes: a line each. */
    private static int extra(int bytes) {
        return (bytes / PIECE + 1) * LINE;
    }

    /**
     * The receiver copies a piece while the next one is written. There is room for all of them, so nothing comes
     * between.
     */
    private void writePieces(
            Peer peer, int context, int tag, Object buffer, long offset, int bytes, int elementType) {
        Outlet outlet = peer.outlet;
        long header = Frame.header(context, tag);
        long at = outlet.claim(ID + PIECE);
        Words.plain(outlet.memory(), at, bytes);
        Copy.out(buffer, offset, outlet.memory(), at + ID, PIECE);
        outlet.commit(at, ID + PIECE, Frame.meta(Frame.EAGER_FIRST, elementType), header);
        peer.used += device.units(bytes);
        for (int done = PIECE; done < bytes; ) {
            int piece = Math.min(PIECE, bytes - done);
            at = outlet.claim(piece);
            try {
                Copy.out(buffer, offset + done, outlet.memory(), at, piece);
            } catch (RuntimeException e) {
                outlet.commit(at, 0, Frame.meta(Frame.EAGER_LAST, elementType), header);
                throw e;
            }
            done += piece;
            int kind = done < bytes ? Frame.EAGER_MORE : Frame.EAGER_LAST;
            outlet.commit(at, piece, Frame.meta(kind, elementType), header);
        }
    }

    void send(Peer peer, Operation operation) {
        if (peer.firstPending != null || !tryStart(peer, operation)) {
            queue(peer, operation);
        }
    }

    private void queue(Peer peer, Operation operation) {
        if (peer.lost != null) {
            finishSend(operation, Code.PEER_DEAD);
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
        try {
            Copy.toBytes(operation.buffer, operation.offset, copy);
        } catch (IllegalStateException e) {
            operation.checkEnded(e);
            return;
        }
        operation.buffer = copy;
        operation.offset = 0;
        operation.heldBuffer = true;
        bufferedHeld += copy.length;
    }

    private boolean tryStart(Peer peer, Operation operation) {
        try {
            return start(peer, operation);
        } catch (IllegalStateException e) {
            operation.checkEnded(e);
            finishSend(operation, Code.MEMORY_ENDED);
            return true;
        }
    }

    private boolean start(Peer peer, Operation operation) {
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
        if (peer.used >= peer.allowed) {
            if (peer.beginsHolding()) {
                control(peer, Frame.HOLDING, peer.allowed, 0);
            }
            return false;
        }
        return device.sends().announce(peer, operation);
    }

    /** The peer asks for messages that may be kept here. */
    void wanted(Peer peer, int context, int tag) {
        if (peer.backlog == null) {
            peer.backlog = new Backlog(device, peer);
        }
        peer.backlog.want(context, tag);
    }

    /** An offered message leaves the line: the peer has taken it, or it is over. */
    void leaveLine(Peer peer, Operation operation) {
        operation.offered = false;
        peer.removePending(operation);
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
            if (peer.isPending(operation) && !operation.cancelling) {
                peer.removePending(operation);
                finishSend(operation, Code.CANCELLED);
                return true;
            }
            return false;
        }
        device.sends().withdraw(peer, operation);
        return false;
    }

    void control(Peer peer, int kind, long header, long word) {
        control(peer, kind, header, word, 0, 0);
    }

    void control(Peer peer, int kind, long header, long first, long second, long third) {
        if ((peer.hasControl() || !writeControl(peer, kind, header, first, second, third)) && peer.lost == null) {
            peer.addControl(kind, header, first, second, third);
            markBusy(peer);
        }
    }

    private static boolean writeControl(Peer peer, int kind, long header, long first, long second, long third) {
        int words = Frame.controlWords(kind);
        Outlet outlet = peer.outlet;
        long at = outlet.claim(words * ID);
        if (at < 0) {
            return false;
        }
        if (words > 0) {
            Words.plain(outlet.memory(), at, first);
        }
        if (words > 1) {
            Words.plain(outlet.memory(), at + ID, second);
            Words.plain(outlet.memory(), at + 2 * ID, third);
        }
        outlet.commit(at, words * ID, Frame.meta(kind, 0), header);
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
            if (!writeControl(peer, (int) peer.controlWord(0), peer.controlWord(1), peer.controlWord(2),
                    peer.controlWord(3), peer.controlWord(4))) {
                return work;
            }
            peer.dropControl();
            work++;
        }
        for (Operation first = peer.firstPending; first != null; first = peer.firstPending) {
            if (first.offered || first.cancelling || !tryStart(peer, first)) {
                break;
            }
            peer.removePending(first);
            work++;
        }
        if (peer.backlog != null) {
            work += peer.backlog.offer();
        }
        return peer.injection.isEmpty() ? work : work + device.sends().push(peer);
    }
}
