package io.rankwire.device.flow;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A fabric in virtual time that treats frames as badly as it was told to. */
public final class LossyNet {
    /** Parts of ten thousand frames that meet each fate. */
    public static final class Faults {
        public int drop;
        public int duplicate;
        public int corrupt;
        public int truncate;
        public int misroute;
        /** Claims that find no room. */
        public int full;
        /** Frames of which a copy is kept, to come again whenever. */
        public int keep;
        /** Polls at which a kept copy comes. */
        public int haunt;
        public int minDelay = 1_000;
        public int maxDelay = 1_000;
    }

    private record Flight(long at, long id, int from, int to, int meta, long header, byte[] payload) {}

    public final Faults faults = new Faults();
    public long now;
    private final Rand rand;
    private final int ranks;
    private final int maxPayload;
    private final LocalFabric memory;
    private final List<PriorityQueue<Flight>> flights = new ArrayList<>();
    private final List<Flight> attic = new ArrayList<>();
    private final boolean[] cut;
    private long ids;

    public LossyNet(Rand rand, int ranks, int maxPayload) {
        this.rand = rand;
        this.ranks = ranks;
        this.maxPayload = maxPayload;
        this.memory = new LocalFabric(ranks);
        this.cut = new boolean[ranks * ranks];
        for (int rank = 0; rank < ranks; rank++) {
            flights.add(new PriorityQueue<>(Comparator.comparingLong(Flight::at).thenComparingLong(Flight::id)));
        }
    }

    public Port open(int rank) {
        return new LossyPort(rank);
    }

    /** Frames one way get lost from now on, all of them, or no more. */
    public void cut(int from, int to, boolean now) {
        cut[from * ranks + to] = now;
    }

    /** When the next frame arrives anywhere; without an end if none is under way. */
    public long nextArrival() {
        long first = Long.MAX_VALUE;
        for (PriorityQueue<Flight> queue : flights) {
            first = queue.isEmpty() ? first : Math.min(first, queue.peek().at);
        }
        return first;
    }

    /** Lets everything that was ever kept arrive once more, now. */
    public void hauntWithAll() {
        for (Flight flight : attic) {
            add(flight, flight.to, now);
        }
    }

    private void send(Flight flight) {
        if (rand.chance(faults.keep, 10_000)) {
            if (attic.size() < 500) {
                attic.add(flight);
            } else {
                attic.set(rand.below(attic.size()), flight);
            }
        }
        if (cut[flight.from * ranks + flight.to] || rand.chance(faults.drop, 10_000)) {
            return;
        }
        add(rand.chance(faults.corrupt, 10_000) ? corrupted(flight) : flight, flight.to, arrival());
        if (rand.chance(faults.duplicate, 10_000)) {
            add(flight, flight.to, arrival());
        }
        if (rand.chance(faults.misroute, 10_000)) {
            add(flight, rand.below(ranks), arrival());
        }
        if (rand.chance(faults.truncate, 10_000)) {
            byte[] less = new byte[rand.below(flight.payload.length + 1)];
            System.arraycopy(flight.payload, 0, less, 0, less.length);
            add(new Flight(0, 0, flight.from, flight.to, flight.meta, flight.header, less), flight.to, arrival());
        }
    }

    private long arrival() {
        return now + rand.between(faults.minDelay, faults.maxDelay);
    }

    private Flight corrupted(Flight flight) {
        int bit = rand.below(16 + 64 + 8 * flight.payload.length);
        int meta = flight.meta;
        long header = flight.header;
        byte[] payload = flight.payload.clone();
        if (bit < 16) {
            meta ^= 1 << bit;
        } else if (bit < 80) {
            header ^= 1L << bit - 16;
        } else {
            payload[bit - 80 >>> 3] ^= (byte) (1 << (bit & 7));
        }
        return new Flight(0, 0, flight.from, flight.to, meta, header, payload);
    }

    private void add(Flight flight, int to, long at) {
        flights.get(to).add(new Flight(at, ids++, flight.from, to, flight.meta, flight.header, flight.payload));
    }

    private final class LossyPort implements Port {
        private final int self;
        private final Port local;
        private final MemorySegment scratch = Arena.ofAuto().allocate(maxPayload + 16, 8);
        private final MemorySegment arrived = Arena.ofAuto().allocate(maxPayload + 16, 8);

        LossyPort(int self) {
            this.self = self;
            this.local = memory.open(self);
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public int peers() {
            return ranks;
        }

        @Override
        public PortTraits traits() {
            return new PortTraits(maxPayload, false, false);
        }

        @Override
        public Outlet outlet(int peer) {
            return new Outlet() {
                @Override
                public MemorySegment memory() {
                    return scratch;
                }

                @Override
                public long claim(int payloadBytes) {
                    assert payloadBytes <= maxPayload;
                    return rand.chance(faults.full, 10_000) ? FULL : 8;
                }

                @Override
                public void commit(long at, int payloadBytes, int meta, long header) {
                    byte[] payload = scratch.asSlice(at, payloadBytes).toArray(ValueLayout.JAVA_BYTE);
                    send(new Flight(0, 0, self, peer, meta, header, payload));
                }
            };
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            if (!attic.isEmpty() && rand.chance(faults.haunt, 10_000)) {
                Flight ghost = attic.get(rand.below(attic.size()));
                add(ghost, ghost.to, now);
            }
            PriorityQueue<Flight> queue = flights.get(self);
            int frames = 0;
            while (frames < limit && !queue.isEmpty() && queue.peek().at <= now) {
                Flight flight = queue.poll();
                arrived.fill((byte) 0x5A);
                MemorySegment.copy(flight.payload, 0, arrived, ValueLayout.JAVA_BYTE, 8, flight.payload.length);
                sink.frame(flight.from, flight.meta, flight.header, arrived, 8, flight.payload.length);
                frames++;
            }
            return frames;
        }

        @Override
        public int pollAll(FrameSink sink, int limit) {
            return poll(sink, limit);
        }

        @Override
        public SharedMemory memory() {
            return local.memory();
        }

        @Override
        public PeerMemory peerMemory() {
            return local.peerMemory();
        }

        @Override
        public boolean mayHaveFrames() {
            return !flights.get(self).isEmpty() && flights.get(self).peek().at <= now;
        }

        @Override
        public void rest() {}

        @Override
        public void close() {}
    }
}
