package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.NoTriggeredWork;
import io.rankwire.fabric.OutOfReach;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.fabric.TagMatcher;
import io.rankwire.fabric.TriggeredWork;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * A port over an endpoint of libfabric. The first frame after a poll is sent at once, those behind it together: when
 * enough have gathered, or with the next poll. Whatever a provider says of its progress, nothing is expected to happen
 * unless its completions are read, which each poll does.
 */
final class OfiPort implements Port {
    /** Reads of completions while a call waits for the provider. */
    static final int MOST_WAITS = 1 << 20;
    private static final PeerMemory ELSEWHERE = new OutOfReach("ranks are on several hosts");
    /** An empty poll reads completions, for which providers over sockets ask the system: 0.3 to 0.6 microseconds. */
    private static final int POLL_COST = 32;
    static final int MOST_WHOLE = 64 << 10;
    /** A message with this many bytes is sent without waiting for more frames. */
    private static final int GATHERED = 32 << 10;
    /** Batches of completions that one poll reads. */
    private static final int BATCHES = 4;
    /** Of this many guesses of other threads, one says that the port should be visited: only a visit shows arrivals. */
    private static final int GUESSES = 8;

    private final Members members;
    private final OfiConfig config;
    private final Engine engine;
    private final Arena arena = Arena.ofShared();
    private final PortTraits traits = new PortTraits(Message.MOST_PAYLOAD, true, true);
    private final OfiPeer[] peers;
    final List<OfiPeer> known = new ArrayList<>();
    private final Slots slots;
    private final Inbox inbox;
    private final Arrivals arrivals;
    private final RemoteAccesses accesses;
    private final OfiMemory memory;
    private final Watch watch;
    /** Null until a work program asks for it, and if the provider has none. */
    private OfiWork work;
    private TriggeredWork triggered;
    private final OfiTags tags;
    /** Peers with frames that wait to be sent, and those with records of the port that do. */
    private final List<OfiPeer> dirty = new ArrayList<>();
    private final List<OfiPeer> busy = new ArrayList<>();
    private OfiPeer claiming;
    /** Operations that the provider has not completed, and how many it may have. */
    private int outstanding;
    private final int mostOutstanding;
    private int polls;
    private boolean isPolling;
    private int guesses;
    private boolean isClosed;

    OfiPort(Members members, OfiConfig config, Engine engine) {
        this.members = members;
        this.config = config;
        this.engine = engine;
        this.peers = new OfiPeer[members.size()];
        this.mostOutstanding = Math.clamp(engine.provider.sends(), 2, 1 << 16);
        this.slots = new Slots(engine, arena);
        this.inbox = new Inbox(engine, arena);
        this.accesses = new RemoteAccesses(this, engine, arena, config.confirmsWrites());
        this.memory = new OfiMemory(members.self(), accesses);
        this.watch = new Watch(this, members, config, engine);
        this.arrivals = new Arrivals(this, inbox, accesses, watch, Raw.allocate(arena, Message.MOST_BYTES + 8L));
        this.tags = new OfiTags(this, engine, arena);
        inbox.post();
    }

    @Override
    public int self() {
        return members.self();
    }

    @Override
    public int peers() {
        return peers.length;
    }

    @Override
    public PortTraits traits() {
        return traits;
    }

    /** An announcement and its answer would take two more messages. */
    @Override
    public int mostWhole(int rank) {
        return MOST_WHOLE;
    }

    @Override
    public Outlet outlet(int rank) {
        return peer(rank);
    }

    OfiPeer peer(int rank) {
        if (peers[rank] == null) {
            assert rank != members.self();
            peers[rank] = new OfiPeer(rank, this, engine.insert(members.names().get(rank)),
                    token(members.self(), rank), token(rank, members.self()));
            peers[rank].heard = watch.now();
            known.add(peers[rank]);
        }
        return peers[rank];
    }

