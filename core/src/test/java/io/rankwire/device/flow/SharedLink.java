package io.rankwire.device.flow;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A network in virtual time: frames to ranks of the same half go by one link, each direction with a rate, a queue that
 * drops what does not fit, a delay, and a loss that has nothing to do with the traffic.
 */
final class SharedLink {
    static final int PAYLOAD = 1_400;
    /** Bytes of a frame on the wire beside its payload. */
    static final int HEADERS = 60;

    /** One direction. */
    final class Direction {
        double bytesPerNs;
        int queueBytes;
        long delayNs;
        private double freeAt;
        long dropped;

        /** When a frame that is sent now arrives, or -1 if the queue is full. */
        long arrival(int bytes) {
            if ((freeAt - now) * bytesPerNs + bytes > queueBytes) {
                dropped++;
                return -1;
            }
            freeAt = Math.max(freeAt, now) + bytes / bytesPerNs;
            return (long) freeAt + delayNs;
        }
    }

    private record Flight(long at, long id, int from, int meta, long header, byte[] payload) {}

    final Direction there = new Direction();
    final Direction back = new Direction();
    final int ranks;
    /** How many of ten thousand frames are lost behind the link. */
    int loss;
    /** Frames that a rank keeps until it polls. */
    int room = Integer.MAX_VALUE;
    long overrun;
    /** Frames sent by each rank. */
    final long[] sent;
    long now;
    private final Rand rand;
    private final List<PriorityQueue<Flight>> flights = new ArrayList<>();
    private long ids;

    /** The first half of the ranks is on one side of the link. */
    SharedLink(Rand rand, int ranks, double bytesPerNs, long roundTripNs, int queueBytes) {
        this.rand = rand;
        this.ranks = ranks;
        this.sent = new long[ranks];
        for (Direction direction : List.of(there, back)) {
            direction.bytesPerNs = bytesPerNs;
            direction.queueBytes = queueBytes;
            direction.delayNs = roundTripNs / 2;
        }
        for (int rank = 0; rank < ranks; rank++) {
            flights.add(new PriorityQueue<>(Comparator.comparingLong(Flight::at).thenComparingLong(Flight::id)));
        }
    }

    Port open(int rank) {
        return new LinkPort(rank);
    }

    long nextArrival(int rank) {
        return flights.get(rank).isEmpty() ? Long.MAX_VALUE : flights.get(rank).peek().at;
    }

    private void send(int from, int to, int meta, long header, byte[] payload) {
        sent[from]++;
        Direction direction = from < ranks / 2 ? there : back;
        long at = direction.arrival(payload.length + HEADERS);
        if (at >= 0 && !rand.chance(loss, 10_000)) {
            flights.get(to).add(new Flight(at, ids++, from, meta, header, payload));
        }
    }

    /** Drops what has come to a rank and has no room there. */
    private void overrun(int rank) {
        PriorityQueue<Flight> queue = flights.get(rank);
        if (queue.size() <= room) {
            return;
        }
        List<Flight> kept = new ArrayList<>();
        while (!queue.isEmpty() && queue.peek().at <= now) {
            Flight flight = queue.poll();
            if (kept.size() < room) {
                kept.add(flight);
            } else {
                overrun++;
            }
        }
        queue.addAll(kept);
    }

    private final class LinkPort implements Port {
        private final int self;
        private final MemorySegment scratch = Arena.ofAuto().allocate(PAYLOAD, 8);
        private final MemorySegment arrived = Arena.ofAuto().allocate(PAYLOAD, 8);

        LinkPort(int self) {
            this.self = self;
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
            return new PortTraits(PAYLOAD, false, false);
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
                    return 0;
                }

                @Override
                public void commit(long at, int payloadBytes, int meta, long header) {
                    send(self, peer, meta, header, scratch.asSlice(0, payloadBytes).toArray(ValueLayout.JAVA_BYTE));
                }
            };
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            overrun(self);
            PriorityQueue<Flight> queue = flights.get(self);
            int frames = 0;
            while (frames < limit && !queue.isEmpty() && queue.peek().at <= now) {
                Flight flight = queue.poll();
                MemorySegment.copy(flight.payload, 0, arrived, ValueLayout.JAVA_BYTE, 0, flight.payload.length);
                sink.frame(flight.from, flight.meta, flight.header, arrived, 0, flight.payload.length);
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
            throw new UnsupportedOperationException();
        }

        @Override
        public PeerMemory peerMemory() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean mayHaveFrames() {
            return nextArrival(self) <= now;
        }

        @Override
        public void rest() {}

        @Override
        public void close() {}
    }
}
