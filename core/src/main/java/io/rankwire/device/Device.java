package io.rankwire.device;

import io.rankwire.device.agree.Agreements;
import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.transfer.DirectCopies;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.device.transfer.RemoteEngine;
import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.device.transfer.SoftwarePuts;
import io.rankwire.device.work.WorkEngine;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Place;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.fabric.TagMatcher;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The interface device of one rank: a state machine moved by calls and by {@link #progress}. It has no clock, no thread
 * and no lock; one thread at a time drives it. This class connects the parts and is all that other packages call. The
 * parts, in the order in which a message meets them:
 *
 * <ol>
 *   <li>{@link Outbound} writes whole messages and keeps those that find no room or credit; {@link ControlFrames} are
 *       all other small frames, and {@link BusyPeers} are the peers with something left to send
 *   <li>{@link FrameDispatch} takes frames in at the other end and picks the part
 *   <li>{@link Inbound} gives messages to receives, by the match queues of {@link QueueTable}; {@link
 *       UnexpectedMessages} wait for one, and hold {@link Credit} of their sender
 *   <li>{@link SendTransfers} and {@link ReceiveTransfers} are the two ends of a large message; {@link DirectCopies}
 *       is the short way between memory that both ranks can reach
 *   <li>{@link Loopback} does all of this for messages of a rank to itself
 *   <li>{@link Backlog} and {@link Wants} let a receive have a message that its sender keeps for want of credit
 *   <li>{@link Datagrams}, {@link OneSided} access to memory that cannot be mapped, {@link WorkEngine} for programs
 *   <li>{@link Probes} find messages without a receive; {@link Attempts}, {@link Admission} are for refused ones, and
 *       {@link Withdrawals} for what is cancelled
 *   <li>{@link HeaderOverflow}, {@link SplitQueues} and {@link Losses} are what happens when the header store is full,
 *       when the device is configured too small for all receives, and when a peer is lost
 *   <li>{@link NetworkMatching} is for contexts whose messages the network matches, {@link Agreements} for calls of
 *       groups that end alike at all members though some die; {@link Interruptions} ends calls of the others
 * </ol>
 */
public final class Device implements FrameSink {
    private static final int POLL_LIMIT = 32;
    /** What a running program counts among the chores. */
    private static final int PROGRAM = 1 << 20;
    private static final int MOST_PROGRAMS = 1 << 10;

    private final DeviceConfig config;
    private final Port port;
    private final Peers peers;
    private final int self;
    private final int eagerBytes;
    private final Operations operations = new Operations();
    private final QueueTable queues;
    final HeaderStore headers;
    final UnexpectedBuffer payloads;
    private final Credit credit;
    private final BusyPeers busy;
    private final BufferedSends buffered;
    private final Outbound outbound;
    private final Inbound inbound;
    private final UnexpectedMessages unexpected;
    private final SendTransfers sends;
    private final DirectCopies direct;
    private final Loopback loopback;
    private final Wants wants;
    private final Probes probes;
    private final Datagrams datagrams;
    private final FrameDispatch dispatch;
    final HeaderOverflow overflow;
    private final AgreementFrames agreements;
    private final Losses losses;
    /** Null unless messages may be refused for want of room. */
    private final Attempts attempts;
    /** Null unless the device is configured too small for all receives. */
    final SplitQueues splits;
    private final Hardware hardware;
    private final DeviceEvents events = new Events();
    private final NetworkMatching network;
    private final Withdrawals withdrawals;
    private OneSided oneSided;
    WorkEngine engine;
    /** Whether a peer was lost: read with each receive, so it is here. */
    private boolean anyLost;
    /** Peers that were lost for their frames, and are not reported yet. */
    private final ArrayDeque<BadFrame> refused = new ArrayDeque<>();
    public final Interruptions interruptions;
    public final NetworkSends networkSends;
    public final Priorities priorities = new Priorities();
    private Consumer<Refusal> refusals;
    private int chores;

    private final class Events implements DeviceEvents {
        @Override
        public void met(int handle, long word, long description, long payload) {
            inbound.consume(operations.at(handle), word, description, payload);
        }

        @Override
        public void run() {
            chores++;
        }

        @Override
        public int endOfRemoved(Operation operation) {
            return losses.endOfRemoved(operation);
        }

        @Override
        public void headersFull(int context) {
            overflow.messages(context);
        }

        @Override
        public void beforeRaise(Peer peer) {
            wants.release(peer);
        }

        @Override
        public void refused(Refusal refusal) {
            if (refusals != null) {
                refusals.accept(refusal);
            }
        }

        @Override
        public OneSided oneSided() {
            return Device.this.oneSided();
        }
    }

    public Device(DeviceConfig config, Port port) {
        this(config, port, null);
    }

    public Device(DeviceConfig wish, Port port, Hardware hardware) {
        this.hardware = hardware;
        this.config = hardware == null ? wish : hardware.sized(wish);
        this.port = port;
        int maxPayload = port.traits().requireExact().maxPayload();
        this.peers = new Peers(port, config);
        this.self = port.self();
        this.headers = new HeaderStore(config.headers(), config.maxHeaders());
        this.payloads = new UnexpectedBuffer(Arena.ofAuto(), config.fragmentBytes(), config.fragments());
        MatchWatch watch = hardware == null ? null : hardware.watch();
        this.splits = config.split() == null ? null
                : new SplitQueues(headers, config.split(), operations, watch, events);
        HeaderDivision division = new HeaderDivision(headers, config);
        this.queues = new QueueTable(headers, division, splits, watch, events, operations);
        this.overflow = new HeaderOverflow(config.overflow(), queues, headers, division, operations, events);
        this.busy = new BusyPeers(events);
        ControlFrames control = new ControlFrames(busy);
        this.credit = new Credit(config, peers.count(), control, events);
        this.buffered = new BufferedSends(operations, config.bufferedBytes());
        this.direct = new DirectCopies(config.large(), port, control, events, hardware);
        this.sends = new SendTransfers(config, control, busy, buffered, credit, direct,
                new SoftwarePuts(hardware, events));
        this.eagerBytes = config.mostEager(maxPayload);
        this.outbound = new Outbound(credit, control, busy, buffered, sends, priorities);
        ReceiveTransfers receives = new ReceiveTransfers(config, payloads, control, credit, direct, hardware);
        this.unexpected = new UnexpectedMessages(queues, payloads, peers, credit, receives, control, events);
        this.interruptions = new Interruptions(this, queues, operations, unexpected);
        this.loopback = new Loopback(config, eagerBytes, queues, operations, interruptions, payloads, unexpected,
                credit, buffered, Arena.ofAuto().allocate(Loopback.STEP, 64));
        this.inbound = new Inbound(config, queues, operations, interruptions, peers, payloads, unexpected, credit,
                control, receives, loopback, events);
        boolean isPlain = hardware == null && config.split() == null && !config.mayRefuse();
        this.network = new NetworkMatching(isPlain ? port.tagMatcher() : TagMatcher.NONE, peers, queues, operations,
                control, credit, this, events);
        this.wants = new Wants(queues, operations, peers, control, receives, inbound, events);
        this.probes = new Probes(queues, operations, inbound, wants, overflow, hardware, network);
        this.attempts = config.mayRefuse() ? new Attempts(config, buffered, sends, events) : null;
        this.datagrams = new Datagrams(config.doorbells(), maxPayload, peers, control, events);
        this.withdrawals = new Withdrawals(peers, queues, operations, unexpected, outbound, loopback, attempts, splits,
                network);
        List<PeerLost> lost = new ArrayList<>();
        this.agreements = new AgreementFrames(this, peers, lost, events);
        this.losses = new Losses(lost, peers, queues, operations, buffered, sends, receives, direct, unexpected, wants,
                datagrams, attempts, interruptions, agreements);
        this.networkSends = new NetworkSends(port, peers, credit, lost, remote());
        this.dispatch = new FrameDispatch(operations, peers, inbound, unexpected, outbound, sends, receives, credit,
                wants, control, datagrams, attempts,
                new Admission(config, queues, payloads, overflow, control, inbound), network, agreements, events);
    }

    /**
     * Passes the time to a fabric that needs it; to be called before {@link #progress} with the same time. What waits
     * for a peer that was found lost ends; returns the last of those peers, or null.
     */
    public PeerLost advance(long nowNs) {
        datagrams.advance(nowNs);
        if (anyLost) {
            interruptions.sweep();
        }
        PeerLost last = refused.poll();
        for (PeerLost lost = last == null ? port.advance(nowNs) : null; lost != null; lost = port.advance(nowNs)) {
            lose(lost);
            last = lost;
        }
        return last;
    }

    /** A peer does not answer any more. The caller makes sure that no frame of that peer is handed up again. */
    public void lose(PeerLost cause) {
        anyLost = true;
        network.lose(cause.rank());
        if (losses.lose(cause, oneSided) && engine != null) {
            engine.progress();
            programs(engine.active());
        }
        port.dismiss(cause.rank());
    }

    /** Ends what waits in a context, and what is started there later; discards the messages that come. */
    public void revoke(int context) {
        anyLost = true;
        interruptions.revoke(context);
    }

    /** From now on gets the messages that were refused when their sends had ended, in the middle of any call. */
    public void onRefusal(Consumer<Refusal> listener) {
        refusals = listener;
    }

    /** Why nothing can come from a rank, or from any: the loss of it, or of the last; null if something can. */
    public PeerLost lost(int from) {
        return anyLost ? losses.cause(from) : null;
    }

    /** As above for a receive or probe in a context, see {@link Interruptions}. */
    public PeerLost lost(int context, int from, int tag) {
        return anyLost ? losses.cause(context, from, tag) : null;
    }

    /** One bounded round: frames in, waiting work out. Returns how much was done. */
    public int progress(long nowNs) {
        try {
            int work = port.poll(this, POLL_LIMIT);
            return chores == 0 ? work : chores < PROGRAM ? work + doChores(nowNs) : work + runPrograms(nowNs);
        } catch (BadFrame e) {
            return refuse(e);
        }
    }

    /** Goes on without a peer whose frames make no sense; {@link #advance} reports it. */
    private int refuse(BadFrame e) {
        refused.add(e);
        lose(e);
        return 1;
    }

    /** What lets a program go on, a frame or a chore that was done, wakes it. */
    private int runPrograms(long nowNs) {
        int work = (chores & PROGRAM - 1) == 0 ? 0 : doChores(nowNs);
        if (engine.isDue()) {
            work += engine.progress(nowNs);
            programs(engine.active());
        }
        return work;
    }

    /** Work that waits for something other than a frame; each kind of it is counted as one chore. */
    private int doChores(long nowNs) {
        int work = outbound.progress() + sends.progress() + direct.progress(sends) + datagrams.progress(nowNs);
        work += agreements.progress() + (splits == null ? 0 : splits.progress(nowNs)) + wants.progress();
        work += network.progress() + (attempts == null ? 0 : attempts.progress(nowNs));
        chores = busy.count() + sends.waiting() + direct.waiting() + datagrams.waiting() + wants.waiting()
                + agreements.chores() + network.waiting() + overflow.handBack()
                + (splits == null ? 0 : splits.waiting()) + (attempts == null ? 0 : attempts.waiting());
        if (oneSided != null) {
            work += oneSided.progress();
            chores += oneSided.waiting();
        }
        if (engine != null) {
            chores += engine.waiting();
            programs(engine.active());
        }
        return work;
    }

    /** Programs that run are counted apart: they alone are no reason to visit the device, but for the frames. */
    private void programs(int count) {
        chores = chores & PROGRAM - 1 | Math.min(count, MOST_PROGRAMS) * PROGRAM;
    }

    /** As {@link #progress}, looking at every peer: 0 means nothing is here and nothing can be moved. */
    public int progressAll(long nowNs) {
        try {
            return port.pollAll(this, POLL_LIMIT) + progress(nowNs);
        } catch (BadFrame e) {
            return refuse(e) + progress(nowNs);
        }
    }

    /** When progress could do something though nothing has come; in the past for what waits for room, too. */
    public long dueNs() {
        long due = engine == null ? datagrams.dueNs() : Math.min(datagrams.dueNs(), engine.dueNs());
        return attempts == null ? due : Math.min(due, attempts.dueNs());
    }

    /** A guess whether progress could do something; any thread may call it, also while another drives the device. */
    public boolean mayProgress() {
        return (chores & PROGRAM - 1) != 0 || port.mayHaveFrames();
    }

    /** When only time gives {@link #progress} work: in the past if it has to look first; else the largest number. */
    public long due() {
        return splits == null ? Long.MAX_VALUE : splits.due();
    }

    /** Whether operations were started and not released; a guess like {@link #mayProgress}. */
    public boolean hasOperations() {
        return operations.inUse() != 0;
    }

    /** Waits as {@link Port#sleep} does; the caller does not drive the device. */
    public void sleep(long ns) {
        port.sleep(ns);
    }

    /** As {@link Port#pollCost}. */
    public int pollCost() {
        return port.pollCost();
    }

    /** The caller is about to rest: gives all ring space back to senders. */
    public void rest() {
        port.rest();
    }

    @Override
    public void frame(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        if (Frame.kind(meta) == Frame.EAGER) {
            inbound.eager(from, meta, header, memory, payload, payloadBytes);
        } else {
            dispatch.frame(from, meta, header, memory, payload, payloadBytes);
        }
    }

    @Override
    public int frames(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes,
            int stride, int count) {
        return Frame.kind(meta) == Frame.EAGER && Frame.low(header) >= 0
                ? inbound.eagers(from, meta, header, memory, payload, payloadBytes, stride, count) : 0;
    }

    @Override
    public boolean place(int from, int meta, long header, long first, int payloadBytes, Place to) {
        return dispatch.place(from, meta, header, first, payloadBytes, to);
    }

    @Override
    public void placed(int from, int meta, long header, long first, int payloadBytes) {
        dispatch.placed(from, meta, header, first, payloadBytes);
    }

    /** Sends a small message without an operation: true if the message is on its way and its buffer free again. */
    public boolean sendNow(int context, int to, int tag, Object buffer, long offset, long bytes, int elementType) {
        return to != self && outbound.sendNow(peers.get(to), context, tag, buffer, offset, bytes, elementType);
    }

    /** Starts a send. The operation may be done at once; {@link #release} it after it is. */
    public Operation send(Operation.Mode mode, int context, int to, int tag, Object buffer, long offset, long bytes,
            int elementType) {
        Operation operation = operations.take();
        operation.fill(context, to, tag, buffer, offset, bytes, elementType);
        operation.beginSend(mode);
        if (to == self) {
            loopback.send(peers.get(to), operation);
        } else if (attempts != null) {
            attempts.send(peers.get(to), operation);
        } else {
            outbound.send(peers.get(to), operation);
        }
        return operation;
    }

    /** Posts a receive: the earliest unexpected message that matches, else the queue. */
    public Operation receive(int context, int from, int tag, Object buffer, long offset, long bytes, int elementType) {
        Operation operation = operations.take();
        operation.fill(context, from, tag, buffer, offset, bytes, elementType);
        operation.beginReceive();
        long word = MatchWord.of(from, tag);
        Matching queue = queues.get(context);
        int found = queue.post(word, operation.index());
        if (found == Matching.FULL) {
            if (lost(from) != null) {
                operation.finish(Code.PEER_DEAD);
                return operation;
            }
            overflow.receives(context);
            queue = queues.get(context);
            found = queue.post(word, operation.index());
        }
        if (found < 0) {
            operation.entry = ~found;
            if (anyLost) {
                losses.refuse(operation);
            }
            if (wants.isActive()) {
                wants.posted(operation);
            }
            if (network.isActive()) {
                network.posted(operation);
            }
        } else {
            long stored = inbound.consume(operation, queue, found);
            if (hardware != null) {
                hardware.copied(stored);
            }
        }
        return operation;
    }

    /** Whether a buffered send of this size can be taken now. */
    public boolean bufferAdmits(long bytes) {
        return buffered.admits(bytes);
    }

    public long bufferedHeld() {
        return buffered.held();
    }

    /**
     * True if the operation ended as cancelled here and now. A send may still be cancelled by the peer's answer, and a
     * receive by the device's, if matching is divided.
     */
    public boolean cancel(Operation operation) {
        return withdrawals.cancel(operation);
    }

    public void release(Operation operation) {
        operations.give(operation);
    }

    /** Withdraws an operation that no caller waits for any more. True if it is over, and so released. */
    public boolean giveUp(Operation operation) {
        return withdrawals.giveUp(operation);
    }

    /** Receives that the network's matcher holds. */
    public NetworkMatching network() {
        return network;
    }

    /** Messages without a receive. */
    public Probes probes() {
        return probes;
    }

    /** Whether nothing waits to be sent. */
    public boolean flushed() {
        network.endWays();
        return busy.count() + direct.waiting() + agreements.waiting() == 0
                && (attempts == null || attempts.waiting() == 0) && (oneSided == null || oneSided.waiting() == 0);
    }

    /** Bytes of the longest message to any rank that goes whole, without an announcement. */
    public int eagerBytes() {
        return eagerBytes;
    }

    public Datagrams datagrams() {
        return datagrams;
    }

    /** Made at the first use: most programs have no windows. */
    public OneSided oneSided() {
        if (oneSided == null) {
            oneSided = new OneSided(peers, port.traits().maxPayload(), remote(), events);
        }
        return oneSided;
    }

    /** Made at the first use: most programs do not survive the death of a rank. */
    public Agreements agreements() {
        return agreements.machine();
    }

    /** The work programs that are not over. */
    public List<WorkProgram> programs() {
        return engine == null ? List.of() : engine.programs();
    }

    /** Starts a run of a work program; made at the first use. */
    public Operation start(WorkProgram program, int tag) {
        if (engine == null) {
            engine = new WorkEngine(this, hardware, events);
        }
        Operation run = engine.start(program, tag);
        run.tag = tag;
        programs(engine.active());
        return run;
    }

    /** An epoch of a window has ended: puts that the network was to make in it go back to the device. */
    public void epochClosed() {
        if (engine != null) {
            engine.epochClosed();
        }
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

    /** This rank. */
    public int self() {
        return self;
    }

    /** Memory that peers can map. */
    public SharedMemory memory() {
        return port.memory();
    }

    /** Accesses to memory of peers by the network, which free memory of this rank, too. */
    public RemoteEngine remote() {
        return direct.engine();
    }

    /** Contexts that have a match queue. */
    public int[] contexts() {
        return queues.contexts();
    }

    /** Operations that were started and not released. */
    public void forEachOperation(Consumer<Operation> action) {
        operations.forEachInUse(action);
    }

    /** Passes on the posted receives, those of a context in the order in which messages meet them. Costs a walk. */
    public void forEachPosted(Consumer<Operation> action) {
        for (int context : queues.contexts()) {
            queues.get(context).forEachPosted(handle -> action.accept(operations.at(handle)));
        }
    }

    /** Divides headers and queue of a context as its user asks; returns what is in force. */
    public QueueHints hint(int context, QueueHints wish) {
        return overflow.hint(context, wish);
    }

    /** Forgets a context's queue; messages it still holds are dropped, receives end as cancelled. */
    public void dropContext(int context) {
        withdrawals.drop(context);
    }

    public void close() {
        port.close();
    }

    Peers peers() {
        return peers;
    }

    QueueTable queues() {
        return queues;
    }

    Operations operations() {
        return operations;
    }

    /** Reads what a message from this peer needs of the device itself. */
    long touch(int from) {
        return peers.touch(from) + headers.inUse() + operations.inUse() + credit.touch();
    }
}
