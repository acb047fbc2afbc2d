package io.rankwire.device;

import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.Place;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;

/**
 * Hands each frame to the part of the device that its kind is for, except the whole messages of standard sends. A part
 * that finds that a frame cannot be true throws a {@link Violation}, before it has changed anything that the loss of
 * the peer does not put right.
 */
record FrameDispatch(Operations operations, Peers peers, Inbound inbound, UnexpectedMessages unexpected,
        Outbound outbound, SendTransfers sends, ReceiveTransfers receives, Credit credit, Wants wants,
        ControlFrames control, Datagrams datagrams, Attempts attempts, Admission admission, NetworkMatching network,
        AgreementFrames agreements, DeviceEvents events) {
    void frame(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int kind = Frame.kind(meta);
        try {
            pass(kind, from, meta, header, memory, payload, bytes);
        } catch (Violation e) {
            throw new BadFrame(from, Frame.name(kind), e.getMessage());
        }
    }

    private void pass(int kind, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        String wrong = Frame.wrong(kind, bytes);
        if (wrong != null) {
            throw new Violation(wrong);
        }
        Peer peer = peers.get(from);
        peer.counts.received(bytes);
        int high = Frame.high(header);
        int low = Frame.low(header);
        switch (kind) {
            case Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND ->
                inbound.message(from, meta, header, memory, payload, bytes);
            case Frame.DATA -> receives.data(peer, receive(peer, high), memory, payload, bytes);
            case Frame.EARLY -> receives.early(peer, high, memory, payload, bytes);
            case Frame.CLEAR_TO_SEND, Frame.REMOTE_GET ->
                sends.cleared(peer, send(peer, high), low, Words.load(memory, payload));
            case Frame.PENDING -> sends.pending(peer, send(peer, high));
            case Frame.SHARE -> sends.shared(peer, send(peer, high), Words.load(memory, payload),
                    Words.load(memory, payload + 8), Words.load(memory, payload + 16));
            case Frame.PUT_TO -> sends.invited(peer, send(peer, high), low, Words.load(memory, payload),
                    Words.load(memory, payload + 8), Words.load(memory, payload + 16));
            case Frame.PUT_DONE -> receives.put(peer, receive(peer, high), Words.load(memory, payload));
            case Frame.MESSAGE_ENDED -> receives.messageEnded(peer, receive(peer, high));
            case Frame.ACK -> sends.received(peer, send(peer, high));
            case Frame.FINISH -> sends.taken(peer, send(peer, high));
            case Frame.REFUSE -> sends.refused(peer, send(peer, high), low, Words.load(memory, payload));
            case Frame.NOT_TAKEN -> inbound.notTaken(from, header, Words.load(memory, payload),
                    Words.load(memory, payload + 8), Words.load(memory, payload + 16));
            case Frame.TRY -> refuser().tried(peer, meta, header, memory, payload, bytes);
            case Frame.ACCEPTED -> tries().accepted(peer, header);
            case Frame.NOT_READY -> tries().refused(peer, header);
            case Frame.READY -> inbound.ready(from, meta, header, memory, payload, bytes);
            case Frame.WITHDRAWN -> credit.giveBack(peer, credit.units(bytes));
            case Frame.CREDIT -> peer.credited(header);
            case Frame.CREDIT_REQUEST -> credit.enlarge(peer);
            case Frame.HOLDING -> wants.holding(peer, header);
            case Frame.WANT -> outbound.wanted(peer, high, low);
            case Frame.OFFER -> wants.offered(peer, meta, header, memory, payload);
            case Frame.FOREMOST -> wants.foremost(peer, high);
            case Frame.DECLINE -> sends.declined(send(peer, high));
            case Frame.CANCEL -> withdraw(peer, high, low, (int) Words.load(memory, payload));
            case Frame.CANCELLED -> sends.cancelAnswered(peer, cancelled(peer, high, low), low != 0);
            case Frame.DATAGRAM -> datagrams.arrived(peer, header, memory, payload, bytes);
            case Frame.DATAGRAM_STATUS -> datagrams.answered(from, high, low);
            case Frame.TAG_INVITE, Frame.TAG_BEGIN, Frame.TAG_ENDED, Frame.TAG_STOP, Frame.TAG_TAKEN ->
                network.frame(kind, peer, header, 0);
            case Frame.TAG_END -> network.frame(kind, peer, header, Words.load(memory, payload));
            case Frame.AGREE_VOTE, Frame.AGREE_PREPARE, Frame.AGREE_ACK, Frame.AGREE_COMMIT, Frame.REVOKE ->
                agreements.frame(kind, from, header, memory, payload, bytes);
            default -> events.oneSided().frame(kind, from, meta, header, memory, payload, bytes);
        }
    }

    private Admission refuser() {
        if (attempts == null) {
            throw new Violation("messages are not refused here");
        }
        return admission;
    }

    private Attempts tries() {
        if (attempts == null) {
            throw new Violation("messages are not refused here");
        }
        return attempts;
    }

    /** The send to a peer that its frame names: one that the peer knows of, and that is not over. */
    private Operation send(Peer peer, int id) {
        Operation operation = operations.named(id);
        if (operation == null || operation.receive || operation.peer != peer.rank || !operation.isAnnounced()) {
            throw new Violation("send " + Integer.toHexString(id) + " is no message to it that waits for an answer");
        }
        return operation;
    }

    /** The same for the answer to a cancel: the message may have been declined before. */
    private Operation cancelled(Peer peer, int id, int answer) {
        Operation operation = operations.named(id);
        if (operation == null || operation.receive || operation.peer != peer.rank || !operation.isCancelling()
                || answer >>> 1 != 0) {
            throw new Violation("answer " + answer + " about send " + Integer.toHexString(id)
                    + ", which is no message to it that is being cancelled");
        }
        return operation;
    }

    /** The receive that a frame names, if it waits for parts of a message of the peer; else null. */
    private Operation named(Peer peer, int id) {
        Operation operation = operations.named(id);
        return operation != null && operation.receive && MatchWord.source(operation.metWord) == peer.rank
                && operation.receiving().isOpen() ? operation : null;
    }

    private Operation receive(Peer peer, int id) {
        Operation operation = named(peer, id);
        if (operation == null) {
            throw new Violation("receive " + Integer.toHexString(id) + " does not wait for a message of it");
        }
        return operation;
    }

    /** As {@link io.rankwire.fabric.FrameSink#place}: only parts of large messages have one. */
    boolean place(int from, int meta, long header, long at, int payloadBytes, Place to) {
        Peer peer = peers.get(from);
        int high = Frame.high(header);
        return switch (Frame.kind(meta)) {
            case Frame.DATA -> ReceiveTransfers.placeOfPart(named(peer, high), at, payloadBytes, to);
            case Frame.EARLY -> receives.placeOfEarly(peer, high, at, payloadBytes, to);
            default -> false;
        };
    }

    void placed(int from, int meta, long header, long at, int payloadBytes) {
        Peer peer = peers.get(from);
        int high = Frame.high(header);
        peer.counts.received(payloadBytes);
        try {
            if (Frame.kind(meta) == Frame.DATA) {
                receives.placed(peer, receive(peer, high), at, payloadBytes);
            } else {
                receives.placedEarly(peer, high, at, payloadBytes);
            }
        } catch (Violation e) {
            throw new BadFrame(from, Frame.name(Frame.kind(meta)), e.getMessage());
        }
    }

    /** The sender wants an announced or offered message back, which is possible until the message meets a receive. */
    private void withdraw(Peer peer, int context, int tag, int sendId) {
        if (tag < 0) {
            throw new Violation("tag " + tag);
        }
        if (!network.defers(peer, context, tag, sendId, this::withdrawNow)) {
            withdrawNow(peer, context, tag, sendId);
        }
    }

    private void withdrawNow(Peer peer, int context, int tag, int sendId) {
        boolean withdrawn = unexpected.withdraw(context, peer.rank, tag, sendId) || wants.withdraw(peer, sendId);
        control.send(peer, Frame.CANCELLED, Frame.header(sendId, withdrawn ? 1 : 0));
    }
}
