package io.rankwire.sim;

import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig.Truncation;
import io.rankwire.device.Hardware;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.QueueHints;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.OutOfReach;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.PrivateMemory;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.sim.match.MatcherConfig;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * A rank's place on a simulated fabric, and the modelled hardware of the rank's device. It has a clock of its own: the
 * driver of the device may be ahead of the last event by what its own work takes.
 */
public final class SimPort implements Port, Hardware {
    private static final PeerMemory ELSEWHERE = new OutOfReach("the memory of a simulated peer is elsewhere");

    private final SimFabric fabric;
    /** Its number among the ports of all jobs, and that of the first port of its job: the application id. */
    private final int self;
    private final int first;
    private final int job;
    private final PrivateMemory memory;
    private final Interference interference;
    private final FrameQueue arrived;
    private long waitingBytes;
    private boolean refused;
    /** Whether software waits until all that was sent has left. */
    private boolean awaitsDeparture;
    private boolean hostCalls = true;
    private boolean hostDrives;
    private boolean madePut;
    private long hostPs;
    private long hostPutPs;
    /** What the host's processor owes for copies, until when it is busy with them, and when it has a turn for that. */
    private long copiesPs;
    private long busyUntilPs;
    private long freeTurnPs = -1;
    private int claimed = -1;
    private long clockPs;
    /** What a frame costs the driver, and what the driver owes for frames before. */
    private long framePs;
    private long takePs;
    private long debtPs;
    private long taken;
    private boolean held;
    private long shown;
    /** Asked before a frame leaves, for what its sender has worked meanwhile; may be null. */
    private LongSupplier work;
    /** How much later than it should a frame goes; may be null. */
    private LongSupplier delay;
    /** What matching takes; null where it takes nothing. */
    private MatchTimer timer;
    /** Where messages wait for their match; null if that is in the fabric. */
    private MatchedPort matcher;
    private long timers;
    private int current = -1;
    private final EntryCache cache = new EntryCache();
    /** Calls on the combining tree that have ended since the device last looked. */
    private int treeEnds;

    SimPort(SimFabric fabric, int self) {
        this.fabric = fabric;
        this.self = self;
        this.job = fabric.placement().job(self);
        this.first = fabric.placement().first(job);
        this.interference = fabric.interference();
        this.memory = interference == null ? new PrivateMemory(self()) : new ScarceMemory();
        this.arrived = new FrameQueue(fabric.frames);
    }

    /** The time of this device's driver. */
    public long clockPs() {
        return Math.max(clockPs, fabric.events.now());
    }

    /** The driver works for {@code ps} picoseconds. */
    public void spend(long ps) {
        clockPs = clockPs() + ps;
    }

    /** Sets the clock of another driver, which drives from now on. */
    public void clockPs(long ps) {
        clockPs = ps;
    }

    /** Sets what each frame that leaves, and each that is taken, costs the driver from now on; is it the host? */
    public void costs(long perFrameOut, long perFrameIn, boolean byHost) {
        hostDrives = byHost;
        framePs = perFrameOut;
        takePs = perFrameIn;
    }

    /** Sets what the driver owes; it pays with the next frame or by {@link #pay}. */
    public void owe(long ps) {
        debtPs = ps;
    }

    public void pay() {
        spend(debtPs + copiesPs);
        debtPs = 0;
        copiesPs = 0;
    }

    /** What the driver has worked since the last question, asked before a frame leaves. */
    public void workBefore(LongSupplier ps) {
        work = ps;
    }

    /** How much later than its device is ready each frame goes. */
    public void delays(LongSupplier ps) {
        delay = ps;
    }

    /**
     * The port of a device on this hardware, over a layer that puts the frames of this port in order; or over this port
     * itself.
     */
    public Port matching(Port layer) {
        if (layer == this) {
            return this;
        }
        matcher = new MatchedPort(layer, fabric, this);
        return matcher;
    }

    /** Frames that were taken so far. */
    public long taken() {
        return taken;
    }

    /** Receives that have shown so far what they had met. */
    public long shown() {
        return shown;
    }

    /** The message of a frame is held back for its match: the frame counts as taken when that is over. */
    void hold() {
        held = true;
    }

    /** The device has got a frame that this port has not handed over. */
    public void take() {
        taken++;
    }

    /** The driver reads what has come for a layer above this port. */
    public void read() {
        spend(takePs);
    }

    /** The driver hands something over to the hardware, and pays for it; returns when that leaves. */
    long leaves() {
        if (work != null) {
            spend(work.getAsLong());
        }
        if (framePs + debtPs != 0) {
            spend(framePs + debtPs);
            debtPs = 0;
        }
        if (hostDrives && copiesPs != 0) {
            spend(copiesPs);
            copiesPs = 0;
        }
        return delay == null ? clockPs() : clockPs() + delay.getAsLong();
    }

