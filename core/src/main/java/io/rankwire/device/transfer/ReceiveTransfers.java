package io.rankwire.device.transfer;

import io.rankwire.device.Code;
import io.rankwire.device.ControlFrames;
import io.rankwire.device.Credit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Hardware;
import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.device.Violation;
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
    /** A length takes 48 bits where a message waits for its receive. */
    private static final long MOST_BYTES = (1L << 47) - 1;

    private final DeviceConfig config;
    private final UnexpectedBuffer payloads;
    private final ControlFrames control;
    private final Credit credit;
    private final DirectCopies direct;
    /** Null in a real run. */
    private final Hardware hardware;
    private final Announced[] spare = new Announced[4];
    private int spareCount;

    public ReceiveTransfers(DeviceConfig config, UnexpectedBuffer payloads, ControlFrames control, Credit credit,
            DirectCopies direct, Hardware hardware) {
        this.hardware = hardware;
        this.config = config;
        this.payloads = payloads;
        this.control = control;
        this.credit = credit;
        this.direct = direct;
        direct.remote.receives = this;
    }

    /**
     * Checks what a peer announces before any of it is used.
     *
     * @param more flags that the kind of frame may have beside those of all announcements
     */
    public static void checkAnnouncement(Peer peer, MemorySegment memory, long payload, int more) {
        int sendId = (int) Words.load(memory, payload);
        long bytes = Words.load(memory, payload + ID);
        long flags = Words.load(memory, payload + 2 * ID);
        long way = flags & ~more & ~Frame.FLAG_READY;
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new Violation("a message of " + bytes + " bytes");
        }
        if (way != 0 && way != Frame.FLAG_EARLY && way != Frame.FLAG_PLACE && way != Frame.FLAG_ADDRESS
                && (way & ~Frame.FLAG_EARLY) != Frame.FLAG_REMOTE) {
            throw new Violation("flags " + flags);
        }
        long early = (way & Frame.FLAG_REMOTE) == 0 ? 0 : Words.load(memory, payload + 5 * ID);
        if (early < 0 || early > bytes || early > 0 && (way & Frame.FLAG_EARLY) == 0) {
            throw new Violation(early + " bytes early");
        }
        if (way != 0 && Words.load(memory, payload + 5 * ID) < DirectCopies.NO_CLAIMS && way == Frame.FLAG_PLACE) {
            throw new Violation("claims " + Words.load(memory, payload + 5 * ID));
        }
        if (peer.transfers().announced(sendId) != null) {
            throw new Violation("send " + Integer.toHexString(sendId) + " was announced before, and is not over");
        }
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
        Announced known = peer.transfers().announced(sendId);
        if (known != null) {
            // The answer ends what goes early.
            known.earlyBytes = 0;
        }
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
        long flags = Words.load(memory, payload + 2 * ID) & ~(Frame.FLAG_FOREMOST | Frame.FLAG_READY);
        if (flags == 0) {
            return;
        }
        int sendId = (int) Words.load(memory, payload);
        Announced known = spareCount > 0 ? spare[--spareCount] : new Announced();
        known.bytes = Words.load(memory, payload + ID);
        known.arrived = 0;
        known.isEarly = (flags & Frame.FLAG_EARLY) != 0;
        known.way = (int) flags & (Frame.FLAG_PLACE | Frame.FLAG_ADDRESS | Frame.FLAG_REMOTE);
        known.earlyBytes = 0;
        if (known.way != 0) {
            known.place = Words.load(memory, payload + 3 * ID);
            known.offset = Words.load(memory, payload + 4 * ID);
            known.claims = Words.load(memory, payload + 5 * ID);
            known.earlyBytes = known.way == Frame.FLAG_REMOTE ? known.claims : 0;
        }
        peer.transfers().announce(sendId, known);
    }

    private void start(
            Operation operation, Peer peer, int sendId, long word, int elementType, long bytes, int answer) {
        int code = operation.meet(word, elementType, bytes);
        if (config.refuses(code)) {
            forget(peer, sendId);
            control.send(peer, Frame.REFUSE, Frame.header(sendId, code), operation.room());
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
            boolean isLeft = !transfer.isComplete();
            if (isLeft && known.way == Frame.FLAG_REMOTE && direct.remote.take(operation, peer, known)) {
                return;
            }
        }
        ask(operation, peer, answer);
    }

    /** Gives the answer that lets the rest of a message come, but for what comes early. */
    void ask(Operation operation, Peer peer, int answer) {
        ReceiveTransfer transfer = operation.receiving();
        operation.rename();
        boolean invited = !transfer.isComplete() && direct.invite(operation, peer);
        transfer.answer(invited);
        if (!invited) {
            control.send(peer, answer, Frame.header(transfer.sendId, operation.id()), transfer.wanted);
        }
        finishIfComplete(peer, operation);
    }

    /** The network has read the message, or the memory of the receive has ended. */
    void read(Peer peer, Operation operation) {
        forget(peer, operation.receiving().sendId);
        operation.receiving().close();
        operation.receiving().traceEnd(peer, operation, "remote memory");
        operation.finish(operation.code());
    }

    /** Takes note of the bytes that the sender has written into the receive's buffer. */
    public void put(Peer peer, Operation operation, long bytes) {
        operation.receiving().written(bytes);
        finishIfComplete(peer, operation);
    }

    /** The sender has closed the memory of the message: no more of it comes. */
    public void messageEnded(Peer peer, Operation operation) {
        forget(peer, operation.receiving().sendId);
        operation.receiving().close();
        operation.finish(Code.MESSAGE_ENDED);
    }

    private void takeStored(Operation operation, Peer peer, Announced known) {
        ReceiveTransfer transfer = operation.receiving();
        long at = 0;
        for (int i = 0; i < known.count; i++) {
            int length = known.lengths[i];
            int fits = transfer.moveFront(at, length);
            operation.take(payloads, known.references[i], at, fits);
            at += length;
        }
        releaseStored(peer, known);
    }

    private void releaseStored(Peer peer, Announced known) {
        for (int i = 0; i < known.count; i++) {
            payloads.release(known.references[i]);
            credit.giveBackHeld(peer, credit.units(known.lengths[i]));
        }
        known.count = 0;
    }

    /** A part that comes ahead of the answer. */
    public void early(Peer peer, int sendId, MemorySegment memory, long payload, int payloadBytes) {
        int bytes = payloadBytes - Frame.DATA_LEAD;
        Announced known = peer.transfers().announced(sendId);
        if (known != null) {
            known.arrive(Words.load(memory, payload), bytes);
        }
        if (hardware != null) {
            // It came by a memory FIFO, from which a processor takes it; what was asked for is put to its place.
            hardware.hostCopies(bytes);
        }
        if (known != null && known.operation == null) {
            credit.hold(peer, credit.units(bytes));
            known.add(payloads.store(memory, payload + Frame.DATA_LEAD, bytes), bytes);
            return;
        }
        if (known != null) {
            Operation operation = known.operation;
            long at = known.arrived - bytes;
            int fits = operation.receiving().moveFront(at, bytes);
            if (fits > 0) {
                operation.take(memory, payload + Frame.DATA_LEAD, at, fits);
            }
            finishIfComplete(peer, operation);
        }
        credit.giveBack(peer, credit.units(bytes));
    }

    /** A part that the receive asked for. */
    public void data(Peer peer, Operation operation, MemorySegment memory, long payload, int payloadBytes) {
        int bytes = payloadBytes - Frame.DATA_LEAD;
        long at = Words.load(memory, payload);
        operation.receiving().moveBack(at, bytes);
        operation.take(memory, payload + Frame.DATA_LEAD, at, bytes);
        finishIfComplete(peer, operation);
    }

    /** Finds where a part belongs in the receive's buffer, if a port can write it there. */
    public static boolean placeOfPart(Operation operation, long at, int payloadBytes, Place to) {
        return operation != null && operation.receiving().isNext(at, payloadBytes - Frame.DATA_LEAD)
                && place(operation, at, payloadBytes, to);
    }

    /** The same for a part that comes ahead of the answer. */
    public boolean placeOfEarly(Peer peer, int sendId, long at, int payloadBytes, Place to) {
        Announced known = peer.transfers().announced(sendId);
        return known != null && known.operation != null && known.isNext(at, payloadBytes - Frame.DATA_LEAD)
                && place(known.operation, at, payloadBytes, to);
    }

    private static boolean place(Operation operation, long at, int payloadBytes, Place to) {
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
    public void placed(Peer peer, Operation operation, long at, int payloadBytes) {
        operation.receiving().moveBack(at, payloadBytes - Frame.DATA_LEAD);
        finishIfComplete(peer, operation);
    }

    /** The same for a part that came ahead of the answer. */
    public void placedEarly(Peer peer, int sendId, long at, int payloadBytes) {
        Announced known = peer.transfers().announced(sendId);
        if (known != null) {
            known.arrive(at, payloadBytes - Frame.DATA_LEAD);
            known.operation.receiving().moveFront(at, payloadBytes - Frame.DATA_LEAD);
            finishIfComplete(peer, known.operation);
        }
        credit.giveBack(peer, credit.units(payloadBytes - Frame.DATA_LEAD));
    }

    private void finishIfComplete(Peer peer, Operation operation) {
        if (operation.receiving().isComplete()) {
            forget(peer, operation.receiving().sendId);
            operation.receiving().close();
            operation.receiving().traceEnd(peer, operation, operation.receiving().way());
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
        peer.transfers().forget(sendId);
        if (spareCount < spare.length) {
            spare[spareCount++] = known;
        }
    }

    /** Drops what is kept of the messages of a lost peer. */
    public void lose(Peer peer) {
        for (int id : peer.transfers().announcedIds()) {
            forget(peer, id);
        }
    }
}
