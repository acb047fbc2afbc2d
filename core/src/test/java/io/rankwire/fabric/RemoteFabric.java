package io.rankwire.fabric;

import io.rankwire.memory.Rand;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A fabric in memory of one process whose ports read and write memory of each other by themselves, as {@link
 * RemoteMemory} says: accesses take a number of polls, overtake each other and arrive in two parts, by a seed. It fails
 * if memory is freed that an access of its owner still uses. Any thread may drive any port.
 */
public final class RemoteFabric {
    /** What the fabric does wrong. */
    public enum Bug {
        NONE,
        /** An access is done before its bytes have moved. */
        DONE_EARLY,
        /** A frame does not wait for the writes before it. */
        FRAME_OVERTAKES_WRITE
    }

    private static final int MOST_PAYLOAD = 4096;
    private static final int MOST_FRAMES = 64;
    private static final int MOST_ACCESSES = 6;
    private static final int MOST_SLOW = 100;
    /** For bytes that arrive when a frame behind them has to, and not much before. */
    private static final int LAZY = 1 << 24;

    private record Sent(int meta, long header, MemorySegment payload, long writesBefore) {}

    /** An access under way: its bytes leave, then arrive in two parts. */
    private static final class Access {
        int initiator;
        int rank;
        boolean write;
        long place;
        long offset;
        Shared home;
        long homeOffset;
        long number;
        byte[] moving;
        /** Polls from one phase to the next, on average. */
        int slowness;
        int phase;
        int state = RemoteMemory.PENDING;

        boolean isOver() {
            return phase == 3;
        }
    }

    private final int ranks;
    private final Rand rand;
    private final Bug bug;
    /** Of this many accesses one is refused, though nothing is wrong with it; 0 for none. */
    private final int refusesOneOf;
    private final Queue<Sent>[][] ways;
    private final List<Access> underWay = new ArrayList<>();
    private final Map<Long, Access> tickets = new HashMap<>();
    private final List<Map<Long, Shared>> offered = new ArrayList<>();
    private final boolean[] killed;
    private long lastNumber;
    /** Accesses that were made. */
    private long made;

