package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * One port of two: shared memory to the peers on this host, and a network to the others. Each peer is reached by one of
 * them alone, so the frames of a sender stay in order, and one device above matches the frames of all.
 *
 * <p>An empty poll of a network is a system call, which takes longer than a frame through shared memory. So the network
 * is polled in every pass only while it is in use: for some passes after the last frame that came from it or went into
 * it. Otherwise it is polled every few passes, about once a microsecond, and in every pass of an owner that yields or
 * sleeps in between. A message that nothing was heard or sent before is late by less than a fifth of a network's
 * latency, and messages through shared memory wait for a system call seldom.
 */
public final class MixedPort implements Port {
    /** Passes without a frame after which the network counts as silent. */
    private static final int IN_USE = 256;
    /** Passes from one look at a silent network to the next. */
    private static final int SILENT = 64;

    private final Port inside;
    private final Port between;
    private final boolean[] isInside;
    private final PortTraits traits;
    private final SharedMemory memory;
    private final PeerMemory peerMemory;
    private final Outlet[] outlets;
    /** Passes in which the network is still polled each time. */
    private int inUse;
    /** Passes until a silent network is polled. */
    private int until;

    private MixedPort(Port inside, Port between, boolean[] isInside) {
        this.inside = inside;
        this.between = between;
        this.isInside = isInside;
        int maxPayload = Math.min(inside.traits().requireExact().maxPayload(),
                between.traits().requireExact().maxPayload());
        this.traits = new PortTraits(maxPayload, true, true);
        this.memory = new HostMemory(inside.memory(), isInside);
        this.peerMemory = new HostProcesses(inside.peerMemory(), isInside);
        this.outlets = new Outlet[isInside.length];
    }

    /**
     * Joins two exact ports of one rank, on fabrics that number all ranks alike.
     *
     * @param inside the port to the ranks on this host
     * @param between the port to all others
     * @param isInside whether a rank is on this host, by rank
     */
    public static Port over(Port inside, Port between, boolean[] isInside) {
        boolean alike = inside.self() == between.self() && inside.peers() == between.peers();
        if (!alike || isInside.length != inside.peers() || !isInside[inside.self()]) {
            throw new IllegalArgumentException("rank " + inside.self() + " of " + inside.peers() + " inside, rank "
                    + between.self() + " of " + between.peers() + " between, " + isInside.length + " known");
        }
        return new MixedPort(inside, between, isInside.clone());
    }

    @Override
    public int self() {
        return inside.self();
    }

    @Override
    public int peers() {
        return isInside.length;
    }

    @Override
    public PortTraits traits() {
        return traits;
    }

    @Override
    public int maxPayload(int peer) {
        return (isInside[peer] ? inside : between).maxPayload(peer);
    }

    @Override
    public Outlet outlet(int peer) {
        if (isInside[peer]) {
            return inside.outlet(peer);
        }
        if (outlets[peer] == null) {
            outlets[peer] = new NetworkOutlet(between.outlet(peer));
        }
        return outlets[peer];
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        int work = inside.poll(sink, limit);
        return inUse > 0 || --until <= 0 ? work + pollBetween(sink, limit) : work;
    }

    private int pollBetween(FrameSink sink, int limit) {
        int work = between.poll(sink, limit);
        until = SILENT;
        if (work > 0) {
            inUse = IN_USE;
        } else if (inUse > 0) {
            inUse--;
        }
        return work;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        int work = between.pollAll(sink, limit);
        inUse = work > 0 ? IN_USE : inUse;
        return work + inside.pollAll(sink, limit);
    }

    @Override
    public SharedMemory memory() {
        return memory;
    }

    @Override
    public PeerMemory peerMemory() {
        return peerMemory;
    }

    @Override
    public boolean mayHaveFrames() {
        return inside.mayHaveFrames() || between.mayHaveFrames();
    }

    @Override
    public void rest() {
        until = 0;
        inside.rest();
        between.rest();
    }

    @Override
    public PeerLost advance(long nowNs) {
        PeerLost lost = inside.advance(nowNs);
        return lost != null ? lost : between.advance(nowNs);
    }

    @Override
    public long nextDeadline() {
        return Math.min(inside.nextDeadline(), between.nextDeadline());
    }

    @Override
    public void dismiss(int peer) {
        (isInside[peer] ? inside : between).dismiss(peer);
    }

    @Override
    public void close() {
        try {
            between.close();
        } finally {
            inside.close();
        }
    }

    /** The way to a peer on another host. What goes there has to be carried on by polls, and may be answered soon. */
    private final class NetworkOutlet implements Outlet {
        private final Outlet below;

        NetworkOutlet(Outlet below) {
            this.below = below;
        }

        @Override
        public MemorySegment memory() {
            return below.memory();
        }

        @Override
        public long claim(int payloadBytes) {
            inUse = IN_USE;
            return below.claim(payloadBytes);
        }

        @Override
        public long claim(int payloadBytes, int meta, long header) {
            inUse = IN_USE;
            return below.claim(payloadBytes, meta, header);
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            below.commit(at, payloadBytes, meta, header);
        }
    }

    /** Memory that the ranks of this host share. */
    private record HostMemory(SharedMemory inside, boolean[] isInside) implements SharedMemory {
        @Override
        public Shared allocate(long bytes) {
            return inside.allocate(bytes);
        }

        @Override
        public void free(Shared shared) {
            inside.free(shared);
        }

        @Override
        public Shared find(MemorySegment memory, long offset, long bytes) {
            return inside.find(memory, offset, bytes);
        }

        @Override
        public MemorySegment peer(int rank, long id) {
            return isInside[rank] ? inside.peer(rank, id) : null;
        }

        @Override
        public MemorySegment common(long key, long bytes) {
            return inside.common(key, bytes);
        }

        @Override
        public boolean isMappable() {
            return inside.isMappable();
        }

        @Override
        public boolean reaches(int rank) {
            return isInside[rank] && inside.reaches(rank);
        }

        @Override
        public void endCommon(long key) {
            inside.endCommon(key);
        }
    }

    /** The memory of the processes of this host. */
    private record HostProcesses(PeerMemory inside, boolean[] isInside) implements PeerMemory {
        private static final PeerMemory ELSEWHERE = new OutOfReach("the rank is on another host");

        private PeerMemory of(int rank) {
            return isInside[rank] ? inside : ELSEWHERE;
        }

        @Override
        public String obstacle(int rank) {
            return of(rank).obstacle(rank);
        }

        @Override
        public long worthFrom(int rank) {
            return of(rank).worthFrom(rank);
        }

        @Override
        public boolean read(int rank, long address, MemorySegment to, long toByte, long bytes) {
            return of(rank).read(rank, address, to, toByte, bytes);
        }
    }
}