    /** Sends a frame in the name of this rank's system, which needs no room. */
    public void signal(int peer, int meta, long header, MemorySegment payload, long at) {
        Frames frames = fabric.frames;
        int bytes = (int) payload.byteSize();
        int frame = frames.take(bytes);
        MemorySegment.copy(payload, 0, frames.memory(frame), frames.offset(frame), bytes);
        frames.fill(frame, self, number(peer), meta, header, bytes);
        waitingBytes += bytes;
        fabric.send(frame, at);
    }

    /** Whether a claim of this many bytes would find room. */
    public boolean hasRoom(int payloadBytes) {
        return waitingBytes + payloadBytes <= fabric.model.injectionBytes();
    }

    @Override
    public DeviceConfig sized(DeviceConfig config) {
        DeviceModel model = fabric.model;
        DeviceConfig sized = model.headers() == 0 ? config : config.withHeaders(
                Math.min(config.headers(), model.headers()), model.headers(), model.overflow());
        sized = model.overflow() == Overflow.REFUSE ? sized.withRetries(model.policies().retries()) : sized;
        sized = model.limits().rendezvousBytes() == 0 ? sized
                : sized.withLarge(sized.large(), model.limits().rendezvousBytes());
        sized = model.policies().truncation() == Truncation.REFUSE ? sized.withTruncation(Truncation.REFUSE) : sized;
        sized = model.unexpectedBytes() == 0 ? sized : sized.withUnexpectedBytes(model.unexpectedBytes());
        MatcherConfig matcher = model.matcher();
        if (matcher != null) {
            QueueHints each = config.hints();
            sized = sized.withWords(matcher.words()).withHints(new QueueHints(Math.max(each.receives(),
                    matcher.receives()), Math.max(each.messages(), matcher.messages()), each.by(), each.queues()));
        }
        return model.divided() == null ? sized : sized.withSplit(model.divided());
    }

    /**
     * The device is driven while the host is inside a call, or is not.
     *
     * @param ps the host's clock
     * @param putPs what it needs to make a put of a large message
     */
    public void host(boolean calls, long ps, long putPs) {
        hostCalls = calls;
        hostPs = ps;
        hostPutPs = putPs;
        madePut = false;
    }

    @Override
    public long unsentBytes() {
        return waitingBytes;
    }

    @Override
    public void hostCopies(long bytes) {
        long ps = fabric.hostCopyPs(bytes);
        copiesPs += ps;
        busyUntilPs = Math.max(busyUntilPs, Math.max(fabric.events.now(), hostPs)) + ps;
    }

    @Override
    public boolean hostIsFree() {
        if (busyUntilPs <= fabric.events.now()) {
            return true;
        }
        if (freeTurnPs != busyUntilPs) {
            freeTurnPs = busyUntilPs;
            fabric.wake(self, busyUntilPs);
        }
        return false;
    }

    @Override
    public boolean hostIsInside() {
        return hostCalls;
    }

    @Override
    public void wake(int rank) {
        fabric.wake(number(rank), fabric.events.now());
    }

    /** When the host's processor is done with what it copies. */
    long busyUntilPs() {
        return busyUntilPs;
    }

    /** Whether the host has made a put since then, up to the time that this port's clock shows. */
    public boolean madePut() {
        return madePut;
    }

    @Override
    public boolean makesPut() {
        if (!hostCalls) {
            return false;
        }
        if (waitingBytes > 0) {
            awaitsDeparture = true;
            return false;
        }
        clockPs = Math.max(clockPs(), hostPs) + hostPutPs;
        madePut = true;
        return true;
    }

    @Override
    public void combined(long bytes) {
        spend(bytes * fabric.model.combinePsPerKib() + 1023 >> 10);
    }

    @Override
    public void copied(long bytes) {
        spend(copyPs(bytes));
    }

    /** What moving bytes between host memory and the device takes. */
    long copyPs(long bytes) {
        return bytes * fabric.model.copyPsPerKib() + 1023 >> 10;
    }

    @Override
    public CombiningNetwork tree() {
        return fabric.tree() == null ? null : fabric.tree().of(this);
    }

    @Override
    public void entry(long entry) {
        EntryModel model = fabric.model.entries();
        if (model.costs()) {
            boolean fetched = model.cached() != 0 && !cache.contains(entry, model.cached());
            spend(model.entryPs() + (fetched ? model.fetchPs() : 0));
        }
    }

    @Override
    public MatchWatch watch() {
        if (timer != null) {
            timer.end();
        }
        timer = fabric.match() ? new MatchTimer(fabric, this, ++timers) : null;
        return timer;
    }

    MatchTimer timer() {
        return timer;
    }

    /** Where messages wait for their match behind a layer; null if they wait in the fabric. */
    MatchedPort matcher() {
        return matcher;
    }

    /** The frame that is being taken by the device, or -1. */
    int current() {
        return current;
    }

    /** What a receive has met is to show; false if its device is no more. */
    boolean met(int number, long generation) {
        boolean is = timer != null && timer.generation() == generation;
        if (is) {
            timer.metIsDue(number);
        }
        return is;
    }

    @Override
    public int self() {
        return self - first;
    }

    /** Its number among the ports of all jobs. */
    int number() {
        return self;
    }