    public RemoteFabric(int ranks, long seed, Bug bug) {
        this(ranks, seed, bug, 0);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public RemoteFabric(int ranks, long seed, Bug bug, int refusesOneOf) {
        this.ranks = ranks;
        this.rand = new Rand(seed);
        this.bug = bug;
        this.refusesOneOf = refusesOneOf;
        this.ways = new Queue[ranks][ranks];
        for (Queue[] row : ways) {
            Arrays.setAll(row, to -> new ArrayDeque<Sent>());
        }
        for (int rank = 0; rank < ranks; rank++) {
            offered.add(new HashMap<>());
        }
        this.killed = new boolean[ranks];
    }

    public Port open(int rank) {
        return new RemotePort(rank);
    }

    /** The process of a rank has ended. */
    public synchronized void kill(int rank) {
        killed[rank] = true;
        offered.get(rank).clear();
    }

    public synchronized long made() {
        return made;
    }

    public synchronized int underWay() {
        return underWay.size();
    }

    /** Moves some accesses on, in any order. */
    private void moveAccesses() {
        for (int i = underWay.size() - 1; i >= 0; i--) {
            Access access = underWay.get(i);
            if (rand.chance(1, access.slowness)) {
                move(access);
                if (access.isOver()) {
                    underWay.remove(i);
                }
            }
        }
    }

    private void move(Access access) {
        access.phase++;
        boolean lost = killed[access.rank] || killed[access.initiator];
        if (lost && access.phase != 2) {
            end(access, RemoteMemory.LOST);
            return;
        }
        Shared there = offered.get(access.rank).get(access.place);
        if (!lost && (there == null || refusesOneOf > 0 && access.phase == 1 && rand.chance(1, refusesOneOf))) {
            end(access, RemoteMemory.REFUSED);
            return;
        }
        MemorySegment here = access.home == null ? null : access.home.memory();
        MemorySegment far = there == null ? null : there.memory();
        MemorySegment from = access.write ? here : far;
        MemorySegment to = access.write ? far : here;
        long fromAt = access.write ? access.homeOffset : access.offset;
        long toAt = access.write ? access.offset : access.homeOffset;
        int half = access.moving.length / 2;
        switch (access.phase) {
            case 1 -> {
                MemorySegment.copy(from, fromAt, MemorySegment.ofArray(access.moving), 0, access.moving.length);
                if (access.write && rand.chance(1, 2)) {
                    // The memory at this end is free before the bytes are there.
                    access.state = RemoteMemory.DONE;
                    access.home = null;
                    access.slowness = rand.chance(1, 2) ? LAZY : access.slowness;
                }
            }
            case 2 -> copy(access, half, to, toAt + half, access.moving.length - half);
            default -> {
                copy(access, 0, to, toAt, half);
                end(access, RemoteMemory.DONE);
                made++;
            }
        }
    }

    private static void end(Access access, int state) {
        access.phase = 3;
        if (access.state == RemoteMemory.PENDING) {
            access.state = state;
        }
    }

    private static void copy(Access access, int start, MemorySegment to, long at, int bytes) {
        if (to != null) {
            MemorySegment.copy(MemorySegment.ofArray(access.moving), start, to, at, bytes);
        }
    }

    private boolean isDeliverable(int from, int to, Sent sent) {
        for (Access access : underWay) {
            boolean before = access.write && access.initiator == from && access.rank == to
                    && access.number <= sent.writesBefore;
            if (before && bug != Bug.FRAME_OVERTAKES_WRITE) {
                access.slowness = Math.min(access.slowness, MOST_SLOW);
                return false;
            }
        }
        return true;
    }

    /** Memory that is offered as long as it is there. */
    private final class Offered extends PrivateMemory {
        Offered(int rank) {
            super(rank);
        }

        @Override
        public Shared allocate(long bytes) {
            synchronized (RemoteFabric.this) {
                Shared made = super.allocate(bytes);
                offered.get(rank()).put(made.id(), made);
                return made;
            }
        }

        @Override
        public void free(Shared shared) {
            synchronized (RemoteFabric.this) {
                for (Access access : underWay) {
                    if (access.home == shared && !killed[rank()] && bug == Bug.NONE) {
                        throw new AssertionError("rank " + rank() + " frees memory that its access still uses");
                    }
                }
                underWay.removeIf(access -> access.home == shared);
                offered.get(rank()).remove(shared.id());
                super.free(shared);
            }
        }
    }

    private final class RemotePort implements Port, RemoteMemory {
        private final int self;
        private final PrivateMemory memory;
        private final boolean[] reported = new boolean[ranks];
        private final boolean[] dismissed = new boolean[ranks];

        RemotePort(int self) {
            this.self = self;
            this.memory = new Offered(self);
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
            return new PortTraits(MOST_PAYLOAD, true, true);
        }

        @Override
        public Outlet outlet(int peer) {
            return new RemoteOutlet(self, peer);
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            int work = 0;
            for (int peer = 0; peer < ranks; peer++) {
                Sent sent;
                for (int taken = 0; taken < limit && (sent = next(peer)) != null; taken++) {
                    sink.frame(peer, sent.meta, sent.header, sent.payload, 0, (int) sent.payload.byteSize());
                    work++;
                }
            }
            synchronized (RemoteFabric.this) {
                moveAccesses();
                return work + (int) underWay.stream().filter(access -> access.state == PENDING).count();
            }
        }

        private Sent next(int peer) {
            synchronized (RemoteFabric.this) {
                Queue<Sent> way = ways[peer][self];
                if (dismissed[peer] || killed[peer]) {
                    way.clear();
                }
                return way.isEmpty() || !isDeliverable(peer, self, way.peek()) ? null : way.remove();
            }
        }

        @Override
        public int pollAll(FrameSink sink, int limit) {
            return poll(sink, limit);
        }

        @Override
        public boolean mayHaveFrames() {
            return true;
        }

        @Override
        public void rest() {}

        @Override
        public SharedMemory memory() {
            return memory;
        }

        @Override
        public PeerMemory peerMemory() {
            return new OutOfReach("ranks are objects");
        }

        @Override
        public RemoteMemory remoteMemory() {
            return this;
        }

        @Override
        public PeerLost advance(long nowNs) {
            synchronized (RemoteFabric.this) {
                for (int peer = 0; peer < ranks; peer++) {
                    if (killed[peer] && !reported[peer] && rand.chance(1, 4)) {
                        reported[peer] = true;
                        return new PeerLost(peer, "rank " + peer + " was killed");
                    }
                }
                return null;
            }
        }

        @Override
        public void dismiss(int peer) {
            dismissed[peer] = true;
        }

        @Override
        public boolean reaches(int rank) {
            return rank != self;
        }

        @Override
        public long worthFrom(int rank) {
            return 2 * MOST_PAYLOAD;
        }

        @Override
        public void offer(Shared shared) {
            throw new IllegalStateException("the memory of this port does that");
        }

        @Override
        public void withdraw(Shared shared) {
            synchronized (RemoteFabric.this) {
                offered.get(self).remove(shared.id());
            }
        }

        @Override
        public long read(int rank, long place, long offset, Shared to, long toOffset, long bytes) {
            return start(false, rank, place, offset, to, toOffset, bytes);
        }

        @Override
        public long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes) {
            return start(true, rank, place, offset, from, fromOffset, bytes);
        }

        private long start(boolean write, int rank, long place, long offset, Shared home, long homeOffset, long bytes) {
            synchronized (RemoteFabric.this) {
                if (underWay.size() >= MOST_ACCESSES || rand.chance(1, 8)) {
                    return FULL;
                }
                Access access = new Access();
                access.initiator = self;
                access.rank = rank;
                access.write = write;
                access.place = place;
                access.offset = offset;
                access.home = home;
                access.homeOffset = homeOffset;
                access.number = ++lastNumber;
                access.slowness = rand.chance(1, 4) ? MOST_SLOW : 2;
                access.moving = new byte[Math.toIntExact(bytes)];
                underWay.add(access);
                tickets.put(access.number, access);
                return access.number;
            }
        }

        @Override
        public int state(long ticket) {
            synchronized (RemoteFabric.this) {
                Access access = tickets.get(ticket);
                int state = access.state == PENDING && bug == Bug.DONE_EARLY ? DONE : access.state;
                if (state != PENDING) {
                    tickets.remove(ticket);
                }
                return state;
            }
        }

        @Override
        public void close() {
            synchronized (RemoteFabric.this) {
                underWay.removeIf(access -> access.initiator == self);
                memory.close();
            }
        }
    }

    private final class RemoteOutlet implements Outlet {
        private final int from;
        private final int to;
        private MemorySegment claimed;

        RemoteOutlet(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public MemorySegment memory() {
            return claimed;
        }

        @Override
        public long claim(int payloadBytes) {
            claimed = MemorySegment.ofArray(new long[(payloadBytes + 7) / 8]).asSlice(0, payloadBytes);
            synchronized (RemoteFabric.this) {
                return ways[from][to].size() < MOST_FRAMES ? 0 : FULL;
            }
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            synchronized (RemoteFabric.this) {
                ways[from][to].add(new Sent(meta, header, claimed.asSlice(at, payloadBytes), lastNumber));
            }
        }
    }
}
