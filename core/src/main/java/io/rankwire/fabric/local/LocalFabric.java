package io.rankwire.fabric.local;

import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.OutOfReach;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RingPort;
import io.rankwire.fabric.Rings;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.memory.RingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The fabric of one JVM. Its rings go with the last port that is still reachable, its shared memory with this. */
public final class LocalFabric implements AutoCloseable {
    private static final int ALIGNMENT = 128;
    private static final PeerMemory NO_PROCESSES = new OutOfReach("ranks are threads of one process");

    private final int ranks;
    private final int ringLines;
    private final int slabBytes;
    private final Geometry geometry;
    private final AtomicReferenceArray<MemorySegment> rings;
    private final AtomicReferenceArray<MemorySegment> slabs;
    private final MemorySegment[] bells;
    private final AtomicReferenceArray<Shared[]> memory;
    private final Queue<LocalMemory> opened = new ConcurrentLinkedQueue<>();
    private final Map<Long, MemorySegment> commons = new ConcurrentHashMap<>();

    public LocalFabric(int ranks) {
        this(ranks, ranks, Geometry.DEFAULT);
    }

    /**
     * A fabric to which more ranks may come later.
     *
     * @param most how many ranks there may be
     * @param ranks the number of ranks for which rings and slabs are sized
     */
    public LocalFabric(int most, int ranks, Geometry geometry) {
        this(most, Geometry.ringLines(ranks), geometry.slabBytes(ranks), geometry);
    }

    public LocalFabric(int ranks, int ringLines) {
        this(ranks, ringLines, Geometry.DEFAULT.slabBytes(ranks), Geometry.DEFAULT);
    }

    private LocalFabric(int ranks, int ringLines, int slabBytes, Geometry geometry) {
        this.ranks = ranks;
        this.ringLines = ringLines;
        this.slabBytes = slabBytes;
        this.geometry = geometry;
        this.rings = new AtomicReferenceArray<>(ranks * ranks);
        this.slabs = new AtomicReferenceArray<>(ranks);
        this.bells = new MemorySegment[ranks];
        this.memory = new AtomicReferenceArray<>(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            bells[rank] = Arena.ofAuto().allocate(RingPort.bellBytes(ranks), ALIGNMENT);
        }
    }

    public Port open(int rank) {
        return new RingPort(rank, ranks, ringLines, geometry, new LocalRings(rank));
    }

    /** Frees what ranks that failed have left. All ranks have ended. */
    @Override
    public void close() {
        opened.forEach(LocalMemory::close);
    }

    /** Bytes of the rings that there are. */
    public long ringBytes() {
        long bytes = 0;
        for (int i = 0; i < rings.length(); i++) {
            bytes += rings.get(i) == null ? 0 : RingLayout.bytes(ringLines);
        }
        return bytes;
    }

    private MemorySegment ring(int from, int to) {
        int at = from * ranks + to;
        if (rings.get(at) == null) {
            rings.compareAndSet(at, null, Arena.ofAuto().allocate(RingLayout.bytes(ringLines), ALIGNMENT));
        }
        return rings.get(at);
    }

    private MemorySegment slab(int rank) {
        if (slabs.get(rank) == null) {
            slabs.compareAndSet(rank, null, Arena.ofAuto().allocate(slabBytes, Pages.ALIGNMENT));
        }
        return slabs.get(rank);
    }

    private final class LocalRings implements Rings {
        private final int rank;
        private final LocalMemory own;

        LocalRings(int rank) {
            this.rank = rank;
            this.own = new LocalMemory(memory, commons, rank);
            opened.add(own);
        }

        @Override
        public MemorySegment outbound(int peer) {
            return ring(rank, peer);
        }

        @Override
        public MemorySegment inbound(int peer) {
            return rings.get(peer * ranks + rank);
        }

        @Override
        public void end(int peer) {
            rings.set(rank * ranks + peer, null);
        }

        @Override
        public MemorySegment slab(int owner) {
            return LocalFabric.this.slab(owner);
        }

        @Override
        public boolean releaseSlab() {
            return Pages.release(slab(rank));
        }

        @Override
        public void restoreSlab() {
            // A page that was released comes back at its first use.
        }

        @Override
        public MemorySegment bells(int peer) {
            return bells[peer];
        }

        @Override
        public SharedMemory memory() {
            return own;
        }

        @Override
        public PeerMemory peerMemory() {
            return NO_PROCESSES;
        }

        @Override
        public void close() {
            // A ring outlives its writer: frames in it may not have been read.
            own.close();
        }
    }
}