    /** The number of the port of another rank of its job. */
    int number(int rank) {
        return first + rank;
    }

    @Override
    public int peers() {
        return fabric.placement().size(job);
    }

    @Override
    public PortTraits traits() {
        boolean good = interference == null || !interference.isLossy();
        return new PortTraits(fabric.model.maxPayload(), good, good);
    }

    @Override
    public Outlet outlet(int peer) {
        assert peer != self();
        return new Way(number(peer));
    }

    /** Reads what the port will need for a frame that comes; the result means nothing. */
    long touch() {
        return arrived.first() + waitingBytes;
    }

    void arrived(int frame) {
        fabric.arrived(job);
        arrived.add(frame);
    }

    /** Takes bytes off those that wait; returns whether the device was refused room before and should look again. */
    boolean left(int bytes) {
        waitingBytes -= bytes;
        boolean was = refused || awaitsDeparture && waitingBytes == 0;
        refused = false;
        awaitsDeparture &= waitingBytes > 0;
        return was;
    }

    /** A call on the combining tree has ended here. */
    void ended() {
        treeEnds++;
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        int met = matcher == null ? showMet() : 0;
        int work = treeEnds;
        for (; treeEnds > 0; treeEnds--) {
            spend(takePs);
            taken++;
        }
        while (!arrived.isEmpty() && work < limit) {
            int frame = arrived.take();
            work++;
            if (takePs != 0) {
                spend(takePs);
            }
            held = false;
            hand(frame, sink);
            taken += held ? 0 : 1;
        }
        return work + met;
    }

    void hand(int frame, FrameSink sink) {
        Frames frames = fabric.frames;
        int outer = current;
        current = frame;
        try {
            sink.frame(frames.from(frame) - first, frames.meta(frame), frames.header(frame), frames.memory(frame),
                    frames.offset(frame), frames.bytes(frame));
        } finally {
            current = outer;
            frames.give(frame);
        }
    }

    /** Shows the receives whose match is due; returns how many. */
    int showMet() {
        int met = timer == null || !timer.hasDue() ? 0 : timer.showDue();
        shown += met;
        return met;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        return poll(sink, limit);
    }

    @Override
    public SharedMemory memory() {
        return memory;
    }

    @Override
    public SharedMemory messageMemory() {
        return new NodeMemory();
    }

    @Override
    public PeerMemory peerMemory() {
        return ELSEWHERE;
    }

    @Override
    public boolean mayHaveFrames() {
        return !arrived.isEmpty() || timer != null && timer.hasDue() || treeEnds > 0;
    }

    @Override
    public void rest() {}

    @Override
    public void close() {
        memory.close();
    }

    /** The memory of the ranks of this node, as far as large messages go; not where ranks may be killed. */
    private final class NodeMemory implements SharedMemory {
        @Override
        public Shared allocate(long bytes) {
            return memory.allocate(bytes);
        }

        @Override
        public void free(Shared shared) {
            memory.free(shared);
        }

        @Override
        public Shared find(MemorySegment segment, long offset, long bytes) {
            return memory.find(segment, offset, bytes);
        }

        @Override
        public MemorySegment peer(int rank, long id) {
            return reaches(rank) ? fabric.port(number(rank)).memory.peer(rank, id) : null;
        }

        @Override
        public boolean reaches(int rank) {
            return interference == null && fabric.node(number(rank)) == fabric.node(self);
        }

        @Override
        public MemorySegment common(long key, long bytes) {
            return null;
        }

        @Override
        public void endCommon(long key) {}
    }

    /** Memory of which an allocation may find too little although there is enough. */
    private final class ScarceMemory extends PrivateMemory {
        ScarceMemory() {
            super(SimPort.this.self());
        }

        @Override
        public Shared allocate(long bytes) {
            if (interference.hasNoMemory(self, bytes)) {
                throw new FabricException("no memory for " + bytes + " bytes", null);
            }
            return super.allocate(bytes);
        }
    }

    /** The way to a peer. A frame that was claimed and not committed is used for the next claim. */
    private final class Way implements Outlet {
        private final int peer;

        Way(int peer) {
            this.peer = peer;
        }

        @Override
        public MemorySegment memory() {
            return fabric.frames.memory(claimed);
        }

        @Override
        public long claim(int payloadBytes) {
            if (!hasRoom(payloadBytes)) {
                refused = true;
                return FULL;
            }
            if (interference != null && interference.refuses(self, peer, payloadBytes)) {
                return FULL;
            }
            int room = Math.min(payloadBytes, fabric.model.maxPayload());
            if (claimed >= 0 && !fabric.frames.fits(claimed, room)) {
                fabric.frames.give(claimed);
                claimed = -1;
            }
            if (claimed < 0) {
                claimed = fabric.frames.take(room);
            }
            return fabric.frames.offset(claimed);
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            int frame = claimed;
            claimed = -1;
            fabric.frames.fill(frame, self, peer, meta, header, payloadBytes);
            waitingBytes += payloadBytes;
            fabric.send(frame, leaves());
        }
    }
}
