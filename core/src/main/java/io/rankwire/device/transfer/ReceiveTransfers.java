package io.rankwire.device.transfer;

import io.rankwire.device.Code;
import io.rankwire.device.ControlFrames;
import io.rankwire.device.Credit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.fabric.Place;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The receiving side of large messages. An announced message gets exactly one answer, when it meets its receive: how
 * many bytes are wanted and under which id, or that nothing is. Parts that come ahead of the answer go straight into
 * the user's buffer if there is one, else into the unexpected buffer; parts of a message that is over are dropped.
 */
public final class ReceiveTransfers {
    private static final int ID = 8;

    private final DeviceConfig config;
    private final UnexpectedBuffer payloads;
    private final ControlFrames control;
    private final Credit credit;
    private final DirectCopies direct;
    private final Announced[] spare = new Announced[4];
    private int spareCount;

    public ReceiveTransfers(DeviceConfig config, UnexpectedBuffer payloads, ControlFrames control, Credit credit,
            DirectCopies direct) {
        this.config = config;
        this.payloads = payloads;
        this.control = control;
        this.credit = credit;
        this.direct = direct;
    }

    /** An announcement that found its receive posted. */
    public void announced(Operation operation, Peer peer, long word, int meta, MemorySegment memory, long payload) {
        int sendId = (int) Words.load(memory, payload);
        open(peer, memory, payload);
        start(operation, peer, sendId, word, Frame.elementType(meta), Words.load(memory, payload + ID),
                Frame.CLEAR_TO_SEND);
    }

    /** An announcement that has to wait for its receive. */
    public void pending(Peer peer, MemorySegment memory, long payload) {
        open(peer, memory, payload);
        int sendId = (int) Words.load(memory, payload);
        control.send(peer, Frame.PENDING, Frame.header(sendId, 0));
    }

    /** A receive met an announcement that had waited for it. */
    public void met(Operation operation, Peer peer, int sendId, long word, int elementType, long bytes) {
        if (peer.isLost()) {
            operation.meet(word, elementType, bytes);
            forget(peer, sendId);
            operation.finish(Code.PEER_DEAD);
        } else {
            start(operation, peer, sendId, word, elementType, bytes,
                    bytes <= config.putLimit() ? Frame.REMOTE_GET : Frame.CLEAR_TO_SEND);
        }
    }

    /** Keeps what an announcement says beside the header, if there is such a thing. */
    public void open(Peer peer, MemorySegment memory, long payload) {
        long flags = Words.load(memory, payload + 2 * ID) & ~Frame.FLAG_FOREMOST;
        if (flags == 0) {
            return;
        }
        int sendId = (int) Words.load(memory, payload);
        assert peer.transfers().announced(sendId) == null;
        Announced known = spareCount > 0 ? spare[--spareCount] : new Announced();
        known.way = (int) flags & (Frame.FLAG_PLACE | Frame.FLAG_ADDRESS);
        if (known.way != 0) {
            known.place = Words.load(memory, payload + 3 * ID);
            known.offset = Words.load(memory, payload + 4 * ID);
            known.claims = Words.load(memory, payload + 5 * ID);
        }
        peer.transfers().announced(sendId, known);
    }

    private void start(
            Operation operation, Peer peer, int sendId, long word, int elementType, long bytes, int answer) {
        int code = operation.meet(word, elementType, bytes);
        if (config.refuses(code)) {
            forget(peer, sendId);
            control.send(peer, Frame.REFUSE, Frame.header(sendId, code));
            operation.finish(code);
            return;
        }
        operation.endsWith(code);
        ReceiveTransfer transfer = operation.receiving();
        transfer.begin(sendId, Math.min(bytes, operation.bytes()));
        Announced known = peer.transfers().announced(sendId);
        if (known != null && transfer.wanted > 0 && direct.take(operation, peer, known)) {
            forget(peer, sendId);
            return;
        }
        if (known != null) {
            known.operation = operation;
            takeStored(operation, peer, known);
        }
        if (transfer.isComplete() || !direct.invite(operation, peer)) {
            control.send(peer, answer, Frame.header(sendId, operation.index()), transfer.wanted);
        }
        finishIfComplete(peer, operation);
    }

    /** Takes note of the bytes that the sender has written into the receive's buffer. */
    public void put(Peer peer, Operation operation, long bytes) {
        operation.receiving().moved += bytes;
        finishIfComplete(peer, operation);
    }

