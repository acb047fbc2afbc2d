package io.rankwire.device;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.device.work.WorkEngine;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The interface device of one rank: a state machine moved by calls and by {@link #progress}. It has no clock, no thread
 * and no lock; one thread at a time drives it. The parts, in the order a message meets them:
 *
 * <ol>
 *   <li>{@link Outbound} writes frames: whole messages, announcements, data, control
 *   <li>{@link #frame} takes them in at the other end and picks the part
 *   <li>{@link Inbound} matches messages with receives, keeps the unexpected ones, copies
 *   <li>{@link SendTransfers} and {@link ReceiveTransfers} are the two ends of a large message
 *   <li>{@link DirectCopies} is the short way between them, for memory that both can reach
 *   <li>{@link Loopback} does both for messages of a rank to itself
 *   <li>{@link Datagrams} are the doorbells and receive queues beside all that
 *   <li>{@link WorkEngine} runs programs of work entries, which use all of the above
 *   <li>{@link OneSided} reads and writes memory of peers that cannot be mapped, and serves theirs to them
 * </ol>
 */
public final class Device implements FrameSink {
    private static final int POLL_LIMIT = 32;
    /** What a running program counts among the chores. */
    private static final int PROGRAM = 1 << 20;
    private static final int MOST_PROGRAMS = 1 << 10;
    private static final int IDLE_MASK = 31;
    /** What {@link #probe} gives if there is no message, and for one that its sender keeps for want of credit. */
    public static final int NONE = -1;
    public static final int KEPT = -2;

    private final DeviceConfig config;
    private final Port port;
    private final Peer[] peers;
    private final int self;
    private final Operations operations = new Operations();
    private final QueueTable queues;
    private final HeaderStore headers;
    private final UnexpectedBuffer payloads;
    private final int fragmentShift;
    private final int fragmentUnits;
    private final Outbound outbound;
    private final Inbound inbound;
    private final SendTransfers sends;
    private final ReceiveTransfers receives;
    private final DirectCopies direct;
    private final Loopback loopback;
    private final Datagrams datagrams;
    private final RareFrames rareFrames;
    /** Null unless the device is configured too small for all receives. */
    private final SplitQueues splits;
    private final Hardware hardware;
    private HeaderOverflow overflow;
    private OneSided oneSided;
    private WorkEngine engine;
    /** Null until a peer is lost. */
    private Losses losses;
    /** Null until a peer has used up its credit here. */
    private Wants wants;
    private int idlePolls;
    private int chores;

    public Device(DeviceConfig config, Port port) {
        this(config, port, null);
    }

    public Device(DeviceConfig wish, Port port, Hardware hardware) {
        this.hardware = hardware;
        this.config = hardware == null ? wish : hardware.sized(wish);
        this.port = port;
        this.self = port.self();
        this.peers = new Peer[port.peers()];
        this.queues = new QueueTable(this, hardware == null ? null : hardware.watch());
        this.headers = new HeaderStore(config.headers(), config.maxHeaders());
        this.fragmentShift = Integer.numberOfTrailingZeros(config.fragmentBytes());
        this.fragmentUnits = config.fragmentBytes() / DeviceConfig.UNIT;
        this.payloads = new UnexpectedBuffer(
                Arena.ofAuto(), config.fragmentBytes(), config.fragments(), Long.MAX_VALUE);
        this.outbound = new Outbound(this, port.traits().requireExact().maxPayload());
        this.inbound = new Inbound(this, operations, payloads);
        this.sends = new SendTransfers(this, port.traits().maxPayload());
        this.receives = new ReceiveTransfers(this, payloads);
        this.direct = new DirectCopies(this, port.memory(), port.peerMemory());
        this.loopback = new Loopback(this, outbound.eagerBytes());
        this.datagrams = new Datagrams(this, config.doorbells(), port.traits().maxPayload());
        this.rareFrames = new RareFrames(this, operations);
        this.splits = config.split() == null ? null : new SplitQueues(this, config.split());
    }

    /**
     * Tells the time to a fabric that has to know it; to be called before {@link #progress} with the same time. What
     * waits for a peer that was found lost is over then; returns the last of those, or null.
     */
    public PeerLost advance(long nowNs) {
        PeerLost last = null;
        for (PeerLost lost = port.advance(nowNs); lost != null; lost = port.advance(nowNs)) {
            lose(lost);
            last = lost;
        }
        return last;
    }

    /** A peer does not answer any more. Whoever says so sees to it that no frame of that peer is handed up again. */
    public void lose(PeerLost cause) {
        if (losses == null) {
            losses = new Losses(this);
        }
        if (losses.lose(cause, oneSided) && engine != null) {
            engine.progress();
            programs(engine.active());
        }
        port.dismiss(cause.rank());
    }

    /** Why nothing can come from a rank, or from any: the loss of it, or of the last; null if something can. */
    public PeerLost lost(int from) {
        return losses == null ? null : losses.cause(from);
    }

    /** One bounded round: frames in, waiting work out. Returns how much was done. */
    public int progress(long nowNs) {
        int work = port.poll(this, POLL_LIMIT);
        return chores == 0 ? work : chores < PROGRAM ? work + doChores(nowNs) : work + runPrograms(nowNs, work);
    }

    /** A program can go on when a frame has come or a chore was done; seldom for other reasons. */
    private int runPrograms(long nowNs, int frames) {
        int work = (chores & PROGRAM - 1) == 0 ? 0 : doChores(nowNs);
        if (frames + work != 0 || (++idlePolls & IDLE_MASK) == 0) {
            work += engine.progress();
            programs(engine.active());
        }
        return work;
    }

    /** Work that waits for something other than a frame; each kind of it is counted as one chore. */
    private int doChores(long nowNs) {
        int work = outbound.progress() + direct.progress() + datagrams.progress(nowNs);
        if (splits != null) {
            work += splits.progress(nowNs);
        }
        if (wants != null) {
            work += wants.progress();
        }
        chores = outbound.waiting() + direct.waiting() + datagrams.waiting() + (wants == null ? 0 : wants.waiting());
        if (overflow != null) {
            chores += overflow.handBack();
        }
        if (splits != null) {
            chores += splits.waiting();
        }
        if (oneSided != null) {
            work += oneSided.progress();
            chores += oneSided.waiting();
        }
        if (engine != null) {
            programs(engine.active());
        }
        return work;
    }

    /** Programs that run are counted apart: they alone are no reason to visit the device, but for the frames. */
    private void programs(int count) {
        chores = chores & PROGRAM - 1 | Math.min(count, MOST_PROGRAMS) * PROGRAM;
    }

    void addChore() {
        chores++;
    }

    /** As {@link #progress}, looking at every peer: 0 means nothing is here and nothing can be moved. */
    public int progressAll(long nowNs) {
        idlePolls = -1;
        return port.pollAll(this, POLL_LIMIT) + progress(nowNs);
    }

    /** When progress could do something though nothing has come; in the past for what waits for room, too. */
    public long dueNs() {
        return datagrams.dueNs();
    }

    /** Whether progress could do something. A guess: any thread may ask, also while another drives the device. */
    public boolean mayProgress() {
        return (chores & PROGRAM - 1) != 0 || port.mayHaveFrames();
    }

    /**
     * When {@link #progress} has something to do next that only time brings: a moment in the past if it has to look
     * first, {@link Long#MAX_VALUE} if there is nothing. For a driver whose time does not pass by itself.
     */
    public long due() {
        return splits == null ? Long.MAX_VALUE : splits.due();
    }

    /** Whether operations were started and not released; a guess like {@link #mayProgress}. */
    public boolean hasOperations() {
        return operations.inUse() != 0;
    }

    /** The driver is about to rest: let senders have all ring space. */
    public void rest() {
        port.rest();
    }

    @Override
    public void frame(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        int kind = Frame.kind(meta);
        if (kind == Frame.EAGER) {
            inbound.eager(from, meta, header, memory, payload, payloadBytes);
        } else {
            rareFrames.frame(kind, from, meta, header, memory, payload, payloadBytes);
        }
    }

    @Override
    public int frames(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes,
            int stride, int count) {
        return Frame.kind(meta) == Frame.EAGER
                ? inbound.eagers(from, meta, header, memory, payload, payloadBytes, stride, count)
                : 0;
    }

    /** The short way out for a small message: true if it is on its way and its buffer free again. */
    public boolean sendNow(int context, int to, int tag, Object buffer, long offset, long bytes, int elementType) {
        return bytes <= outbound.eagerBytes() && to != self
                && outbound.sendNow(peer(to), context, tag, buffer, offset, (int) bytes, elementType);
    }

    /** Starts a send. The operation may be done at once; {@link #release} it after it is. */
    public Operation send(Operation.Mode mode, int context, int to, int tag, Object buffer, long offset, long bytes,
            int elementType) {
        Operation operation = operations.take();
        operation.fill(context, to, tag, buffer, offset, bytes, elementType);
        operation.beginSend(mode);
        if (to == self) {
            loopback.send(peer(to), operation);
        } else {
            outbound.send(peer(to), operation);
        }
        return operation;
    }

    /** Posts a receive: the earliest unexpected message that matches, else the queue. */
    public Operation receive(int context, int from, int tag, Object buffer, long offset, long bytes, int elementType) {
        Operation operation = operations.take();
        operation.fill(context, from, tag, buffer, offset, bytes, elementType);
        operation.beginReceive();
        long word = MatchWord.of(from, tag);
        Matching queue = queue(context);
        int found = queue.post(word, operation.index());
        if (found == Matching.FULL) {
            if (lost(from) != null) {
                operation.finish(Code.PEER_DEAD);
                return operation;
            }
            overflow(context);
            queue = queue(context);
            found = queue.post(word, operation.index());
        }
        if (found < 0) {
            operation.entry = ~found;
            if (losses != null) {
                losses.refuse(operation);
            }
            if (wants != null) {
                wants.posted(operation);
            }
        } else {
            long met = queue.word(found);
            long a = queue.a(found);
            long b = queue.b(found);
            queue.release(found);
            inbound.consume(operation, met, a, b);
        }
        return operation;
    }

    /** Whether a buffered send of so many bytes can be taken now. */
    public boolean bufferAdmits(long bytes) {
        return outbound.bufferAdmits(bytes);
    }

    public long bufferedHeld() {
        return outbound.bufferedHeld();
    }

    /** A buffered send that is not done yet is held by the device, which also releases it. */
    public boolean heldByDevice(Operation operation) {
        return operation.heldBuffer;
    }

    /**
     * True if the operation ended as cancelled here and now. A send may still be cancelled by the peer's answer, and a
     * receive by the device's, if matching is divided.
     */
    public boolean cancel(Operation operation) {
        if (operation.isDone()) {
            return false;
        }
        if (operation.receive) {
            if (queue(operation.context).removePosted(operation.entry, operation.index())) {
                operation.finish(Code.CANCELLED);
                return true;
            }
            return false;
        }
        Peer peer = peer(operation.peer);
        return operation.peer == self ? loopback.cancel(peer, operation) : outbound.cancel(peer, operation);
    }

    public void release(Operation operation) {
        operations.give(operation);
    }

    /** Withdraws an operation that nobody waits for any more, and releases it if it is over then; whether it is. */
    public boolean giveUp(Operation operation) {
        if (!operation.isDone() && !cancel(operation) && operation.receive) {
            queue(operation.context).settle();
        }
        boolean over = operation.isDone();
        if (over) {
            release(operation);
        }
        return over;
    }

    /** The entry of the earliest unexpected message that matches, or KEPT or NONE; good until the next call. */
    public int probe(int context, int from, int tag) {
        int entry = queue(context).search(MatchWord.of(from, tag));
        return entry >= 0 || wants == null ? entry : wants.probe(context, from, tag);
    }

    /** What a probe or a walk has found. */
    public Unexpected look(int context, int entry) {
        Matching queue = queue(context);
        return entry == KEPT ? wants.look()
                : new Unexpected(context, queue.word(entry), queue.a(entry), queue.b(entry));
    }

    /** Takes a probed message off its queue, for {@link #receiveTaken}. */
    public Unexpected take(int context, int entry) {
        if (entry == KEPT) {
            return wants.take();
        }
        Unexpected taken = look(context, entry);
        Matching queue = queue(context);
        queue.take(entry);
        queue.release(entry);
        return taken;
    }

    /** Receives a message taken off its queue before. */
    public Operation receiveTaken(Unexpected taken, Object buffer, long offset, long bytes, int elementType) {
        Operation operation = operations.take();
        operation.fill(taken.context(), taken.source(), taken.tag(), buffer, offset, bytes, elementType);
        operation.beginReceive();
        operation.entry = -1;
        inbound.consume(operation, taken.word(), taken.a(), taken.b());
        return operation;
    }

    /** Whether nothing waits to be sent. */
    public boolean flushed() {
        return outbound.waiting() + direct.waiting() == 0 && (oneSided == null || oneSided.waiting() == 0);
    }

    /** The longest message that goes whole, without a word before. */
    public int eagerBytes() {
        return outbound.eagerBytes();
    }

    public long unexpectedHighWater() {
        return payloads.highWater();
    }

    public Datagrams datagrams() {
        return datagrams;
    }

    /** Made at the first use: most programs have no windows. */
    public OneSided oneSided() {
        if (oneSided == null) {
            oneSided = new OneSided(this, port.traits().maxPayload());
        }
        return oneSided;
    }

    /** Whether a work program that was started with this tag is not over. */
    public boolean isRunning(int context, int tag) {
        return engine != null && engine.isRunning(context, tag);
    }

    /** A work program has combined so many bytes. */
    public void combined(long bytes) {
        if (hardware != null) {
            hardware.combined(bytes);
        }
    }

    /** Starts a run of a work program; made at the first use. */
    public Operation start(WorkProgram program, int tag) {
        if (engine == null) {
            engine = new WorkEngine(this);
        }
        Operation whole = engine.start(program, tag);
        whole.tag = tag;
        programs(engine.active());
        return whole;
    }

    /** Ends an operation that {@link #begin} gave. */
    public void finish(Operation operation, int code) {
        operation.finish(code);
    }

    /** An operation that no message belongs to, for {@link OneSided} or a work program to finish. */
    public Operation begin(int context, int to, long bytes) {
        Operation operation = operations.take();
        operation.fill(context, to, 0, null, 0, bytes, 0);
        operation.beginSend(Operation.Mode.STANDARD);
        return operation;
    }

    public DeviceConfig config() {
        return config;
    }

    public int self() {
        return self;
    }

    /** Memory that peers can map. */
    public SharedMemory memory() {
        return port.memory();
    }

    /** The memory of peers by their own addresses. */
    public PeerMemory peerMemory() {
        return port.peerMemory();
    }

    /** Contexts that still hold messages nobody received. */
    public int[] contexts() {
        return queues.contexts();
    }

    public int firstUnexpected(int context) {
        return queue(context).firstUnexpected();
    }

    public int nextUnexpected(int context, int entry) {
        return queue(context).nextUnexpected(entry);
    }

    /** Operations that were started and not released. */
    public void forEachOperation(Consumer<Operation> action) {
        operations.forEachInUse(action);
    }

    /** Shows the posted receives, those of a context in the order in which messages meet them. Costs a walk. */
    public void forEachPosted(Consumer<Operation> action) {
        for (int context : queues.contexts()) {
            queues.get(context).forEachPosted(handle -> action.accept(operations.at(handle)));
        }
    }

    /** Forgets a context's queue; messages it still holds are dropped, receives end as cancelled. */
    public void dropContext(int context) {
        Matching queue = queues.get(context);
        if (queue != null) {
            inbound.drop(queue);
            queues.remove(context);
            if (splits != null) {
                splits.drop(queue);
            }
        }
    }

    public void close() {
        port.close();
    }

    int peers() {
        return peers.length;
    }

    /** Credit that a message of so many payload bytes takes while it waits for its receive. */
    long units(long payloadBytes) {
        return 1 + fragmentUnits * (payloadBytes + (1L << fragmentShift) - 1 >>> fragmentShift);
    }

    Outbound outbound() {
        return outbound;
    }

    Inbound inbound() {
        return inbound;
    }

    SendTransfers sends() {
        return sends;
    }

    DirectCopies direct() {
        return direct;
    }

    ReceiveTransfers receives() {
        return receives;
    }

    Loopback loopback() {
        return loopback;
    }

    Operation operation(int index) {
        return operations.at(index);
    }

    Operations operations() {
        return operations;
    }

    Losses losses() {
        return losses;
    }

    Wants wants() {
        if (wants == null) {
            wants = new Wants(this);
        }
        return wants;
    }

    SplitQueues splits() {
        return splits;
    }

    HeaderStore headers() {
        return headers;
    }

    UnexpectedBuffer payloads() {
        return payloads;
    }

    void giveBack(Operation operation) {
        operations.give(operation);
    }

    Peer peer(int rank) {
        Peer peer = peers[rank];
        return peer != null ? peer : open(rank);
    }

    /** The queue of a context; a message may come before this rank has made its communicator. */
    Matching queue(int context) {
        Matching queue = queues.get(context);
        return queue != null ? queue : queues.open(context);
    }

    Matching queueIfAny(int context) {
        return queues.get(context);
    }

    /** Reads what a message from this peer needs of the device itself. */
    long touch(int from) {
        Peer peer = peers[from];
        return (peer == null ? 0 : peer.returned) + headers.inUse() + operations.inUse() + inbound.touch()
                + outbound.eagerBytes();
    }

    /** The header store is full (H6). */
    void overflow(int context) {
        if (overflow == null) {
            overflow = new HeaderOverflow(this, queues, headers);
        }
        overflow.overflow(context);
    }

    private Peer open(int rank) {
        Peer peer = new Peer(rank, rank == self ? null : port.outlet(rank), config.firstQuota(peers.length),
                sends.newQuota());
        peers[rank] = peer;
        return peer;
    }
}