    /** As {@link #peer}, or null for a rank that was not spoken with. */
    OfiPeer known(int rank) {
        return peers[rank];
    }

    long token(int from, int to) {
        return Message.token(members.secret(), config.world(), from, to);
    }

    int world() {
        return config.world();
    }

    OfiTags tags() {
        return tags;
    }

    /** The rank whose head is at this address; -1 if a stranger has written it, or it is lost. */
    int senderOf(long address) {
        OfiPeer peer = arrivals.sender(address);
        return peer == null || peer.isLost ? -1 : peer.rank;
    }

    void writeHead(long address, OfiPeer peer, int number, int taken) {
        Raw.word(address + Message.TOKEN, peer.tokenTo);
        Raw.half(address + Message.RANK, members.self());
        Raw.half(address + Message.WORLD, config.world());
        Raw.half(address + Message.NUMBER, number);
        Raw.half(address + Message.TAKEN, taken);
    }

    Slots slots() {
        return slots;
    }

    /** Messages that were dropped because their sender did not know the secret. */
    long strangers() {
        return arrivals.strangers();
    }

    /** Peers that may wait for an answer. */
    int owed() {
        return arrivals.owed();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** A claim ends the one before: the memory of that one may be used for another peer. */
    void claims(OfiPeer peer) {
        if (claiming != peer) {
            if (claiming != null && claiming.open != null && claiming.open.isEmpty()) {
                slots.give(claiming.open);
                claiming.open = null;
            }
            claiming = peer;
        }
    }

    /** A frame was committed. */
    void committed(OfiPeer peer) {
        if (peer.isGone()) {
            // A rank that has closed its world reads no frame, on this fabric as on any other.
            peer.drop(slots);
        } else if (peer.burst != polls && !peer.isDirty && !peer.isHeld && !isPolling) {
            peer.burst = polls;
            peer.seal();
            post(peer);
        } else {
            soil(peer);
            if (peer.open.used >= GATHERED) {
                peer.seal();
                post(peer);
            }
        }
    }

    /** The last of the frames was committed that go together. */
    void released(OfiPeer peer) {
        if (peer.open != null && !peer.open.isEmpty() && !isPolling) {
            peer.burst = polls;
            peer.seal();
            post(peer);
        }
    }

    private void soil(OfiPeer peer) {
        if (!peer.isDirty) {
            peer.isDirty = true;
            dirty.add(peer);
        }
    }

    /** Records of the port wait for room. */
    void busy(OfiPeer peer) {
        if (!peer.isBusy) {
            peer.isBusy = true;
            busy.add(peer);
        }
    }

    /** Posts the messages that wait, until the provider takes no more. */
    void post(OfiPeer peer) {
        while (peer.head != null && peer.failure == null && peer.canNumber()
                && (accesses.isIdle() || accesses.isSafe(peer, peer.head.fence))) {
            int code = post(peer, peer.head);
            if (code == 0) {
                Slot sent = peer.removeFirst();
                if (sent.peer == null) {
                    slots.give(sent);
                }
            } else {
                refused(peer, code);
                break;
            }
        }
        if (peer.head != null) {
            soil(peer);
        }
    }

    private void refused(OfiPeer peer, int code) {
        peer.refusal = code;
        if (code != -Abi.FI_EAGAIN) {
            fail(peer, "sending", code);
        }
    }

    /** Posts one message; the slot has a peer afterwards if the provider still reads it. */
    private int post(OfiPeer peer, Slot slot) {
        writeHead(slot.address, peer, peer.sent, peer.received);
        boolean isInjected = slot.used <= engine.provider.injected();
        long code = isInjected ? engine.inject(peer.address, slot.address, slot.used)
                : mayPost() ? engine.send(peer.address, slot.address, slot.used, slot.desc, slot.context)
                : -Abi.FI_EAGAIN;
        if ((int) code == 0) {
            peer.posted(slot.used, !slot.isEmpty());
            if (!isInjected) {
                slot.peer = peer;
                outstanding++;
            }
        }
        return (int) code;
    }

    /** Whether the provider may be given one more operation. */
    boolean mayPost() {
        return outstanding + (work == null ? 0 : work.pending()) < mostOutstanding;
    }

    /** The provider was given an operation that is no message. */
    void posted() {
        outstanding++;
    }

    /** Sends a message without records: how much was taken. */
    void acknowledge(OfiPeer peer) {
        if (peer.isGone() || peer.failure != null || peer.head != null || !peer.canNumber()) {
            return;
        }
        if (peer.open != null && !peer.open.isEmpty()) {
            soil(peer);
            return;
        }
        Slot slot = slots.take(0, false);
        if (slot != null) {
            int code = post(peer, slot);
            if (slot.peer == null) {
                slots.give(slot);
            }
            if (code != 0) {
                refused(peer, code);
            }
        }
    }

    /** The way to a peer is broken, unless it turns out to have left. */
    void fail(OfiPeer peer, String what, int code) {
        watch.fail(peer, what, code);
    }

    private void flush() {
        for (int i = busy.size() - 1; i >= 0; i--) {
            OfiPeer peer = busy.get(i);
            if (!peer.isGone() && peer.errands.run()) {
                soil(peer);
            }
            if (peer.isGone() || peer.errands.isEmpty()) {
                peer.isBusy = false;
                busy.set(i, busy.getLast());
                busy.removeLast();
            }
        }
        for (int i = dirty.size() - 1; i >= 0; i--) {
            OfiPeer peer = dirty.get(i);
            if (peer.open != null && !peer.open.isEmpty() && !peer.isHeld) {
                peer.seal();
            }
            post(peer);
            if (peer.head == null && (peer.open == null || peer.open.isEmpty() || !peer.isHeld)) {
                peer.isDirty = false;
                dirty.set(i, dirty.getLast());
                dirty.removeLast();
            }
        }
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        polls++;
        if (!dirty.isEmpty() || !busy.isEmpty()) {
            flush();
        }
        harvest();
        if (!accesses.isIdle()) {
            accesses.post();
        }
        if (work != null) {
            work.progress();
        }
        inbox.post();
        tags.flush();
        if (arrivals.isEmpty() && tags.isEmpty()) {
            return 0;
        }
        isPolling = true;
        int work;
        try {
            work = arrivals.deliver(sink, limit, polls) + tags.deliver();
        } finally {
            isPolling = false;
        }
        inbox.post();
        if (!dirty.isEmpty() || !busy.isEmpty()) {
            flush();
        }
        return work;
    }

    /** Goes on with what waits for the provider. */
    void progress() {
        harvest();
        if (!accesses.isIdle()) {
            accesses.post();
        }
        if (!dirty.isEmpty() || !busy.isEmpty()) {
            flush();
        }
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        return poll(sink, limit);
    }

    /** Reads completions. Messages that have come wait in the inbox. */
    private void harvest() {
        for (int batch = 0; batch < BATCHES; batch++) {
            int count = engine.readCompletions(Engine.BATCH);
            for (int i = 0; i < count; i++) {
                long entry = engine.entries + (long) i * Abi.ENTRY;
                long context = Raw.word(entry + Abi.ENTRY_CONTEXT);
                if (inbox.has(context)) {
                    inbox.arrived(context, Raw.word(entry + Abi.ENTRY_FLAGS), Raw.word(entry + Abi.ENTRY_BUF),
                            Raw.word(entry + Abi.ENTRY_LEN));
                } else if (tags.has(context)) {
                    tags.completed(context, Raw.word(entry + Abi.ENTRY_LEN), 0);
                } else {
                    completed(context, 0);
                }
            }
            if (count == -Abi.FI_EAVAIL) {
                readFailure();
            } else if (count < Engine.BATCH) {
                break;
            }
        }
    }

    private void completed(long context, int code) {
        Slot slot = slots.of(context);
        if (slot != null && slot.peer != null) {
            outstanding--;
            OfiPeer peer = slot.peer;
            slots.give(slot);
            if (code != 0) {
                fail(peer, "sending", code);
            }
        } else if (accesses.has(context)) {
            outstanding--;
            accesses.completed(context, code);
        }
    }

    private void readFailure() {
        if (engine.readFailure() < 0) {
            return;
        }
        long context = Raw.word(engine.failure + Abi.ENTRY_CONTEXT);
        int code = Raw.half(engine.failure + Abi.ERROR_ERR);
        if (inbox.has(context)) {
            // A buffer that was cancelled; or a message that was too long, or whose sender has died.
            if (code == Abi.FI_ECANCELED && isClosed) {
                inbox.cancelled(context);
            } else {
                inbox.arrived(context, Raw.word(engine.failure + Abi.ENTRY_FLAGS), 0, 0);
            }
        } else if (tags.has(context)) {
            tags.completed(context, 0, code);
        } else {
            completed(context, code);
        }
    }

    /** A peer is lost, or has closed its world. */
    void gone(OfiPeer peer) {
        peer.drop(slots);
        peer.forgive();
        arrivals.gone(peer);
        accesses.gone(peer);
    }

    /** Whether peers have acknowledged all that was committed. */
    boolean isAtRest() {
        if (!tags.isFlushed()) {
            return false;
        }
        for (OfiPeer peer : known) {
            boolean isOpen = peer.open != null && !peer.open.isEmpty();
            if (!peer.isGone() && (peer.isAwaited() || isOpen || !peer.errands.isEmpty())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public SharedMemory memory() {
        return memory;
    }

    @Override
    public PeerMemory peerMemory() {
        return ELSEWHERE;
    }

    @Override
    public RemoteMemory remoteMemory() {
        return accesses.isThere() ? accesses : RemoteMemory.NONE;
    }

    /** Asked for by the first work program: an attempt shows what the provider takes. */
    @Override
    public TriggeredWork triggeredWork() {
        if (triggered == null) {
            String obstacle = OfiWork.obstacleOf(engine);
            work = obstacle == null ? new OfiWork(this, engine) : null;
            triggered = obstacle == null ? work : new NoTriggeredWork(obstacle);
        }
        return triggered;
    }

    @Override
    public TagMatcher tagMatcher() {
        return tags;
    }

    @Override
    public int pollCost() {
        return POLL_COST;
    }

    @Override
    public boolean mayHaveFrames() {
        return !arrivals.isEmpty() || !tags.isEmpty()
                || !dirty.isEmpty() || !busy.isEmpty() || ++guesses % GUESSES == 0;
    }

    @Override
    public void rest() {
        if (!dirty.isEmpty() || !busy.isEmpty()) {
            flush();
        }
        arrivals.acknowledge();
    }

    @Override
    public PeerLost advance(long nowNs) {
        progress();
        return watch.advance(nowNs);
    }

    @Override
    public long nextDeadline() {
        return watch.nextDeadline();
    }

    @Override
    public void dismiss(int rank) {
        watch.dismiss(peer(rank));
    }

    /** Says goodbye to all peers, once they have what was sent to them or do not take it in time. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        if (work != null) {
            work.withdraw();
        }
        tags.hush();
        new Closing(this, watch, config.closingNs()).run();
        isClosed = true;
        inbox.cancel();
        tags.end();
        for (int i = 0; i < BATCHES && !inbox.isCancelled(); i++) {
            harvest();
        }
        if (!engine.provider.needs(Abi.FI_MR_ENDPOINT)) {
            engine.closeEndpoint();
        }
        if (work != null) {
            work.close();
        }
        accesses.close();
        slots.close();
        inbox.close();
        tags.close();
        engine.close();
        memory.close();
        arena.close();
    }
}
