package io.rankwire.device.onesided;

import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.device.Peers;
import io.rankwire.device.Violation;
import io.rankwire.device.onesided.RegionTable.Region;
import io.rankwire.device.transfer.RemoteEngine;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Combinations;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import io.rankwire.wire.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Access to memory of peers that cannot be mapped here. The origin sends what is to be done; the device of the target
 * checks it against its {@link RegionTable} and does it, or refuses it and touches nothing. Frames to one peer keep
 * their order, so the answer to a flush proves that all before it is done. Frames that find no room wait in a queue for
 * their peer, with all that come behind them. A rank reaches its own regions in the same way, without a fabric.
 */
public final class OneSided {
    private static final byte[] NOTHING = {};
    private static final int WORD = 8;
    private static final int MOST_WORDS = 3;
    /** Frames one peer may get in one round of progress. */
    private static final int QUANTUM = 8;
    private static final int OP_SHIFT = 48;
    private static final long POSITION = (1L << OP_SHIFT) - 1;

    /** Something to be sent, as one frame or several. */
    private static final class Sending {
        int kind;
        int peer;
        int elementType;
        long header;
        long first;
        long second;
        long third;
        Object buffer;
        long offset;
        long bytes;
        long moved;
        int code;
        /** Counts the request; null for answers. */
        Channel channel;
        Operation operation;
        /** What the network does by itself, in its turn; else null. */
        EngineAccess byEngine;
    }

    private final Peers peers;
    private final Runnable addChore;
    private final RegionTable regions = new RegionTable();
    private final RegionLocks locks = new RegionLocks(this::granted, this::refusedLock);
    private final Combinations combinations = new Combinations();
    private final int chunk;
    private final ArrayDeque<Sending>[] queues;
    private final MemorySegment toSelf;
    private int waiting;
    private Sending spare = new Sending();

    private final Accesses accesses = new Accesses();
    private final EngineAccesses engine;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public OneSided(Peers peers, int maxPayload, RemoteEngine remote, Runnable addChore) {
        this.peers = peers;
        this.addChore = addChore;
        this.chunk = maxPayload - MOST_WORDS * WORD & ~63;
        this.queues = new ArrayDeque[peers.count()];
        this.toSelf = Arena.ofAuto().allocate(maxPayload, WORD);
        this.engine = new EngineAccesses(this, remote, peers);
    }

    /** The memory others may reach. */
    public RegionTable regions() {
        return regions;
    }

    /** Ends the access to a region. */
    public void withdraw(int key) {
        regions.remove(key);
        locks.drop(key);
    }

    public Channel open(int peer, int key) {
        return accesses.open(peer, key);
    }

    public void close(Channel channel) {
        accesses.close(channel);
    }

    /** Writes. The operation, if any, is done when the buffer may be used again. */
    public void put(Channel to, int elementType, Object buffer, long offset, long bytes, long at,
            Operation operation) {
        send(request(to, Frame.PUT, to.id(), elementType, at, bytes, 0, buffer, offset, bytes, operation));
    }

    /** Reads. The operation, if any, is done when the bytes are here. */
    public void get(Channel from, int elementType, Object buffer, long offset, long bytes, long at,
            Operation operation) {
        int access = accesses.begin(Frame.GET_REPLY, from, buffer, offset, bytes, operation);
        send(request(from, Frame.GET, access, elementType, at, bytes, 0, null, 0, 0, null));
    }

    /**
     * Begins a read of no bytes whose frame the network sends by itself; returns the number that the frame has to name.
     * The operation is done when the answer is here.
     */
    public int expect(Channel from, Operation operation) {
        return accesses.begin(Frame.GET_REPLY, from, NOTHING, 0, 0, operation);
    }

    /** Ends such a read whose frame is not sent. */
    public void unexpect(int access) {
        accesses.refused(access, Code.CANCELLED, 0, 0);
    }

    /** As {@link #put}, by the network alone; false if the buffer is no memory for that, and nothing is done. */
    public boolean putByEngine(Channel to, int elementType, Object buffer, long offset, long bytes, long at,
            Operation operation) {
        return byEngine(true, to, elementType, buffer, offset, bytes, at, operation);
    }

    /** As {@link #get}, by the network alone. */
    public boolean getByEngine(Channel from, int elementType, Object buffer, long offset, long bytes, long at,
            Operation operation) {
        return byEngine(false, from, elementType, buffer, offset, bytes, at, operation);
    }