    /** The sender has closed the memory of the message: no more of it comes. */
    public void messageEnded(Peer peer, Operation operation) {
        forget(peer, operation.receiving().sendId);
        operation.finish(Code.MESSAGE_ENDED);
    }

    private void takeStored(Operation operation, Peer peer, Announced known) {
        ReceiveTransfer transfer = operation.receiving();
        long at = 0;
        for (int i = 0; i < known.count; i++) {
            int length = known.lengths[i];
            int fits = Math.clamp(transfer.wanted - at, 0, length);
            operation.take(payloads, known.references[i], at, fits);
            transfer.moved += fits;
            at += length;
        }
        releaseStored(peer, known);
    }

    private void releaseStored(Peer peer, Announced known) {
        for (int i = 0; i < known.count; i++) {
            payloads.release(known.references[i]);
            credit.giveBack(peer, credit.units(known.lengths[i]));
        }
        known.count = 0;
    }

    /** A part that comes ahead of the answer. */
    public void early(Peer peer, int sendId, MemorySegment memory, long payload, int payloadBytes) {
        int bytes = payloadBytes - Frame.DATA_LEAD;
        Announced known = peer.transfers().announced(sendId);
        if (known != null && known.operation == null) {
            known.add(payloads.store(memory, payload + Frame.DATA_LEAD, bytes), bytes);
            return;
        }
        if (known != null) {
            data(peer, known.operation, memory, payload, payloadBytes);
        }
        credit.giveBack(peer, credit.units(bytes));
    }

    /** A part that the receive asked for. */
    public void data(Peer peer, Operation operation, MemorySegment memory, long payload, int payloadBytes) {
        place(operation, memory, payload, payloadBytes - Frame.DATA_LEAD);
        finishIfComplete(peer, operation);
    }

    /** The receive that an announced message has met, or null. */
    public Operation receiver(Peer peer, int sendId) {
        Announced known = peer.transfers().announced(sendId);
        return known == null ? null : known.operation;
    }

    /** Finds where a part belongs in the receive's buffer, if a port can write it there. */
    public static boolean place(Operation operation, long at, int payloadBytes, Place to) {
        Object memory = operation.buffer();
        boolean isReached = memory instanceof MemorySegment segment && segment.isNative() ? Words.reachAll()
                : Words.isArray(memory);
        if (!isReached || operation.receiving().wanted - at < payloadBytes - Frame.DATA_LEAD) {
            return false;
        }
        if (Copy.hasEnded(memory)) {
            operation.memoryIsGone();
            return false;
        }
        to.memory = memory;
        to.offset = operation.offset() + at;
        to.lead = Frame.DATA_LEAD;
        return true;
    }

    /** A part has come that the port has written to its place. */
    public void placed(Peer peer, Operation operation, int payloadBytes) {
        operation.receiving().moved += payloadBytes - Frame.DATA_LEAD;
        finishIfComplete(peer, operation);
    }

    /** The same for a part that came ahead of the answer. */
    public void placedEarly(Peer peer, int sendId, int payloadBytes) {
        Operation operation = receiver(peer, sendId);
        if (operation != null) {
            placed(peer, operation, payloadBytes);
        }
        credit.giveBack(peer, credit.units(payloadBytes - Frame.DATA_LEAD));
    }

    private static void place(Operation operation, MemorySegment memory, long payload, int bytes) {
        ReceiveTransfer transfer = operation.receiving();
        long at = Words.load(memory, payload);
        int fits = Math.clamp(transfer.wanted - at, 0, bytes);
        operation.take(memory, payload + Frame.DATA_LEAD, at, fits);
        transfer.moved += fits;
    }

    private void finishIfComplete(Peer peer, Operation operation) {
        if (operation.receiving().isComplete()) {
            forget(peer, operation.receiving().sendId);
            operation.finish(operation.code());
        }
    }

    /** Drops what is kept of a message. Parts of it that still come are dropped too. */
    public void forget(Peer peer, int sendId) {
        Announced known = peer.transfers().announced(sendId);
        if (known == null) {
            return;
        }
        releaseStored(peer, known);
        known.operation = null;
        peer.transfers().announced(sendId, null);
        if (spareCount < spare.length) {
            spare[spareCount++] = known;
        }
    }

    /** Drops what is kept of the messages of a lost peer. */
    public void lose(Peer peer) {
        for (int id = 0; id < peer.transfers().announcedEnd(); id++) {
            forget(peer, id);
        }
    }
}
