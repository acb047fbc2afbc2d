package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Growing;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives. An arriving message is given to the earliest receive that matches; without one its header goes into the
 * store and its payload into the unexpected buffer. Each message that is here without a receive holds units of its
 * sender's credit; they go back when it leaves.
 *
 * <p>An unexpected header's two words: {@code a} = bytes and meta, {@code b} = send id and payload reference.
 */
final class Inbound {
    private static final int ID = 8;
    static final int NO_PAYLOAD = -1;

    private final Device device;
    private final Operations operations;
    private final UnexpectedBuffer payloads;
    private final boolean refuseTruncated;
    private final long firstQuota;

    private long pool;
    private boolean poolShort;

    Inbound(Device device, Operations operations, UnexpectedBuffer payloads) {
        this.device = device;
        this.operations = operations;
        this.payloads = payloads;
        DeviceConfig config = device.config();
        this.refuseTruncated = config.truncation() == DeviceConfig.Truncation.REFUSE;
        this.firstQuota = config.firstQuota(device.peers());
        this.pool = Math.max(0, config.capUnits() - firstQuota * device.peers());
    }

    /** A whole message; the way most take, so it is short. */
    void eager(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int context = Frame.high(header);
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = device.queue(context).arrive(word);
        if (handle < 0) {
            append(context, word, a(bytes, meta), b(0, store(memory, payload, bytes)));
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
        giveBackUnits(device.peer(from), device.units(bytes));
    }

    /** The first piece of a whole message: the receive is looked for now. */
    void firstPiece(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        Peer peer = device.peer(from);
        if (peer.pieces == null) {
            peer.pieces = new Pieces(device.outbound().eagerBytes());
        }
        Pieces pieces = peer.pieces;
        pieces.bytes = (int) Words.plain(memory, payload);
        pieces.got = 0;
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = device.queue(Frame.high(header)).arrive(word);
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
        giveBackUnits(peer, device.units(pieces.bytes));
    }

    /** The sender's memory has ended between two pieces: the receive of the message fails. */
    private void cutShort(Peer peer, Pieces pieces, int meta, long header) {
        Operation operation = pieces.operation;
        pieces.operation = null;
        giveBackUnits(peer, device.units(pieces.bytes) - 1);
        long word = MatchWord.exact(peer.rank, Frame.low(header));
        int handle = operation == null ? device.queue(Frame.high(header)).arrive(word) : -1;
        Operation met = handle < 0 ? operation : operations.at(handle);
        if (met == null) {
            int kind = Frame.meta(Frame.MESSAGE_ENDED, Frame.elementType(meta));
            append(Frame.high(header), word, a(pieces.bytes, kind), b(-1, NO_PAYLOAD));
        } else {
            messageEnded(met, word, Frame.elementType(meta), pieces.bytes);
            giveBackUnits(peer, 1);
        }
    }

    private void messageEnded(Operation operation, long word, int elementType, long bytes) {
        met(operation, word, elementType, bytes);
        operation.finish(Code.MESSAGE_ENDED);
    }

    /** Whole messages that are alike: as many as meet receives for which there is nothing to decide. */
    int eagers(int from, int meta, long header, MemorySegment memory, long payload, int bytes, int stride, int count) {
        Matching queue = device.queue(Frame.high(header));
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
        giveBackUnits(device.peer(from), taken * device.units(bytes));
        return taken;
    }

    /** A whole message whose sender waits, or the announcement of one. */
    void message(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int context = Frame.high(header);
        long word = MatchWord.exact(from, Frame.low(header));
        int handle = device.queue(context).arrive(word);
        if (handle >= 0) {
            meet(device.operation(handle), word, meta, memory, payload, bytes);
        } else {
            unexpected(context, word, meta, memory, payload, bytes);
        }
    }

    private void meet(Operation operation, long word, int meta, MemorySegment memory, long payload, int bytes) {
        Peer peer = device.peer(MatchWord.source(word));
        int sendId = (int) Words.plain(memory, payload);
        if (Frame.kind(meta) == Frame.EAGER_SYNC) {
            deliver(operation, word, Frame.elementType(meta), memory, payload + ID, bytes - ID);
            giveBackUnits(peer, device.units(bytes - ID));
            answerSync(peer, sendId, operation.code);
        } else {
            giveBackUnits(peer, 1);
            device.receives().announced(operation, peer, word, meta, memory, payload);
        }
    }

    private void unexpected(int context, long word, int meta, MemorySegment memory, long payload, int bytes) {
        int kind = Frame.kind(meta);
        int sendId = (int) Words.plain(memory, payload);
        if (kind == Frame.EAGER_SYNC) {
            append(context, word, a(bytes - ID, meta), b(sendId, store(memory, payload + ID, bytes - ID)));
            return;
        }
        append(context, word, a(Words.plain(memory, payload + ID), meta), b(sendId, NO_PAYLOAD));
        device.receives().pending(device.peer(MatchWord.source(word)), memory, payload);
    }

    int store(MemorySegment memory, long payload, int bytes) {
        int reference = payloads.store(memory, payload, bytes);
        if (reference == UnexpectedBuffer.FULL) {
            throw new DeviceFault(Code.NO_BUFFER, "the unexpected buffer is full though its senders had credit");
        }
        return reference;
    }

    void append(int context, long word, long a, long b) {
        if (device.queue(context).append(word, a, b) == Matching.FULL) {
            device.overflow(context);
            int entry = device.queue(context).append(word, a, b);
            assert entry != Matching.FULL;
        }
    }

    static long a(long bytes, int meta) {
        return bytes << 16 | meta;
    }

    static long b(int sendId, int reference) {
        return Frame.header(sendId, reference);
    }

    static long bytesOf(long a) {
        return a >>> 16;
    }

    static int metaOf(long a) {
        return (int) a & 0xFFFF;
    }

    /** Gives the receive the unexpected message it has met; its header is gone already. */
    void consume(Operation operation, long word, long a, long b) {
        long bytes = bytesOf(a);
        int meta = metaOf(a);
        int sendId = Frame.high(b);
        int reference = Frame.low(b);
        Peer peer = device.peer(MatchWord.source(word));
        int kind = Frame.kind(meta);
        if (kind != Frame.EAGER && kind != Frame.EAGER_SYNC) {
            if (kind != Frame.OFFER) {
                giveBackUnits(peer, 1);
            }
            if (kind == Frame.MESSAGE_ENDED) {
                messageEnded(operation, word, Frame.elementType(meta), bytes);
                return;
            }
            device.receives().met(operation, peer, sendId, word, Frame.elementType(meta), bytes);
            return;
        }
        int code = met(operation, word, Frame.elementType(meta), bytes);
        if (code == Code.OK || code == Code.TRUNCATED && !refuseTruncated) {
            copyOut(reference, operation, 0, (int) Math.min(bytes, operation.bytes));
        }
        operation.finish(code);
        payloads.release(reference);
        giveBackUnits(peer, device.units(bytes));
        if (kind == Frame.EAGER_SYNC) {
            answerSync(peer, sendId, code);
        }
    }

    private void answerSync(Peer peer, int sendId, int code) {
        device.outbound().control(peer, refuses(code) ? Frame.REFUSE : Frame.ACK, Frame.header(sendId, code), 0);
    }

    boolean refuses(int code) {
        return code == Code.TYPE_MISMATCH || code == Code.TRUNCATED && refuseTruncated;
    }

    /** An unexpected message leaves without being received. */
    void discard(Matching queue, int entry) {
        int reference = Frame.low(queue.b(entry));
        Peer peer = device.peer(MatchWord.source(queue.word(entry)));
        long units = reference == NO_PAYLOAD ? 1 : device.units(bytesOf(queue.a(entry)));
        if (reference != NO_PAYLOAD) {
            payloads.release(reference);
        } else if (Frame.kind(metaOf(queue.a(entry))) != Frame.MESSAGE_ENDED) {
            device.receives().forget(peer, Frame.high(queue.b(entry)));
        }
        queue.take(entry);
        queue.release(entry);
        giveBackUnits(peer, units);
    }

    /** Receives of a queue end as cancelled, its messages leave without being received. */
    void drop(Matching queue) {
        queue.settle();
        List<Operation> receives = new ArrayList<>();
        queue.forEachPosted(handle -> receives.add(operations.at(handle)));
        receives.forEach(device::cancel);
        queue.settle();
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.firstUnexpected()) {
            discard(queue, e);
        }
    }