    private boolean byEngine(boolean write, Channel channel, int elementType, Object buffer, long offset, long bytes,
            long at, Operation operation) {
        EngineAccess access = engine.open(write, channel, elementType, buffer, offset, bytes, at, operation);
        if (access != null) {
            Sending sending =
                    request(channel, write ? Frame.PUT : Frame.GET, 0, elementType, at, bytes, 0, null, 0, 0, null);
            sending.byEngine = access;
            addChore.run();
            send(sending);
        }
        return access != null;
    }

    /** Most bytes of an access that one frame takes. */
    public int chunk() {
        return chunk;
    }

    /** Combines with what is there, element by element. */
    public void accumulate(Channel to, int elementType, Reduction op, Object buffer, long offset, long bytes, long at,
            Operation operation) {
        send(request(to, Frame.ACCUMULATE, to.id(), elementType, at, bytes, (long) op.code() << OP_SHIFT, buffer,
                offset, bytes, operation));
    }

    /** As {@link #accumulate}, and brings what was there before. */
    public void fetch(Channel to, int elementType, Reduction op, Object buffer, long offset, Object result,
            long resultOffset, long bytes, long at, Operation operation) {
        int access = accesses.begin(Frame.ATOMIC_REPLY, to, result, resultOffset, bytes, operation);
        send(request(to, Frame.FETCH, access, elementType, at, bytes, (long) op.code() << OP_SHIFT, buffer,
                offset, bytes, null));
    }

    /** Replaces an element if it has the expected bits, and brings what was there before. */
    public void compareAndSwap(Channel to, int elementType, long expected, long value, Object result,
            long resultOffset, long at) {
        compareAndSwap(to, elementType, expected, value, result, resultOffset, at, null);
    }

    /** As above; the operation is done when the answer is here. */
    public void compareAndSwap(Channel to, int elementType, long expected, long value, Object result,
            long resultOffset, long at, Operation operation) {
        int bytes = ElementType.of(elementType).bytes();
        int access = accesses.begin(Frame.ATOMIC_REPLY, to, result, resultOffset, bytes, operation);
        send(request(to, Frame.COMPARE_AND_SWAP, access, elementType, at, expected, value, null, 0, 0, null));
    }

    /** Asks for {@link Channel#flushed}. */
    public void flush(Channel channel) {
        if (channel.isDirty()) {
            channel.flushSent();
            send(request(channel, Frame.FLUSH, channel.id(), 0, 0, 0, 0, null, 0, 0, null));
        }
    }

    /** Asks for {@link Channel#lockAnswered}. */
    public void lock(Channel channel, boolean exclusive) {
        channel.askLock();
        send(request(channel, Frame.LOCK, channel.id(), 0, exclusive ? 1 : 0, 0, 0, null, 0, 0, null));
    }

    public void unlock(Channel channel, boolean exclusive) {
        channel.unlock();
        send(request(channel, Frame.UNLOCK, channel.id(), 0, exclusive ? 1 : 0, 0, 0, null, 0, 0, null));
    }

    /** Peers with something left to send, and accesses that the network makes. */
    public int waiting() {
        return waiting + engine.waiting();
    }

    /** Sends what waits as far as there is room; returns how much. */
    public int progress() {
        int work = engine.waiting() == 0 ? 0 : engine.progress();
        for (int peer = 0; waiting > 0 && peer < queues.length; peer++) {
            ArrayDeque<Sending> queue = queues[peer];
            if (queue != null && !queue.isEmpty()) {
                work += advance(queue);
            }
        }
        return work;
    }

    private int advance(ArrayDeque<Sending> queue) {
        int work = 0;
        while (work < QUANTUM && !queue.isEmpty()) {
            Sending sending = queue.peek();
            int frames = transmit(sending, QUANTUM - work);
            if (frames == 0) {
                return work;
            }
            work += frames;
            if (isSent(sending)) {
                queue.remove();
                sent(sending, sending.code);
            }
        }
        if (queue.isEmpty()) {
            waiting--;
        }
        return work;
    }

    private Sending request(Channel to, int kind, int low, int elementType, long first, long second, long third,
            Object buffer, long offset, long bytes, Operation operation) {
        Sending sending = sending(kind, to.peer(), elementType, Frame.header(to.key(), low), first, second, third);
        sending.buffer = buffer;
        sending.offset = offset;
        sending.bytes = bytes;
        sending.channel = to;
        sending.operation = operation;
        to.requested(kind == Frame.PUT || kind == Frame.ACCUMULATE);
        return sending;
    }

