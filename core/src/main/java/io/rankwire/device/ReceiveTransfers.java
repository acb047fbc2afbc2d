package io.rankwire.device;

import io.rankwire.device.dma.Descriptor;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The receiving side of large messages. An announced message gets exactly one answer, when it meets its receive: how
 * many bytes are wanted and under which id, or that nothing is. Parts that come ahead of it go straight into the user's
 * buffer if there is one, else into the unexpected buffer; parts of a message that is over already are dropped.
 */
final class ReceiveTransfers {
    private static final int ID = 8;

    private final Device device;
    private final UnexpectedBuffer payloads;
    private final long putLimit;
    private Announced[] spare = new Announced[4];
    private int spareCount;

    ReceiveTransfers(Device device, UnexpectedBuffer payloads) {
        this.device = device;
        this.payloads = payloads;
        this.putLimit = device.config().putLimit();
    }

    /** An announcement that found its receive posted. */
    void announced(Operation operation, Peer peer, long word, int meta, MemorySegment memory, long payload) {
        int sendId = (int) Words.plain(memory, payload);
        open(peer, memory, payload);
        start(operation, peer, sendId, word, Frame.elementType(meta), Words.plain(memory, payload + ID),
                Frame.CLEAR_TO_SEND);
    }

    /** An announcement that has to wait for its receive. */
    void pending(Peer peer, MemorySegment memory, long payload) {
        open(peer, memory, payload);
        int sendId = (int) Words.plain(memory, payload);
        device.outbound().control(peer, Frame.PENDING, Frame.header(sendId, 0), 0);
    }

    /** A receive met an announcement that had waited for it. */
    void met(Operation operation, Peer peer, int sendId, long word, int elementType, long bytes) {
        if (peer.outlet == null) {
            device.loopback().transfer(operation, device.operation(sendId));
        } else if (peer.lost != null) {
            device.inbound().met(operation, word, elementType, bytes);
            forget(peer, sendId);
            operation.finish(Code.PEER_DEAD);
        } else {
            start(operation, peer, sendId, word, elementType, bytes,
                    bytes <= putLimit ? Frame.REMOTE_GET : Frame.CLEAR_TO_SEND);
        }
    }

    /** Keeps what an announcement says beside the header, if it does. */
    void open(Peer peer, MemorySegment memory, long payload) {
        long flags = Words.plain(memory, payload + 2 * ID) & ~Frame.FLAG_FOREMOST;
        if (flags == 0) {
            return;
        }
        int sendId = (int) Words.plain(memory, payload);
        if (sendId >= peer.announced.length) {
            peer.announced = Arrays.copyOf(peer.announced, Math.max(16, 2 * sendId));
        }
        assert peer.announced[sendId] == null;
        Announced known = spareCount > 0 ? spare[--spareCount] : new Announced();
        known.way = (int) flags & (Frame.FLAG_PLACE | Frame.FLAG_ADDRESS);
        if (known.way != 0) {
            known.place = Words.plain(memory, payload + 3 * ID);
            known.offset = Words.plain(memory, payload + 4 * ID);
            known.claims = Words.plain(memory, payload + 5 * ID);
        }
        peer.announced[sendId] = known;
    }

    private void start(
            Operation operation, Peer peer, int sendId, long word, int elementType, long bytes, int answer) {
        int code = device.inbound().met(operation, word, elementType, bytes);
        if (device.inbound().refuses(code)) {
            forget(peer, sendId);
            device.outbound().control(peer, Frame.REFUSE, Frame.header(sendId, code), 0);
            operation.finish(code);
            return;
        }
        operation.code = code;
        operation.moved = 0;
        operation.wanted = Math.min(bytes, operation.bytes);
        operation.remoteId = sendId;
        Announced known = find(peer, sendId);
        if (known != null && operation.wanted > 0 && device.direct().take(operation, peer, sendId, known)) {
            forget(peer, sendId);
            return;
        }
        if (known != null) {
            known.operation = operation;
            takeStored(operation, peer, known);
        }
        if (operation.moved == operation.wanted || !device.direct().invite(operation, peer, sendId)) {
            device.outbound().control(peer, answer, Frame.header(sendId, operation.index()), operation.wanted);
        }
        finishIfWhole(peer, operation);
    }

    /** The sender has put so many bytes into the buffer itself. */
    void put(Peer peer, Operation operation, long bytes) {
        operation.moved += bytes;
        finishIfWhole(peer, operation);
    }

    /** The sender has closed the memory of the message: no more of it comes. */
    void messageEnded(Peer peer, Operation operation) {
        forget(peer, operation.remoteId);
        operation.finish(Code.MESSAGE_ENDED);
    }

    private void takeStored(Operation operation, Peer peer, Announced known) {
        long at = 0;
        for (int i = 0; i < known.count; i++) {
            int length = known.lengths[i];
            int fits = Math.clamp(operation.wanted - at, 0, length);
            device.inbound().copyOut(known.references[i], operation, at, fits);
            operation.moved += fits;
            at += length;
        }
        releaseStored(peer, known);
    }

    private void releaseStored(Peer peer, Announced known) {
        for (int i = 0; i < known.count; i++) {
            payloads.release(known.references[i]);
            device.inbound().giveBackUnits(peer, device.units(known.lengths[i]));
        }
        known.count = 0;
    }

    /** A part that comes ahead of the answer. */
    void early(Peer peer, int sendId, MemorySegment memory, long payload, int payloadBytes) {
        int bytes = payloadBytes - Descriptor.LEAD;
        Announced known = find(peer, sendId);
        if (known != null && known.operation == null) {
            known.add(device.inbound().store(memory, payload + Descriptor.LEAD, bytes), bytes);
            return;
        }
        if (known != null) {
            place(known.operation, memory, payload, bytes);
            finishIfWhole(peer, known.operation);
        }
        device.inbound().giveBackUnits(peer, device.units(bytes));
    }

    void data(Operation operation, MemorySegment memory, long payload, int payloadBytes) {
        place(operation, memory, payload, payloadBytes - Descriptor.LEAD);
        finishIfWhole(device.peer(operation.source()), operation);
    }

    private static void place(Operation operation, MemorySegment memory, long payload, int bytes) {
        long at = Words.plain(memory, payload);
        int fits = Math.clamp(operation.wanted - at, 0, bytes);
        operation.take(memory, payload + Descriptor.LEAD, at, fits);
        operation.moved += fits;
    }

    private void finishIfWhole(Peer peer, Operation operation) {
        if (operation.moved == operation.wanted) {
            forget(peer, operation.remoteId);
            operation.finish(operation.code);
        }
    }

    private static Announced find(Peer peer, int sendId) {
        return sendId < peer.announced.length ? peer.announced[sendId] : null;
    }

    /** Parts of this message that still come are dropped. */
    void forget(Peer peer, int sendId) {
        Announced known = find(peer, sendId);
        if (known == null) {
            return;
        }
        releaseStored(peer, known);
        known.operation = null;
        peer.announced[sendId] = null;
        if (spareCount < spare.length) {
            spare[spareCount++] = known;
        }
    }
}
