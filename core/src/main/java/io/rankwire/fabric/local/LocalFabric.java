package io.rankwire.fabric.local;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.RingPort;
import io.rankwire.fabric.Rings;
import io.rankwire.memory.RingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The fabric of one JVM. Its memory goes with the last port that is still reachable. */
public final class LocalFabric {
    private static final int ALIGNMENT = 128;

    private final int ranks;
    private final int ringLines;
    private final AtomicReferenceArray<MemorySegment> rings;
    private final MemorySegment[] bells;

    public LocalFabric(int ranks) {
        this(ranks, RingPort.ringLines(ranks));
    }

    public LocalFabric(int ranks, int ringLines) {
        this.ranks = ranks;
        this.ringLines = ringLines;
        this.rings = new AtomicReferenceArray<>(ranks * ranks);
        this.bells = new MemorySegment[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            bells[rank] = Arena.ofAuto().allocate(RingPort.bellBytes(ranks), ALIGNMENT);
        }
    }

    public Port open(int rank) {
        return new RingPort(rank, ranks, ringLines, new LocalRings(rank));
    }

    private MemorySegment ring(int from, int to) {
        int at = from * ranks + to;
        if (rings.get(at) == null) {
            rings.compareAndSet(at, null, Arena.ofAuto().allocate(RingLayout.bytes(ringLines), ALIGNMENT));
        }
        return rings.get(at);
    }

    private final class LocalRings implements Rings {
        private final int rank;

        LocalRings(int rank) {
            this.rank = rank;
        }

        @Override
        public MemorySegment outbound(int peer) {
            return ring(rank, peer);
        }

        @Override
        public MemorySegment inbound(int peer) {
            return ring(peer, rank);
        }

        @Override
        public MemorySegment bells(int peer) {
            return bells[peer];
        }

        @Override
        public void close() {
            // a ring outlives its writer: frames in it may not have been read
        }
    }
}