    private Sending sending(
            int kind, int peer, int elementType, long header, long first, long second, long third) {
        Sending sending = spare != null ? spare : new Sending();
        spare = null;
        sending.kind = kind;
        sending.peer = peer;
        sending.elementType = elementType;
        sending.header = header;
        sending.first = first;
        sending.second = second;
        sending.third = third;
        sending.buffer = null;
        sending.offset = 0;
        sending.bytes = 0;
        sending.moved = 0;
        sending.code = Code.OK;
        sending.channel = null;
        sending.operation = null;
        sending.byEngine = null;
        return sending;
    }

    /** Ends what is under way to a lost peer; locks that it has or waits for go to others. */
    public void lose(int peer) {
        ArrayDeque<Sending> queue = queues[peer];
        if (queue != null && !queue.isEmpty()) {
            waiting--;
            queue.forEach(sending -> sent(sending, Code.PEER_DEAD));
            queue.clear();
        }
        engine.lose(peer);
        accesses.lose(peer);
        locks.lose(peer);
    }

    /** Sends now what finds room and keeps the rest. */
    private void send(Sending sending) {
        ArrayDeque<Sending> queue = queues[sending.peer];
        if (queue == null) {
            queue = new ArrayDeque<>();
            queues[sending.peer] = queue;
        }
        if (queue.isEmpty()) {
            if (transmit(sending, Integer.MAX_VALUE) > 0 && isSent(sending)) {
                sent(sending, sending.code);
                sending.buffer = null;
                spare = sending;
                return;
            }
            waiting++;
            addChore.run();
        }
        queue.add(sending);
        if (peers.get(sending.peer).isLost()) {
            lose(sending.peer);
        }
    }

    private static boolean isSent(Sending sending) {
        return sending.byEngine == null ? sending.moved == sending.bytes : sending.byEngine.started;
    }

    private static void sent(Sending sending, int code) {
        if (sending.channel != null) {
            sending.channel.sent();
        }
        if (sending.operation != null) {
            sending.operation.finish(code);
        }
    }

    /** Writes frames until all is sent, there is no room, or there were enough; returns how many. */
    private int transmit(Sending sending, int limit) {
        if (sending.byEngine != null) {
            int pieces = EngineAccesses.start(sending.byEngine);
            return sending.byEngine.started ? Math.max(1, pieces) : pieces;
        }
        int frames = 0;
        int words = words(sending.kind);
        do {
            int part = (int) Math.min(chunk, sending.bytes - sending.moved);
            int size = words * WORD + part;
            boolean self = sending.peer == peers.self();
            Outlet outlet = self ? null : peers.get(sending.peer).outlet();
            long at = self ? 0 : outlet.claim(size);
            if (at < 0) {
                return frames;
            }
            MemorySegment memory = self ? toSelf : outlet.memory();
            writeWords(sending, words, memory, at);
            if (part > 0 && !copyOut(sending, memory, at + words * WORD, part)) {
                return frames + 1;
            }
            sending.moved += part;
            int meta = Frame.meta(sending.kind, sending.elementType);
            if (self) {
                frame(sending.kind, sending.peer, meta, sending.header, memory, at, size);
            } else {
                outlet.commit(at, size, meta, sending.header);
                peers.counts().sent(size);
            }
            frames++;
        } while (sending.moved < sending.bytes && frames < limit);
        return frames;
    }

    /** False if the memory has ended: then no more of it is sent, and the access is refused. */
    private boolean copyOut(Sending sending, MemorySegment memory, long at, int part) {
        try {
            Copy.out(sending.buffer, sending.offset + sending.moved, memory, at, part);
            return true;
        } catch (IllegalStateException e) {
            checkEnded(sending.buffer, e);
        }
        long left = sending.bytes - sending.moved;
        sending.moved = sending.bytes;
        sending.code = Code.MEMORY_ENDED;
        if (sending.kind == Frame.GET_REPLY) {
            refuse(sending.peer, Frame.high(sending.header), Code.UNKNOWN_REGION, sending.first, left);
        } else if (sending.kind == Frame.FETCH) {
            accesses.refused(Frame.low(sending.header), Code.MEMORY_ENDED, sending.first, left);
        } else if (sending.operation == null) {
            sending.channel.refused(Code.MEMORY_ENDED, sending.first, sending.second);
        }
        return false;
    }