    /** Copies a stored payload; what spilled to the heap is handed to the copy as it lies. */
    void copyOut(int reference, Operation operation, long at, int bytes) {
        if (bytes == 0) {
            return;
        }
        if (payloads.spilled(reference)) {
            MemorySegment block = MemorySegment.ofArray(payloads.spill(reference));
            operation.take(block, 0, at, bytes);
            return;
        }
        int step = payloads.fragmentBytes();
        int done = 0;
        for (int f = reference; done < bytes; f = payloads.next(f), done += step) {
            int part = Math.min(step, bytes - done);
            operation.take(payloads.memory(), payloads.offset(f), at + done, part);
        }
    }

    private void deliver(
            Operation operation, long word, int elementType, MemorySegment memory, long at, int bytes) {
        int code = met(operation, word, elementType, bytes);
        if (code == Code.OK) {
            operation.take(memory, at, 0, bytes);
        } else if (code == Code.TRUNCATED && !refuseTruncated) {
            operation.take(memory, at, 0, (int) operation.bytes);
        }
        operation.finish(code);
    }

    int met(Operation operation, long word, int elementType, long bytes) {
        operation.metWord = word;
        operation.metSize = bytes << 8 | elementType;
        if (elementType != operation.elementType && !fits(elementType, operation.elementType, bytes)) {
            return Code.TYPE_MISMATCH;
        }
        return bytes > operation.bytes ? tooSmall(operation, bytes) : Code.OK;
    }

