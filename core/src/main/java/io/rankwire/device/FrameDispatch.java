package io.rankwire.device;

import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.fabric.Place;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/** Hands each frame to the part of the device that its kind is for, except the whole messages of standard sends. */
record FrameDispatch(Operations operations, Peers peers, Inbound inbound, UnexpectedMessages unexpected,
        Outbound outbound, SendTransfers sends, ReceiveTransfers receives, Credit credit, Wants wants,
        ControlFrames control, Datagrams datagrams, DeviceEvents events) {
    void frame(int kind, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        Peer peer = peers.get(from);
        int high = Frame.high(header);
        int low = Frame.low(header);
        switch (kind) {
            case Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND ->
                inbound.message(from, meta, header, memory, payload, bytes);
            case Frame.DATA -> receives.data(peer, operations.at(high), memory, payload, bytes);
            case Frame.EARLY -> receives.early(peer, high, memory, payload, bytes);
            case Frame.CLEAR_TO_SEND, Frame.REMOTE_GET ->
                sends.cleared(peer, operations.at(high), low, Words.load(memory, payload));
            case Frame.PENDING -> sends.pending(peer, operations.at(high));
            case Frame.SHARE -> sends.shared(peer, operations.at(high), Words.load(memory, payload),
                    Words.load(memory, payload + 8), Words.load(memory, payload + 16));
            case Frame.PUT_TO -> sends.invited(peer, operations.at(high), low, Words.load(memory, payload),
                    Words.load(memory, payload + 8), Words.load(memory, payload + 16));
            case Frame.PUT_DONE -> receives.put(peer, operations.at(high), Words.load(memory, payload));
            case Frame.MESSAGE_ENDED -> receives.messageEnded(peer, operations.at(high));
            case Frame.ACK, Frame.FINISH -> sends.received(peer, operations.at(high));
            case Frame.REFUSE -> sends.refused(peer, operations.at(high));
            case Frame.CREDIT -> peer.credited(header);
            case Frame.CREDIT_REQUEST -> credit.enlarge(peer);
            case Frame.HOLDING -> wants.holding(peer, header);
            case Frame.WANT -> outbound.wanted(peer, high, low);
            case Frame.OFFER -> wants.offered(peer, meta, header, memory, payload);
            case Frame.FOREMOST -> wants.foremost(peer, high);
            case Frame.DECLINE -> sends.declined(operations.at(high));
            case Frame.CANCEL -> withdraw(peer, high, low, (int) Words.load(memory, payload));
            case Frame.CANCELLED -> sends.cancelAnswered(peer, operations.at(high), low != 0);
            case Frame.DATAGRAM -> datagrams.arrived(peer, header, memory, payload, bytes);
            case Frame.DATAGRAM_STATUS -> datagrams.answered(high, low);
            default -> events.oneSided().frame(kind, from, meta, header, memory, payload, bytes);
        }
    }

    /** As {@link io.rankwire.fabric.FrameSink#place}: only parts of large messages have one. */
    boolean place(int from, int meta, long header, long at, int payloadBytes, Place to) {
        int high = Frame.high(header);
        Operation operation = switch (Frame.kind(meta)) {
            case Frame.DATA -> operations.at(high);
            case Frame.EARLY -> receives.receiver(peers.get(from), high);
            default -> null;
        };
        return operation != null && ReceiveTransfers.place(operation, at, payloadBytes, to);
    }

    void placed(int from, int meta, long header, int payloadBytes) {
        int high = Frame.high(header);
        if (Frame.kind(meta) == Frame.DATA) {
            receives.placed(peers.get(from), operations.at(high), payloadBytes);
        } else {
            receives.placedEarly(peers.get(from), high, payloadBytes);
        }
    }

    /** The sender wants an announced or offered message back, which is possible until the message meets a receive. */
    private void withdraw(Peer peer, int context, int tag, int sendId) {
        boolean withdrawn = unexpected.withdraw(context, peer.rank, tag, sendId) || wants.withdraw(peer, sendId);
        control.send(peer, Frame.CANCELLED, Frame.header(sendId, withdrawn ? 1 : 0));
    }
}
