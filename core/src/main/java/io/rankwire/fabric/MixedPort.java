package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * One port of two: shared memory to the peers on this host, and a network to the others. Each peer is reached by one of
 * them alone, so the frames of a sender stay in order, and one device above matches the frames of all.
 *
 * <p>An empty poll of a network is a system call, which takes as long as fifty empty polls of shared memory and longer
 * than a frame takes there. So a network that is silent is polled the less often the longer it has been: about once
 * while a sixty-fourth of its silence passes again, which is how late its next frame can be, and at least every ten
 * microseconds. It is polled in each pass right after a frame came from it or went into it, and in each pass of an
 * owner that yields or sleeps in between.
 */
public final class MixedPort implements Port {
    /** Empty passes from one look at the network to the next, at most. */
    private static final int MOST_APART = 1024;
    /** The silence of a network over the time to the next look, as a power of two. */
    private static final int SHARE = 6;
    /** A frame takes as long as this many empty passes, as a power of two. */
    private static final int FRAME = 3;

    /** Shorter sleeps are not worth a system call that waits for the network. */
    private static final long LEAST_WAIT_NS = 500_000;

    private final Port inside;
    private final Port between;
    private final boolean[] isInside;
    private final PortTraits traits;
    private final SharedMemory memory;
    private final PeerMemory peerMemory;
    private final TagMatcher tags;
    private final RemoteMemory remoteMemory;
    /** Made when a work program asks for it. */
    private TriggeredWork triggered;
    private final Outlet[] outlets;
    /** Empty passes since the network was last in use, as far as it matters. */
    private int silence;
    /** Empty passes from the last look at the network to the next, and those that are left of them. */
    private int apart;
    private int left;

    private MixedPort(Port inside, Port between, boolean[] isInside) {
        this.inside = inside;
        this.between = between;
        this.isInside = isInside;
        int maxPayload = Math.min(inside.traits().requireExact().maxPayload(),
                between.traits().requireExact().maxPayload());
        this.traits = new PortTraits(maxPayload, true, true);
        RemoteMemory reached = between.remoteMemory();
        this.remoteMemory = reached == RemoteMemory.NONE ? reached : new RemoteHosts(reached);
        this.memory = new HostMemory(inside.memory(), reached, isInside);
        this.peerMemory = new HostProcesses(inside.peerMemory(), isInside);
        this.tags = between.tagMatcher().places() == 0 ? TagMatcher.NONE : new NetworkTags(between.tagMatcher());
        this.outlets = new Outlet[isInside.length];
    }