    private static int tooSmall(Operation operation, long bytes) {
        if (!(operation.buffer instanceof Growing growing)) {
            return Code.TRUNCATED;
        }
        operation.buffer = growing.make(bytes);
        operation.offset = 0;
        operation.bytes = operation.buffer == null ? 0 : bytes;
        return operation.buffer == null ? Code.TRUNCATED : Code.OK;
    }

    /** Raw memory meets every type, if it is a whole number of its elements. */
    private static boolean fits(int sent, int received, long bytes) {
        return ElementType.compatible(sent, received) && bytes % ElementType.of(received).bytes() == 0;
    }

    /** The sender wants an announced message back: only while it has met no receive. */
    void cancel(int from, long header, int sendId) {
        long word = MatchWord.exact(from, Frame.low(header));
        Matching queue = device.queue(Frame.high(header));
        int found = 0;
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            if (isAnnouncement(queue, e, word, sendId)) {
                discard(queue, e);
                found = 1;
                break;
            }
        }
        Peer peer = device.peer(from);
        if (found == 0 && peer.holder != null && device.wants().withdraw(peer, sendId)) {
            found = 1;
        }
        device.outbound().control(peer, Frame.CANCELLED, Frame.header(sendId, found), 0);
    }

    boolean isAnnouncement(Matching queue, int entry, long word, int sendId) {
        return queue.word(entry) == word && Frame.high(queue.b(entry)) == sendId
                && Frame.kind(metaOf(queue.a(entry))) != Frame.EAGER;
    }

    long touch() {
        return pool;
    }

    void giveBackUnits(Peer peer, long units) {
        peer.returned += units;
        if (peer.returned >= peer.tellAt) {
            if (poolShort) {
                shrink(peer);
            }
            tell(peer);
        }
    }

    /** Others starve and the pool is empty: what this sender got beyond its first share goes back, bit by bit. */
    private void shrink(Peer peer) {
        long back = Math.min(peer.quota - firstQuota, peer.quota >>> 2);
        peer.quota -= back;
        pool += back;
    }

    /** A sender ran out of credit: double its share while the cap allows it, else take back from the rich. */
    void enlarge(Peer peer) {
        long extra = Math.min(pool, peer.quota);
        poolShort = extra == 0;
        pool -= extra;
        peer.quota += extra;
        tell(peer);
    }

    private void tell(Peer peer) {
        long before = peer.told;
        peer.told = Math.max(before, peer.returned + peer.quota);
        if (peer.holder != null && peer.told != before) {
            device.wants().release(peer);
        }
        peer.tellAt = peer.told - peer.quota + (peer.quota >>> 2);
        if (peer.outlet == null) {
            peer.credited(peer.told);
        } else {
            device.outbound().control(peer, Frame.CREDIT, peer.told, 0);
        }
    }
}
