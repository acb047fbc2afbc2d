package io.rankwire.device;

import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/** Whom each kind of frame is for, but for whole messages. */
final class RareFrames {
    private final Device device;
    private final Operations operations;
    private final Inbound inbound;
    private final SendTransfers sends;
    private final ReceiveTransfers receives;
    private final Datagrams datagrams;

    RareFrames(Device device, Operations operations) {
        this.device = device;
        this.operations = operations;
        this.inbound = device.inbound();
        this.sends = device.sends();
        this.receives = device.receives();
        this.datagrams = device.datagrams();
    }

    void frame(int kind, int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        switch (kind) {
            case Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND ->
                inbound.message(from, meta, header, memory, payload, payloadBytes);
            case Frame.EAGER_FIRST -> inbound.firstPiece(from, meta, header, memory, payload, payloadBytes);
            case Frame.EAGER_MORE -> inbound.piece(device.peer(from), memory, payload, payloadBytes);
            case Frame.EAGER_LAST -> inbound.lastPiece(device.peer(from), meta, header, memory, payload, payloadBytes);
            case Frame.DATA -> receives.data(operations.at(Frame.high(header)), memory, payload, payloadBytes);
            case Frame.EARLY -> receives.early(device.peer(from), Frame.high(header), memory, payload, payloadBytes);
            case Frame.CLEAR_TO_SEND, Frame.REMOTE_GET -> sends.cleared(
                    device.peer(from), kind, operations.at(Frame.high(header)), Frame.low(header),
                    Words.plain(memory, payload));
            case Frame.PENDING -> sends.pending(device.peer(from), operations.at(Frame.high(header)));
            case Frame.SHARE -> sends.shared(device.peer(from), operations.at(Frame.high(header)),
                    Words.plain(memory, payload), Words.plain(memory, payload + 8), Words.plain(memory, payload + 16));
            case Frame.PUT_TO -> sends.invited(device.peer(from), operations.at(Frame.high(header)), Frame.low(header),
                    Words.plain(memory, payload), Words.plain(memory, payload + 8), Words.plain(memory, payload + 16));
            case Frame.PUT_DONE ->
                receives.put(device.peer(from), operations.at(Frame.high(header)), Words.plain(memory, payload));
            case Frame.MESSAGE_ENDED ->
                receives.messageEnded(device.peer(from), operations.at(Frame.high(header)));
            case Frame.ACK, Frame.FINISH -> sends.received(device.peer(from), operations.at(Frame.high(header)));
            case Frame.REFUSE -> sends.refused(device.peer(from), operations.at(Frame.high(header)));
            case Frame.CREDIT -> device.peer(from).credited(header);
            case Frame.CREDIT_REQUEST -> inbound.enlarge(device.peer(from));
            case Frame.HOLDING -> device.wants().holding(device.peer(from), header);
            case Frame.WANT -> device.outbound().wanted(device.peer(from), Frame.high(header), Frame.low(header));
            case Frame.OFFER -> device.wants().offered(device.peer(from), meta, header, memory, payload);
            case Frame.FOREMOST -> device.wants().foremost(device.peer(from), Frame.high(header));
            case Frame.DECLINE -> sends.declined(operations.at(Frame.high(header)));
            case Frame.CANCEL -> inbound.cancel(from, header, (int) Words.plain(memory, payload));
            case Frame.CANCELLED ->
                sends.cancelAnswered(device.peer(from), operations.at(Frame.high(header)), Frame.low(header) != 0);
            case Frame.DATAGRAM -> datagrams.arrived(from, header, memory, payload, payloadBytes);
            case Frame.DATAGRAM_STATUS -> datagrams.answered(Frame.high(header), Frame.low(header));
            default -> device.oneSided().frame(kind, from, meta, header, memory, payload, payloadBytes);
        }
    }
}