    /**
     * Joins two exact ports of one rank, on fabrics that number all ranks alike.
     *
     * @param inside the port to the ranks on this host
     * @param between the port to all others
     * @param isInside whether a rank is on this host, by rank; of one that comes later it is set before this port has
     *     to do with that rank
     */
    public static Port over(Port inside, Port between, boolean[] isInside) {
        boolean alike = inside.self() == between.self() && inside.peers() == between.peers();
        if (!alike || isInside.length != inside.peers() || !isInside[inside.self()]) {
            throw new IllegalArgumentException("rank " + inside.self() + " of " + inside.peers() + " inside, rank "
                    + between.self() + " of " + between.peers() + " between, " + isInside.length + " known");
        }
        return new MixedPort(inside, between, isInside);
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
    public int mostWhole(int peer) {
        return (isInside[peer] ? inside : between).mostWhole(peer);
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
        left -= 1 + (work << FRAME);
        return left > 0 ? work : work + pollBetween(sink, limit);
    }

    private int pollBetween(FrameSink sink, int limit) {
        int work = between.poll(sink, limit);
        silence = work > 0 ? 0 : Math.min(silence + apart, MOST_APART << SHARE);
        apart = Math.max(1, silence >> SHARE);
        left = apart;
        return work;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        int work = between.pollAll(sink, limit);
        if (work > 0) {
            use();
        }
        return work + inside.pollAll(sink, limit);
    }

    private void use() {
        silence = 0;
        left = 0;
    }

    /** An arrival from inside the host ends no sleep, so only the longest sleeps wait for one from the network. */
    @Override
    public void sleep(long ns) {
        if (isAlone()) {
            between.sleep(ns);
        } else if (ns < LEAST_WAIT_NS) {
            LockSupport.parkNanos(ns);
        } else {
            between.sleep(ns / SLEEP_FACTOR);
        }
    }

    /** Whether no other rank is on this host. */
    private boolean isAlone() {
        for (int rank = 0; rank < isInside.length; rank++) {
            if (isInside[rank] && rank != self()) {
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
        return peerMemory;
    }

    /** Of the network: ranks of this host send no tags to each other. */
    @Override
    public TagMatcher tagMatcher() {
        return tags;
    }

    @Override
    public TriggeredWork triggeredWork() {
        if (triggered == null) {
            triggered = new MixedWork(between.triggeredWork(), isInside);
        }
        return triggered;
    }

    @Override
    public RemoteMemory remoteMemory() {
        return remoteMemory;
    }

    @Override
    public int pollCost() {
        return (isAlone() ? between : inside).pollCost();
    }

    @Override
    public boolean mayHaveFrames() {
        return inside.mayHaveFrames() || between.mayHaveFrames();
    }

    @Override
    public void rest() {
        left = 0;
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
    public long resent() {
        return between.resent();
    }

    @Override
    public long refused() {
        return between.refused();
    }

    @Override
    public void dismiss(int peer) {
        (isInside[peer] ? inside : between).dismiss(peer);
    }

    @Override
    public boolean forget(int peer) {
        boolean forgotten = (isInside[peer] ? inside : between).forget(peer);
        if (forgotten) {
            outlets[peer] = null;
        }
        return forgotten;
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
            use();
            return below.claim(payloadBytes);
        }

        @Override
        public long claim(int payloadBytes, int meta, long header) {
            use();
            return below.claim(payloadBytes, meta, header);
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            below.commit(at, payloadBytes, meta, header);
        }

        @Override
        public void hold() {
            below.hold();
        }

        @Override
        public void release() {
            below.release();
        }

        @Override
        public boolean borrows(Object memory) {
            return below.borrows(memory);
        }

        @Override
        public long lend(long at, int payloadBytes, int meta, long header, int lead, Object from, long offset) {
            return below.lend(at, payloadBytes, meta, header, lead, from, offset);
        }

        @Override
        public boolean isBack(long loan) {
            return below.isBack(loan);
        }

        @Override
        public void settleLast() {
            below.settleLast();
        }

        @Override
        public void settle() {
            below.settle();
        }
    }

    /** The matcher of the network, which has to be polled while something is expected of it. */
    private final class NetworkTags implements TagMatcher {
        private final TagMatcher below;

        NetworkTags(TagMatcher below) {
            this.below = below;
        }

        @Override
        public int places() {
            return below.places();
        }

        @Override
        public int window() {
            return below.window();
        }

        @Override
        public boolean reaches(int rank) {
            return !isInside[rank] && below.reaches(rank);
        }

        @Override
        public void open(Sink sink) {
            below.open(sink);
        }

        @Override
        public boolean post(int place, long tag, long ignored) {
            return below.post(place, tag, ignored);
        }

        @Override
        public void cancel(int place) {
            below.cancel(place);
        }

        @Override
        public long claim(int rank, int payloadBytes) {
            use();
            return below.claim(rank, payloadBytes);
        }

        @Override
        public MemorySegment memory() {
            return below.memory();
        }

        @Override
        public void commit(int rank, long at, int payloadBytes, int meta, long header, long tag) {
            below.commit(rank, at, payloadBytes, meta, header, tag);
        }
    }

    /** Memory that the ranks of this host share, and that the network may reach for the others. */
    private record HostMemory(SharedMemory inside, RemoteMemory network, boolean[] isInside) implements SharedMemory {
        @Override
        public Shared allocate(long bytes) {
            Shared shared = inside.allocate(bytes);
            try {
                network.offer(shared);
            } catch (RuntimeException e) {
                inside.free(shared);
                throw e;
            }
            return shared;
        }

        @Override
        public void free(Shared shared) {
            network.withdraw(shared);
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

    /** The memory of ranks on other hosts, as far as the network reaches it. */
    private final class RemoteHosts implements RemoteMemory {
        private final RemoteMemory below;

        RemoteHosts(RemoteMemory below) {
            this.below = below;
        }

        @Override
        public boolean reaches(int rank) {
            return !isInside[rank] && below.reaches(rank);
        }

        @Override
        public long worthFrom(int rank) {
            return isInside[rank] ? Long.MAX_VALUE : below.worthFrom(rank);
        }

        /** The memory of this port has offered it already. */
        @Override
        public void offer(Shared shared) {}

        @Override
        public void withdraw(Shared shared) {}

        @Override
        public long read(int rank, long place, long offset, Shared to, long toOffset, long bytes) {
            use();
            return below.read(rank, place, offset, to, toOffset, bytes);
        }

        @Override
        public long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes) {
            use();
            return below.write(rank, place, offset, from, fromOffset, bytes);
        }

        @Override
        public int state(long ticket) {
            int state = below.state(ticket);
            if (state == PENDING) {
                use();
            }
            return state;
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
