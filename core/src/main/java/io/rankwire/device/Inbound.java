package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.fabric.BadFrame;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;

/**
 * Receives. An arriving message is given to the earliest receive that matches; without one it joins the {@link
 * UnexpectedMessages} until a receive comes.
 */
record Inbound(DeviceConfig config, QueueTable queues, Operations operations, Interruptions interruptions, Peers peers,
        UnexpectedBuffer payloads, UnexpectedMessages unexpected, Credit credit, ControlFrames control,
        ReceiveTransfers transfers, Loopback loopback, DeviceEvents events) {
    private static final int ID = 8;

    /** A whole message. */
    void eager(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        try {
            whole(from, meta, header, memory, payload, bytes);
        } catch (Violation e) {
            throw new BadFrame(from, Frame.name(Frame.EAGER), e.getMessage());
        }
    }

    /** Most messages come this way, so it is short. */
    private void whole(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        if (Frame.low(header) < 0) {
            throw badTag(header);
        }
        int context = Frame.high(header);
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = queues.get(context).arrive(word);
        if (handle < 0) {
            checkType(meta);
            credit.hold(peers.get(from), credit.units(bytes));
            peers.counts().wholeKept(bytes);
            int reference = payloads.store(memory, payload, bytes);
            unexpected.append(context, word, Unexpected.description(bytes, meta), Unexpected.payload(0, reference));
            return;
        }
        Operation operation = operations.at(handle);
        int elementType = Frame.elementType(meta);
        if (elementType == operation.elementType && bytes <= operation.bytes) {
            operation.metWord = word;
            operation.metSize = (long) bytes << 8 | elementType;
            operation.take(memory, payload, 0, bytes);
            operation.finish(Code.OK);
        } else {
            // If the type is none, the receive has met the message nevertheless, and ends with its sender.
            operation.metWord = word;
            checkType(meta);
            deliver(operation, word, elementType, memory, payload, bytes);
            reportRefused(peers.get(from), operation, word, bytes);
        }
        peers.get(from).met(1, bytes);
        credit.giveBack(peers.get(from), credit.units(bytes));
    }

    /**
     * A whole message of a ready send. One that meets no receive proves that its send came too early, unless matching
     * is divided: then the receive may be on its way inside. It proves nothing either after a death or a revocation.
     */
    void ready(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        if (Frame.low(header) < 0) {
            throw badTag(header);
        }
        checkType(meta);
        if (isReadyFor(from, header)) {
            whole(from, Frame.meta(Frame.EAGER, Frame.elementType(meta)), header, memory, payload, bytes);
        } else {
            credit.giveBack(peers.get(from), credit.units(bytes));
            control.send(peers.get(from), Frame.NOT_TAKEN, header, Code.NOT_POSTED, bytes, 0);
            events.refused(refusedReady(from, header, bytes));
        }
    }

    private boolean isReadyFor(int from, long header) {
        return config.split() != null
                || queues.get(Frame.high(header)).earliestPosted(MatchWord.exact(from, Frame.low(header))) >= 0
                || interruptions.hasEndedReceives(Frame.high(header));
    }

    private static Refusal refusedReady(int from, long header, long bytes) {
        return new Refusal(Code.NOT_POSTED, false, from, Frame.high(header), Frame.low(header), bytes, 0);
    }

    /** Reports to the sender of a message that went whole that it was too long, if the policy is to refuse it. */
    private void reportRefused(Peer peer, Operation operation, long word, long bytes) {
        if (operation.code != Code.TRUNCATED || !config.refuses(Code.TRUNCATED)) {
            return;
        }
        int tag = MatchWord.tag(word);
        if (peer.outlet == null) {
            events.refused(
                    new Refusal(Code.TRUNCATED, true, peer.rank, operation.context, tag, bytes, operation.bytes));
        } else {
            control.send(peer, Frame.NOT_TAKEN, Frame.header(operation.context, tag), Code.TRUNCATED, bytes,
                    operation.bytes);
        }
    }

    /** A peer has refused a message whose send has ended. */
    void notTaken(int peer, long header, long code, long bytes, long room) {
        if (Frame.low(header) < 0 || bytes < 0 || room < 0 || code != Code.TRUNCATED && code != Code.NOT_POSTED) {
            throw new Violation("status " + code + " of tag " + Frame.low(header) + ", " + bytes + " bytes for "
                    + room);
        }
        events.refused(new Refusal((int) code, true, peer, Frame.high(header), Frame.low(header), bytes, room));
    }

    private static Violation badTag(long header) {
        return new Violation("tag " + Frame.low(header));
    }

    static void checkType(int meta) {
        if (!ElementType.isCode(Frame.elementType(meta))) {
            throw badType(meta);
        }
    }

    private static Violation badType(int meta) {
        return new Violation("element type " + Frame.elementType(meta));
    }

    /** Whole messages that are alike: as many as meet receives for which there is nothing to decide. */
    int eagers(int from, int meta, long header, MemorySegment memory, long payload, int bytes, int stride, int count) {
        Matching queue = queues.get(Frame.high(header));
        long word = MatchWord.exact(from, Frame.low(header));
        int elementType = Frame.elementType(meta);
        long size = (long) bytes << 8 | elementType;
        int most = Math.min(count, queue.ready(word));
        int taken = 0;
        for (long at = payload; taken < most; at += stride, taken++) {
            int handle = queue.ready(taken);
            if (handle < 0) {
                break;
            }
            Operation operation = operations.at(handle);
            if (elementType != operation.elementType || bytes > operation.bytes
                    || !Copy.intoArray(memory, at, operation.buffer, operation.offset, bytes)) {
                break;
            }
            operation.metWord = word;
            operation.metSize = size;
            operation.finish(Code.OK);
        }
        queue.meetReady(taken);
        peers.get(from).met(taken, bytes);
        credit.giveBack(peers.get(from), taken * credit.units(bytes));
        return taken;
    }

    /** A whole message whose sender waits, or the announcement of one. */
    void message(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        if (Frame.low(header) < 0) {
            throw badTag(header);
        }
        checkType(meta);
        if (Frame.kind(meta) == Frame.REQUEST_TO_SEND) {
            ReceiveTransfers.checkAnnouncement(peers.get(from), memory, payload, 0);
            if ((Words.load(memory, payload + 2 * ID) & Frame.FLAG_READY) != 0 && !isReadyFor(from, header)) {
                credit.giveBack(peers.get(from), 1);
                control.send(peers.get(from), Frame.REFUSE,
                        Frame.header((int) Words.load(memory, payload), Code.NOT_POSTED), 0);
                events.refused(refusedReady(from, header, Words.load(memory, payload + ID)));
                return;
            }
        }
        int context = Frame.high(header);
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = queues.get(context).arrive(word);
        peers.counts().came(Frame.kind(meta) == Frame.REQUEST_TO_SEND, handle >= 0);
        if (handle >= 0) {
            meet(operations.at(handle), word, meta, memory, payload, bytes);
        } else {
            keep(context, word, meta, memory, payload, bytes);
        }
    }

    private void meet(Operation operation, long word, int meta, MemorySegment memory, long payload, int bytes) {
        Peer peer = peers.get(MatchWord.source(word));
        int sendId = (int) Words.load(memory, payload);
        if (Frame.kind(meta) == Frame.EAGER_SYNC) {
            deliver(operation, word, Frame.elementType(meta), memory, payload + ID, bytes - ID);
            credit.giveBack(peer, credit.units(bytes - ID));
            answerSync(peer, sendId, operation);
        } else {
            credit.giveBack(peer, 1);
            transfers.announced(operation, peer, word, meta, memory, payload);
        }
    }

    private void keep(int context, long word, int meta, MemorySegment memory, long payload, int bytes) {
        int kind = Frame.kind(meta);
        int sendId = (int) Words.load(memory, payload);
        Peer peer = peers.get(MatchWord.source(word));
        if (kind == Frame.EAGER_SYNC) {
            credit.hold(peer, credit.units(bytes - ID));
            int reference = payloads.store(memory, payload + ID, bytes - ID);
            unexpected.append(context, word, Unexpected.description(bytes - ID, meta),
                    Unexpected.payload(sendId, reference));
            return;
        }
        credit.hold(peer, 1);
        long size = Words.load(memory, payload + ID);
        unexpected.append(context, word, Unexpected.description(size, meta),
                Unexpected.payload(sendId, Unexpected.NOT_STORED));
        transfers.pending(peer, memory, payload);
    }

    /** Gives the receive the unexpected message whose entry it has got; returns the bytes that were stored here. */
    long consume(Operation operation, Matching queue, int found) {
        long met = queue.word(found);
        long description = queue.description(found);
        long payload = queue.payload(found);
        queue.release(found);
        consume(operation, met, description, payload);
        return Unexpected.storedBytes(description);
    }

    /** Gives the receive the unexpected message that it has met; the message's header is free already. */
    void consume(Operation operation, long word, long description, long payload) {
        long bytes = Unexpected.bytes(description);
        int meta = Unexpected.meta(description);
        int sendId = Unexpected.sendId(payload);
        Peer peer = peers.get(MatchWord.source(word));
        int kind = Frame.kind(meta);
        peers.counts().consumed(kind != Frame.OFFER);
        if (kind != Frame.EAGER && kind != Frame.EAGER_SYNC) {
            consumeAnnounced(operation, peer, word, meta, bytes, sendId);
            return;
        }
        int reference = Unexpected.reference(payload);
        int code = operation.meet(word, Frame.elementType(meta), bytes);
        if (!config.refuses(code)) {
            operation.take(payloads, reference, 0, (int) Math.min(bytes, operation.bytes));
        }
        operation.finish(code);
        payloads.release(reference);
        credit.giveBackHeld(peer, credit.units(bytes));
        if (kind == Frame.EAGER_SYNC) {
            answerSync(peer, sendId, operation);
        } else {
            reportRefused(peer, operation, word, bytes);
        }
    }

    /**
     * A taken message where it lies, which holds its place and its credit until {@link #giveBack}; null if it is not
     * stored here in one piece.
     */
    MemorySegment lend(Unexpected taken) {
        int reference = Unexpected.reference(taken.payload());
        if (reference == Unexpected.NOT_STORED) {
            return null;
        }
        MemorySegment memory = payloads.whole(reference, (int) taken.bytes());
        if (memory != null && Unexpected.kind(taken.description()) == Frame.EAGER_SYNC) {
            control.send(peers.get(taken.source()), Frame.ACK,
                    Frame.header(Unexpected.sendId(taken.payload()), Code.OK));
        }
        return memory;
    }

    void giveBack(Unexpected lent) {
        peers.counts().consumed(true);
        payloads.release(Unexpected.reference(lent.payload()));
        credit.giveBackHeld(peers.get(lent.source()), credit.units(lent.bytes()));
    }

    private void consumeAnnounced(Operation operation, Peer peer, long word, int meta, long bytes, int sendId) {
        int kind = Frame.kind(meta);
        if (kind != Frame.OFFER) {
            credit.giveBackHeld(peer, 1);
        }
        if (peer.outlet == null) {
            loopback.transfer(operation, operations.at(sendId));
        } else {
            transfers.met(operation, peer, sendId, word, Frame.elementType(meta), bytes);
        }
    }

    private void answerSync(Peer peer, int sendId, Operation operation) {
        int kind = config.refuses(operation.code) ? Frame.REFUSE : Frame.ACK;
        control.send(peer, kind, Frame.header(sendId, operation.code), operation.room());
    }

    private void deliver(
            Operation operation, long word, int elementType, MemorySegment memory, long at, int bytes) {
        int code = operation.meet(word, elementType, bytes);
        if (!config.refuses(code)) {
            operation.take(memory, at, 0, (int) Math.min(bytes, operation.bytes));
        }
        operation.finish(code);
    }
}