    static void checkEnded(Object buffer, IllegalStateException failure) {
        if (!Copy.hasEnded(buffer)) {
            throw failure;
        }
    }

    private static int words(int kind) {
        return switch (kind) {
            case Frame.PUT, Frame.ACCUMULATE, Frame.FETCH, Frame.COMPARE_AND_SWAP -> 3;
            case Frame.GET, Frame.ACCESS_REFUSED -> 2;
            case Frame.GET_REPLY, Frame.ATOMIC_REPLY, Frame.LOCK, Frame.UNLOCK -> 1;
            default -> 0;
        };
    }

    private static void writeWords(Sending sending, int words, MemorySegment memory, long at) {
        boolean answer = sending.kind == Frame.GET_REPLY || sending.kind == Frame.ATOMIC_REPLY;
        if (words > 0) {
            Words.store(memory, at, answer ? sending.first + sending.moved : sending.first);
        }
        if (words > 1) {
            Words.store(memory, at + WORD, sending.second);
        }
        if (words > 2) {
            Words.store(memory, at + 2 * WORD, sending.third + sending.moved);
        }
    }

    /** Takes in a frame of a kind that belongs here. */
    public void frame(int kind, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int high = Frame.high(header);
        int low = Frame.low(header);
        long first = words(kind) > 0 ? Words.load(memory, payload) : 0;
        long data = payload + words(kind) * WORD;
        int dataBytes = bytes - words(kind) * WORD;
        switch (kind) {
            case Frame.PUT, Frame.ACCUMULATE, Frame.FETCH ->
                change(kind, from, high, low, Frame.elementType(meta), memory, payload, dataBytes);
            case Frame.GET -> serve(from, high, low, Frame.elementType(meta), first,
                    Words.load(memory, payload + WORD));
            case Frame.COMPARE_AND_SWAP -> swap(from, high, low, Frame.elementType(meta), memory, payload);
            case Frame.GET_REPLY, Frame.ATOMIC_REPLY ->
                accesses.answered(kind, from, high, first, memory, data, dataBytes);
            case Frame.LOCK -> lockFor(from, high, low, isExclusive(first));
            case Frame.UNLOCK -> locks.unlock(high, from, isExclusive(first));
            case Frame.LOCK_GRANTED -> accesses.channel(from, high).lockGranted();
            case Frame.FLUSH -> answer(Frame.FLUSHED, from, Frame.header(low, 0));
            case Frame.FLUSHED -> accesses.channel(from, high).flushAnswered();
            default -> accesses.refused(from, high, low, first, Words.load(memory, payload + WORD));
        }
    }

    private static boolean isExclusive(long word) {
        if (word >>> 1 != 0) {
            throw new Violation("a lock that is neither shared nor exclusive: " + word);
        }
        return word != 0;
    }

    // the target's side

    private void change(int kind, int from, int key, int low, int elementType, MemorySegment memory, long payload,
            int bytes) {
        long offset = Words.load(memory, payload);
        long accessBytes = Words.load(memory, payload + WORD);
        long third = Words.load(memory, payload + 2 * WORD);
        long position = third & POSITION;
        peers.counts().served += position == 0 ? 1 : 0;
        Reduction op = kind == Frame.PUT ? null : Reduction.of((int) (third >>> OP_SHIFT));
        int rights = kind == Frame.FETCH ? RegionTable.READ | RegionTable.WRITE : RegionTable.WRITE;
        int code = regions.check(key, offset, accessBytes, elementType, rights);
        if (code == Code.OK && (position > accessBytes - bytes || bytes % ElementType.of(elementType).bytes() != 0)) {
            code = Code.OUT_OF_BOUNDS;
        }
        if (code == Code.OK) {
            code = regions.check(key, offset + position, bytes, elementType, rights);
        }
        if (code == Code.OK && kind != Frame.PUT && (op == null || !op.supports(ElementType.of(elementType)))) {
            code = Code.TYPE_MISMATCH;
        }
        if (code != Code.OK) {
            refuse(from, kind == Frame.FETCH ? low : ~low, code, offset, kind == Frame.FETCH ? bytes : accessBytes);
            return;
        }
        Region region = regions.find(key, offset, accessBytes);
        long at = region.offset() + offset + position;
        long data = payload + MOST_WORDS * WORD;
        byte[] before = null;
        try {
            if (kind == Frame.FETCH) {
                before = new byte[bytes];
                Copy.toBytes(region.base(), at, before);
            }
            if (kind == Frame.PUT || op == Reduction.REPLACE) {
                Copy.in(memory, data, region.base(), at, bytes);
            } else if (op != Reduction.NO_OP) {
                combine(op, ElementType.of(elementType), region.base(), at, memory, data, bytes);
            }
        } catch (IllegalStateException e) {
            checkEnded(region.base(), e);
            refuse(from, kind == Frame.FETCH ? low : ~low, Code.UNKNOWN_REGION, offset,
                    kind == Frame.FETCH ? bytes : accessBytes);
            return;
        }
        if (kind == Frame.FETCH) {
            Sending reply = sending(Frame.ATOMIC_REPLY, from, elementType, Frame.header(low, 0), position, 0, 0);
            reply.buffer = before;
            reply.bytes = bytes;
            send(reply);
        }
    }

