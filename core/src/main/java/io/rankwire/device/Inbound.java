package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;

/**
 * Receives. An arriving message is given to the earliest receive that matches; without one it joins the {@link
 * UnexpectedMessages} until a receive comes.
 *
 * @param eagerBytes most bytes of a message that goes whole
 */
record Inbound(DeviceConfig config, int eagerBytes, QueueTable queues, Operations operations, Peers peers,
        UnexpectedBuffer payloads, UnexpectedMessages unexpected, Credit credit, ControlFrames control,
        ReceiveTransfers transfers, Loopback loopback) {
    private static final int ID = 8;

    /** A whole message. Most messages come this way, so it is short. */
    void eager(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int context = Frame.high(header);
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = queues.get(context).arrive(word);
        if (handle < 0) {
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
            deliver(operation, word, elementType, memory, payload, bytes);
        }
        credit.giveBack(peers.get(from), credit.units(bytes));
    }

    /** The first piece of a whole message: the receive is looked for now. */
    void firstPiece(Peer peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        if (peer.pieces == null) {
            peer.pieces = new Pieces(eagerBytes);
        }
        Pieces pieces = peer.pieces;
        pieces.bytes = (int) Words.load(memory, payload);
        pieces.got = 0;
        long word = MatchWord.exact(peer.rank, Frame.low(header));
        int handle = queues.get(Frame.high(header)).arrive(word);
        Operation operation = handle < 0 ? null : operations.at(handle);
        pieces.operation = operation;
        pieces.direct = operation != null && operation.elementType == Frame.elementType(meta)
                && pieces.bytes <= operation.bytes;
        if (operation != null) {
            operation.metWord = word;
        }
        piece(peer, memory, payload + ID, payloadBytes - ID);
    }

    void piece(Peer peer, MemorySegment memory, long payload, int bytes) {
        Pieces pieces = peer.pieces;
        if (pieces.direct) {
            Operation operation = pieces.operation;
            operation.take(memory, payload, pieces.got, bytes);
        } else {
            MemorySegment.copy(memory, payload, pieces.gathered, pieces.got, bytes);
        }
        pieces.got += bytes;
    }

    void lastPiece(Peer peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
        piece(peer, memory, payload, bytes);
        Pieces pieces = peer.pieces;
        Operation operation = pieces.operation;
        int elementType = Frame.elementType(meta);
        if (pieces.got < pieces.bytes) {
            cutShort(peer, pieces, meta, header);
            return;
        }
        if (operation == null) {
            eager(peer.rank, Frame.meta(Frame.EAGER, elementType), header, pieces.gathered, 0, pieces.bytes);
            return;
        }
        pieces.operation = null;
        if (pieces.direct) {
            operation.metSize = (long) pieces.bytes << 8 | elementType;
            operation.finish(Code.OK);
        } else {
            deliver(operation, MatchWord.exact(peer.rank, Frame.low(header)), elementType, pieces.gathered, 0,
                    pieces.bytes);
        }
        credit.giveBack(peer, credit.units(pieces.bytes));
    }

    /** The sender's memory has ended between two pieces: the receive of the message fails. */
    private void cutShort(Peer peer, Pieces pieces, int meta, long header) {
        Operation operation = pieces.operation;
        pieces.operation = null;
        credit.giveBack(peer, credit.units(pieces.bytes) - 1);
        long word = MatchWord.exact(peer.rank, Frame.low(header));
        int handle = operation == null ? queues.get(Frame.high(header)).arrive(word) : -1;
        Operation met = handle < 0 ? operation : operations.at(handle);
        if (met == null) {
            int kind = Frame.meta(Frame.MESSAGE_ENDED, Frame.elementType(meta));
            unexpected.append(Frame.high(header), word, Unexpected.description(pieces.bytes, kind),
                    Unexpected.payload(-1, Unexpected.NOT_STORED));
        } else {
            messageEnded(met, word, Frame.elementType(meta), pieces.bytes);
            credit.giveBack(peer, 1);
        }
    }

    private void messageEnded(Operation operation, long word, int elementType, long bytes) {
        operation.meet(word, elementType, bytes);
        operation.finish(Code.MESSAGE_ENDED);
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
        credit.giveBack(peers.get(from), taken * credit.units(bytes));
        return taken;
    }

    /** A whole message whose sender waits, or the announcement of one. */
    void message(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int context = Frame.high(header);
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = queues.get(context).arrive(word);
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
            answerSync(peer, sendId, operation.code);
        } else {
            credit.giveBack(peer, 1);
            transfers.announced(operation, peer, word, meta, memory, payload);
        }
    }

    private void keep(int context, long word, int meta, MemorySegment memory, long payload, int bytes) {
        int kind = Frame.kind(meta);
        int sendId = (int) Words.load(memory, payload);
        if (kind == Frame.EAGER_SYNC) {
            int reference = payloads.store(memory, payload + ID, bytes - ID);
            unexpected.append(context, word, Unexpected.description(bytes - ID, meta),
                    Unexpected.payload(sendId, reference));
            return;
        }
        long size = Words.load(memory, payload + ID);
        unexpected.append(context, word, Unexpected.description(size, meta),
                Unexpected.payload(sendId, Unexpected.NOT_STORED));
        transfers.pending(peers.get(MatchWord.source(word)), memory, payload);
    }

    /** Gives the receive the unexpected message that it has met; the message's header is free already. */
    void consume(Operation operation, long word, long description, long payload) {
        long bytes = Unexpected.bytes(description);
        int meta = Unexpected.meta(description);
        int sendId = Unexpected.sendId(payload);
        Peer peer = peers.get(MatchWord.source(word));
        int kind = Frame.kind(meta);
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
        credit.giveBack(peer, credit.units(bytes));
        if (kind == Frame.EAGER_SYNC) {
            answerSync(peer, sendId, code);
        }
    }

    private void consumeAnnounced(Operation operation, Peer peer, long word, int meta, long bytes, int sendId) {
        int kind = Frame.kind(meta);
        if (kind != Frame.OFFER) {
            credit.giveBack(peer, 1);
        }
        if (kind == Frame.MESSAGE_ENDED) {
            messageEnded(operation, word, Frame.elementType(meta), bytes);
        } else if (peer.outlet == null) {
            loopback.transfer(operation, operations.at(sendId));
        } else {
            transfers.met(operation, peer, sendId, word, Frame.elementType(meta), bytes);
        }
    }

    private void answerSync(Peer peer, int sendId, int code) {
        control.send(peer, config.refuses(code) ? Frame.REFUSE : Frame.ACK, Frame.header(sendId, code));
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
