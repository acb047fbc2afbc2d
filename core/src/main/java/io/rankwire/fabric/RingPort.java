package io.rankwire.fabric;

import io.rankwire.memory.RingLayout;
import io.rankwire.memory.RingReader;
import io.rankwire.memory.RingWriter;
import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A port over line rings, one a direction and pair, made at first use, and again after its writer has ended it. Only
 * awake peers are polled: one that stays silent while several others talk is put to sleep and rings its bell with its
 * next frame. A writer may miss that its reader fell asleep in the very same moment; so sleepers are looked at one by
 * one every few thousand polls, and all of them by {@link #pollAll}.
 */
public final class RingPort implements Port {
    /** This many peers stay awake however silent they are: a look at one costs about a nanosecond. */
    private static final int ALWAYS_AWAKE = 4;
    private static final int IDLE_POLLS = 2_000;
    private static final int BUSY_MASK = (1 << 6) - 1;
    private static final int IDLE_MASK = (1 << 10) - 1;

    private static final int LEAST_LINES = 8;
    /** In place of a ring that has ended, for a thread that looks at it just now. */
    private static final RingReader NO_RING =
            new RingReader(Arena.global().allocate(RingLayout.bytes(LEAST_LINES), RingLayout.LINE));

    private static final class Inlet {
        final int peer;
        RingReader ring;
        /** The peer's slab; null until a frame has come through it. */
        MemorySegment slab;
        int idle;
        boolean awake = true;

        Inlet(int peer, RingReader ring) {
            this.peer = peer;
            this.ring = ring;
        }
    }

    private final int self;
    private final Rings rings;
    private final Bells bells;
    private final RingOutlet[] outlets;
    private final Inlet[] inlets;
    private final PortTraits traits;
    private final int ringLines;
    private final int mostInRing;
    private final int chunkBytes;
    private Slab slab;
    private boolean hasNoSlab;

    private Inlet[] awake = new Inlet[4];
    private int awakeCount;
    private Inlet[] known = new Inlet[4];
    private int knownCount;
    private int polls;
    private int nextSleeper;

    public RingPort(int self, int peers, int ringLines, Geometry geometry, Rings rings) {
        this.self = self;
        this.rings = rings;
        this.bells = new Bells(rings.bells(self), peers);
        this.outlets = new RingOutlet[peers];
        this.inlets = new Inlet[peers];
        this.traits = new PortTraits(Geometry.mostInFrame(ringLines), true, true);
        this.ringLines = ringLines;
        this.mostInRing = geometry.mostInRing();
        this.chunkBytes = Geometry.chunkBytes(ringLines);
    }

    /** Bytes of the bells of a fabric with {@code ranks} ranks. */
    public static long bellBytes(int ranks) {
        return Bells.bytes(ranks);
    }

    @Override
    public int self() {
        return self;
    }

    @Override
    public int peers() {
        return outlets.length;
    }

    @Override
    public PortTraits traits() {
        return traits;
    }

    @Override
    public Outlet outlet(int peer) {
        RingOutlet outlet = outlets[peer];
        return outlet != null ? outlet : open(peer);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        int work = 0;
        for (int i = 0; i < awakeCount; i++) {
            work += drain(awake[i], sink, limit);
        }
        if (work != 0) {
            return (++polls & BUSY_MASK) == 0 ? work + lookAround(sink, limit) : work;
        }
        return bells.rung() || (++polls & IDLE_MASK) == 0 ? lookAround(sink, limit) : 0;
    }

    /** What need not be done at every poll: it finds new peers, and those that woke up or fell silent. */
    private int lookAround(FrameSink sink, int limit) {
        int before = awakeCount;
        answerBells();
        int work = 0;
        for (int i = before; i < awakeCount; i++) {
            work += drain(awake[i], sink, limit);
        }
        if (knownCount > ALWAYS_AWAKE) {
            settleSleepers();
        }
        return work;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        int work = poll(sink, limit);
        for (int i = 0; i < knownCount; i++) {
            if (!known[i].awake) {
                work += drain(known[i], sink, limit);
            }
        }
        checkReports();
        return work;
    }

    /** A peer whose report of what it has read makes no sense would only seem to read nothing. */
    private void checkReports() {
        for (int peer = 0; peer < outlets.length; peer++) {
            String wrong = outlets[peer] == null ? null : outlets[peer].wrong();
            if (wrong != null) {
                throw new BadFrame(peer, "report of what it has read", wrong);
            }
        }
    }

    @Override
    public SharedMemory memory() {
        return rings.memory();
    }

    @Override
    public PeerMemory peerMemory() {
        return rings.peerMemory();
    }

    @Override
    public boolean mayHaveFrames() {
        // The arrays may be replaced and filled by the driver meanwhile.
        Inlet[] list = known;
        for (int i = 0; i < list.length && list[i] != null; i++) {
            if (list[i].ring.mayHaveFrame()) {
                return true;
            }
        }
        return bells.rung();
    }

    @Override
    public void rest() {
        for (int i = 0; i < awakeCount; i++) {
            awake[i].ring.publish();
        }
    }

    @Override
    public PeerLost advance(long nowNs) {
        if (slab != null) {
            slab.advance(nowNs);
        }
        return null;
    }

    @Override
    public boolean forget(int peer) {
        if (outlets[peer] != null && !outlets[peer].end(rings, peer)) {
            return false;
        }
        outlets[peer] = null;
        return true;
    }

    /** Bytes of the rings from and to this rank. */
    long ringBytes() {
        long rings = knownCount;
        for (RingOutlet outlet : outlets) {
            rings += outlet == null ? 0 : 1;
        }
        return rings * RingLayout.bytes(ringLines);
    }

    /** What the peer has written, and writes from now on, is not looked at again. */
    @Override
    public void dismiss(int peer) {
        outlets[peer] = null;
        RingReader empty = new RingReader(Arena.ofAuto().allocate(RingLayout.bytes(LEAST_LINES), RingLayout.LINE));
        if (inlets[peer] == null) {
            inlets[peer] = new Inlet(peer, empty);
        } else {
            inlets[peer].ring = empty;
        }
    }

    @Override
    public void close() {
        if (slab != null) {
            slab.close();
        }
        rings.close();
    }

    /** Most looks find nothing: the JIT shapes this method for that, and the one below for frames. */
    private int drain(Inlet inlet, FrameSink sink, int limit) {
        long word = inlet.ring.peek();
        if (word == 0) {
            inlet.idle++;
            return 0;
        }
        return drain(inlet, word, sink, limit);
    }

    private int drain(Inlet inlet, long first, FrameSink sink, int limit) {
        RingReader ring = inlet.ring;
        MemorySegment memory = ring.memory();
        int work = 0;
        long word = first;
        do {
            if (RingLayout.bodies(word) != 0) {
                work += bodies(inlet, word, sink);
                continue;
            }
            if (RingLayout.isStaged(word)) {
                work++;
                staged(inlet, word, sink);
                if (inlet.ring != ring) {
                    return work;
                }
                continue;
            }
            if (!RingLayout.isOfOneLine(word)) {
                if (!ring.isWhole(word)) {
                    throw bad(inlet, word, ring.wrong(word));
                }
                ring.fetch(word);
            }
            int alike = ring.alike(word, limit - work);
            work += alike;
            if (alike > 1) {
                alike -= several(inlet, word, sink, alike);
            }
            for (; alike > 0; alike--) {
                long body = ring.body();
                long header = Words.load(memory, body);
                sink.frame(inlet.peer, RingLayout.meta(word), header, memory, body + 8, RingLayout.body(word) - 8);
                ring.advance(word);
            }
        } while (work < limit && (word = ring.peek()) != 0);
        inlet.idle = 0;
        return work;
    }

    /** Short frames in one line that differ in nothing but their payload. */
    private static int bodies(Inlet inlet, long word, FrameSink sink) {
        RingReader ring = inlet.ring;
        MemorySegment memory = ring.memory();
        if (!RingLayout.hasRoomForBodies(word)) {
            throw badBodies(inlet, word);
        }
        long header = Words.load(memory, ring.body());
        int bytes = RingLayout.body(word) - 8;
        int count = ring.bodiesLeft(word);
        int left = count;
        if (count > 1) {
            int taken = sink.frames(inlet.peer, RingLayout.meta(word), header, memory, ring.rest(word), bytes,
                    RingLayout.stride(RingLayout.body(word)), count);
            ring.take(word, taken);
            left -= taken;
        }
        for (; left > 0; left--) {
            sink.frame(inlet.peer, RingLayout.meta(word), header, memory, ring.rest(word), bytes);
            ring.take(word, 1);
        }
        return count;
    }

    /** A frame whose payload lies in the peer's slab. */
    private void staged(Inlet inlet, long word, FrameSink sink) {
        RingReader ring = inlet.ring;
        MemorySegment slab = inlet.slab;
        long place = ring.place();
        if (place < 0) {
            marked(inlet, word, place);
            return;
        }
        if (slab == null) {
            slab = rings.slab(inlet.peer);
            inlet.slab = slab;
        }
        MemorySegment memory = Words.reach(slab);
        long payload = Words.origin(slab) + place;
        int bytes = RingLayout.body(word) - 8;
        long chunk = place - RingOutlet.LEAD;
        if (Integer.compareUnsigned(bytes, traits.maxPayload()) > 0 || chunk < 0 || (chunk & chunkBytes - 1) != 0
                || chunk > slab.byteSize() - chunkBytes) {
            throw badPlace(inlet, word, place);
        }
        sink.frame(inlet.peer, RingLayout.meta(word), Words.load(ring.memory(), ring.body()), memory, payload, bytes);
        Slab.taken(memory, payload, bytes);
        ring.advanceStaged();
    }

    /** Not a frame, but a mark of the writer. */
    private void marked(Inlet inlet, long word, long mark) {
        if (mark != RingLayout.REPORT && mark != RingLayout.END) {
            throw bad(inlet, word, "mark " + mark + ", which means nothing");
        }
        inlet.ring.advanceStaged();
        if (mark == RingLayout.END) {
            MemorySegment next = rings.inbound(inlet.peer);
            if (next == null) {
                remove(inlet);
            } else {
                // Its bell may have been taken for one of the ring before.
                inlet.ring = new RingReader(next);
                if (!inlet.awake) {
                    wake(inlet);
                }
            }
        }
    }

    private void remove(Inlet inlet) {
        inlets[inlet.peer] = null;
        inlet.ring = NO_RING;
        if (inlet.awake) {
            awakeCount = remove(awake, awakeCount, inlet);
        }
        knownCount = remove(known, knownCount, inlet);
    }

    private static int remove(Inlet[] list, int count, Inlet inlet) {
        int at = Arrays.asList(list).indexOf(inlet);
        list[at] = list[count - 1];
        list[count - 1] = null;
        return count - 1;
    }

    private static BadFrame badBodies(Inlet inlet, long word) {
        return bad(inlet, word, RingLayout.bodies(word) + " bodies of " + RingLayout.body(word) + " bytes in one line");
    }

    private static BadFrame badPlace(Inlet inlet, long word, long place) {
        return bad(inlet, word, RingLayout.body(word) - RingLayout.WORD + " bytes at " + place + " of a slab of "
                + inlet.slab.byteSize() + " bytes");
    }

    private static BadFrame bad(Inlet inlet, long word, String wrong) {
        return new BadFrame(inlet.peer, "ring word 0x" + Long.toHexString(word), wrong);
    }

    private static int several(Inlet inlet, long word, FrameSink sink, int count) {
        RingReader ring = inlet.ring;
        long body = ring.body();
        int taken = sink.frames(inlet.peer, RingLayout.meta(word), Words.load(ring.memory(), body), ring.memory(),
                body + 8, RingLayout.body(word) - 8, RingLayout.LINE, count);
        ring.advance(word, taken);
        return taken;
    }

    private void answerBells() {
        int peer;
        while ((peer = bells.take()) >= 0) {
            Inlet inlet = inlets[peer];
            if (inlet == null && peer != self) {
                MemorySegment ring = rings.inbound(peer);
                if (ring == null) {
                    continue;
                }
                inlet = new Inlet(peer, new RingReader(ring));
                inlets[peer] = inlet;
                known = append(known, knownCount++, inlet);
                awake = append(awake, awakeCount++, inlet);
            } else if (inlet != null && !inlet.awake) {
                wake(inlet);
            }
        }
    }

    private void wake(Inlet inlet) {
        inlet.awake = true;
        inlet.idle = 0;
        inlet.ring.asleep(false);
        awake = append(awake, awakeCount++, inlet);
    }

    /** Puts silent peers to sleep, and looks at one that sleeps, in case its bell was missed. */
    private void settleSleepers() {
        for (int i = awakeCount - 1; i >= 0 && awakeCount > ALWAYS_AWAKE; i--) {
            Inlet inlet = awake[i];
            if (inlet.idle >= IDLE_POLLS) {
                inlet.ring.publish();
                inlet.ring.asleep(true);
                if (inlet.ring.peek() != 0) {
                    inlet.ring.asleep(false);
                    continue;
                }
                inlet.awake = false;
                awake[i] = awake[--awakeCount];
                awake[awakeCount] = null;
            }
        }
        Inlet sleeper = known[nextSleeper = (nextSleeper + 1) % knownCount];
        if (!sleeper.awake && sleeper.ring.peek() != 0) {
            wake(sleeper);
        }
    }

    private RingOutlet open(int peer) {
        assert peer != self;
        Bells theirs = new Bells(rings.bells(peer), peers());
        var outlet = new RingOutlet(new RingWriter(rings.outbound(peer)), theirs, self, peers() > ALWAYS_AWAKE + 1,
                mostInRing, this::slab);
        outlets[peer] = outlet;
        return outlet;
    }

    /** The slab of this rank, or null if there is no memory for one. */
    private Slab slab() {
        if (slab == null && !hasNoSlab) {
            try {
                slab = new Slab(rings, self, chunkBytes);
            } catch (FabricException noRoom) {
                hasNoSlab = true;
            }
        }
        return slab;
    }

    private static Inlet[] append(Inlet[] list, int count, Inlet inlet) {
        Inlet[] result = count < list.length ? list : Arrays.copyOf(list, 2 * count);
        result[count] = inlet;
        return result;
    }
}