    /** Arrays are combined in a copy: not every one can be seen as a segment, and frames are small. */
    private void combine(
            Reduction op, ElementType type, Object base, long at, MemorySegment memory, long data, int bytes) {
        if (base instanceof MemorySegment segment) {
            combinations.apply(op, type, Words.accessible(segment), at, memory, data, bytes / type.bytes());
            return;
        }
        byte[] copy = new byte[bytes];
        Copy.toBytes(base, at, copy);
        MemorySegment view = MemorySegment.ofArray(copy);
        combinations.apply(op, type, view, 0, memory, data, bytes / type.bytes());
        Copy.in(view, 0, base, at, bytes);
    }

    private void serve(int from, int key, int access, int elementType, long offset, long bytes) {
        peers.counts().served++;
        int code = regions.check(key, offset, bytes, elementType, RegionTable.READ);
        if (code != Code.OK) {
            refuse(from, access, code, offset, bytes);
            return;
        }
        Region region = regions.find(key, offset, bytes);
        Sending reply = sending(Frame.GET_REPLY, from, elementType, Frame.header(access, 0), 0, 0, 0);
        reply.buffer = region.base();
        reply.offset = region.offset() + offset;
        reply.bytes = bytes;
        send(reply);
    }

    private void swap(int from, int key, int access, int elementType, MemorySegment memory, long payload) {
        peers.counts().served++;
        long offset = Words.load(memory, payload);
        int bytes = ElementType.isCode(elementType) ? ElementType.of(elementType).bytes() : 1;
        int code = regions.check(key, offset, bytes, elementType, RegionTable.READ | RegionTable.WRITE);
        if (code != Code.OK) {
            refuse(from, access, code, offset, bytes);
            return;
        }
        Region region = regions.find(key, offset, bytes);
        long at = region.offset() + offset;
        byte[] before = new byte[bytes];
        try {
            Copy.toBytes(region.base(), at, before);
            MemorySegment expected = memory.asSlice(payload + WORD, bytes);
            if (MemorySegment.ofArray(before).mismatch(expected) < 0) {
                Copy.in(memory, payload + 2 * WORD, region.base(), at, bytes);
            }
        } catch (IllegalStateException e) {
            checkEnded(region.base(), e);
            refuse(from, access, Code.UNKNOWN_REGION, offset, bytes);
            return;
        }
        Sending reply = sending(Frame.ATOMIC_REPLY, from, elementType, Frame.header(access, 0), 0, 0, 0);
        reply.buffer = before;
        reply.bytes = bytes;
        send(reply);
    }

    private void lockFor(int from, int key, int channel, boolean exclusive) {
        if (regions.get(key) == null) {
            refusedLock(from, channel);
        } else {
            locks.lock(key, from, channel, exclusive);
        }
    }

    private void granted(int peer, int channel) {
        answer(Frame.LOCK_GRANTED, peer, Frame.header(channel, 0));
    }

    private void refusedLock(int peer, int channel) {
        refuse(peer, ~channel, Code.UNKNOWN_REGION, 0, 0);
    }

    private void refuse(int to, int whose, int code, long offset, long bytes) {
        send(sending(Frame.ACCESS_REFUSED, to, 0, Frame.header(whose, code), offset, bytes, 0));
    }

    private void answer(int kind, int to, long header) {
        send(sending(kind, to, 0, header, 0, 0, 0));
    }
}
