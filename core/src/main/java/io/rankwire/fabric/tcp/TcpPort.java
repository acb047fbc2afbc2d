package io.rankwire.fabric.tcp;

import io.rankwire.fabric.ForgedRecord;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.OutOfReach;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.PrivateMemory;
import io.rankwire.fabric.SharedMemory;
import java.io.IOException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A port over connections. A poll reads the few connections that were active last, and has the network look at all
 * others from time to time: silent peers cost nothing. The first frame after a poll is written at once, those behind it
 * together: when enough have gathered, or with the next poll.
 */
final class TcpPort implements Port, Network.Events {
    private static final PeerMemory ELSEWHERE = new OutOfReach("ranks are on several hosts");
    /** An empty poll reads a socket, which takes 0.4 microseconds. */
    private static final int POLL_COST = 32;
    private static final int MOST_WHOLE = 64 << 10;
    /** So many bytes are written without waiting for more. */
    private static final int GATHERED = 32 << 10;
    /** So many connections are read at each poll: for more of them a look costs less. */
    private static final int FEW = 4;
    /** Where large messages are expected, this much is read first, and copied; the rest is read to its place. */
    private static final int FIRST_READ = 8 << 10;
    /** Polls that find nothing before a connection is left to the looks: half a millisecond, or less among many. */
    private static final int MOST_IDLE = 1_000;
    private static final int MOST_IDLE_AMONG_MANY = 4;
    /** Polls between two looks, less one: while frames come, while none come, and without an active connection. */
    private static final int BUSY_MASK = (1 << 5) - 1;
    private static final int IDLE_MASK = (1 << 4) - 1;
    private static final int QUIET_MASK = (1 << 6) - 1;
    /** Polls between two writes to a connection that was full, less one. */
    private static final int FULL_MASK = (1 << 2) - 1;
    /** Most time that passes between two calls: if there was more, this process did not run, and counts it for none. */
    private static final long MOST_STEP_NS = 100_000_000;
    private static final long TICK_NS = 10_000_000;
    private static final long TRIM_NS = 3_000_000_000L;
    private static final long CLOSING_STEP_NS = 1_000_000;

    private final Members members;
    private final TcpConfig config;
    private final Network network;
    private final PrivateMemory memory;
    private final PortTraits traits = new PortTraits(Link.MOST_PAYLOAD, true, true);
    private final Peer[] peers;
    private final Chunks chunks = new Chunks();
    private final Views views = new Views();
    /** For encrypted records; null if there are none. */
    private final Pieces pieces;
    private final Connections connections;
    /** Where bytes are read to; a connection that cannot use all of them at once keeps it. */
    private Chunk scratch = chunks.take(Chunk.LARGE, 0);
    private final List<Connection> active = new ArrayList<>();
    /** Connections that keep a chunk, or bytes that were not decrypted; peers with frames that wait to be written. */
    private int keeping;
    private final List<Peer> dirty = new ArrayList<>();
    /** Whether the owner, about to sleep, may have more to send: nothing else would wake it. */
    private volatile boolean hasMadeRoom;
    private int polls;
    /** Whether frames are being delivered. What the sink answers goes together, after that. */
    private boolean isPolling;
    /** Whether the next poll that finds nothing looks, too; and the number of polls at the last look. */
    private boolean lookAgain;
    private int lookedAt = -1;
    private long lastNs;
    private boolean hasTime;
    private long nextTick;
    private long nextTrim;
    private boolean closed;

    TcpPort(Members members, TcpConfig config, Network network) {
        this.members = members;
        this.config = config;
        this.network = network;
        this.memory = new PrivateMemory(members.self());
        this.pieces = members.encrypted() ? new Pieces() : null;
        this.peers = new Peer[members.size()];
        this.connections = new Connections(members, config, network, this);
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

    /** An announcement and its answer would take two more writes. */
    @Override
    public int mostWhole(int rank) {
        return MOST_WHOLE;
    }

    @Override
    public Outlet outlet(int rank) {
        return peer(rank);
    }

    Peer peer(int rank) {
        if (peers[rank] == null) {
            assert rank != members.self();
            peers[rank] = new Peer(rank, new Link(rank, chunks), this);
        }
        return peers[rank];
    }

    /** As {@link #peer}, or null for a rank that was not spoken with. */
    Peer known(int rank) {
        return peers[rank];
    }

    // for tests

    boolean isAsleep() {
        return network.isAsleep();
    }

    Connections connections() {
        return connections;
    }

    /** A frame was committed. */
    void committed(Peer peer) {
        Connection connection = peer.live;
        if (connection == null) {
            if (peer.isLost || peer.link.isDeparted()) {
                // A rank that has closed its world reads no frame, on this fabric as on any other.
                peer.link.drop();
            } else if (!peer.isSought) {
                connections.seek(peer, null, 0);
            }
        } else if (peer.burst != polls && !peer.isDirty && !peer.isHeld && !isPolling) {
            peer.burst = polls;
            write(peer, connection);
        } else {
            soil(peer);
            if (peer.link.waiting() >= GATHERED && !connection.isFull) {
                write(peer, connection);
            }
        }
    }

    /** A frame was committed whose payload is in memory of the program. */
    void lent(Peer peer) {
        soil(peer);
    }

    Views views() {
        return views;
    }

    /** The last of the frames was committed that go together. */
    void released(Peer peer) {
        Connection connection = peer.live;
        if (connection != null && !connection.isFull && peer.link.waiting() > 0) {
            peer.burst = polls;
            write(peer, connection);
        }
        peer.link.settleUnwritten();
    }

    private void soil(Peer peer) {
        if (!peer.isDirty) {
            peer.isDirty = true;
            dirty.add(peer);
        }
    }

    /** Writes what the connection takes; the rest waits for a poll. */
    private void write(Peer peer, Connection connection) {
        if (connection.writeFailure != null || connection.failure != null) {
            return;
        }
        if (!connection.carriesMany && peer.link.committed() > MOST_WHOLE) {
            connection.prepareForMany(network);
        }
        try {
            connection.isFull = !(connection.writeOut() && peer.link.write((GatheringByteChannel) connection.stream,
                    connection.arrays) && connection.flush());
        } catch (IOException e) {
            connection.writeFailure = Connections.text(e);
            activate(connection);
            return;
        }
        if (connection.isFull) {
            soil(peer);
        } else if (connection.awaitsRoom) {
            connection.awaitsRoom = false;
            network.awaitRoom(connection.channel, false);
        }
    }

    private void flush(boolean all) {
        for (int i = dirty.size() - 1; i >= 0; i--) {
            Peer peer = dirty.get(i);
            Connection connection = peer.live;
            if (connection != null && (all || !connection.isFull || (polls & FULL_MASK) == 0)) {
                write(peer, connection);
            }
            if (connection == null || !connection.isFull) {
                // Without a connection, or with a broken one, the frames wait for the next.
                peer.isDirty = false;
                dirty.set(i, dirty.getLast());
                dirty.removeLast();
            }
        }
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        polls++;
        if (!dirty.isEmpty()) {
            flush(false);
        }
        isPolling = true;
        int work;
        try {
            work = drain(sink, limit);
        } finally {
            isPolling = false;
        }
        if (work != 0) {
            network.wake();
            if (!dirty.isEmpty()) {
                flush(false);
            }
        }
        int mask = work != 0 ? BUSY_MASK : active.isEmpty() ? QUIET_MASK : IDLE_MASK;
        if (lookAgain && work == 0 || (polls & mask) == 0) {
            look();
        }
        return work;
    }

    private int drain(FrameSink sink, int limit) {
        int work = 0;
        for (int i = active.size() - 1; i >= 0; i--) {
            Connection connection = active.get(i);
            work += drain(connection, sink, limit);
            if (connection.isClosed() || connection.idle > (active.size() > FEW ? MOST_IDLE_AMONG_MANY : MOST_IDLE)) {
                connection.isActive = false;
                active.set(i, active.getLast());
                active.removeLast();
            }
        }
        return work;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        if (lookedAt != polls) {
            look();
        }
        flush(true);
        return poll(sink, limit);
    }

    /** Finds connections that are new, can go on, or have something to read. */
    private void look() {
        lookAgain = false;
        lookedAt = polls;
        network.look(this);
        connections.accept();
    }

    @Override
    public void ready(Connection connection) {
        if (connection.phase == Connection.Phase.LIVE) {
            if (!connection.isActive) {
                activate(connection);
                lookAgain = true;
            }
        } else if (!connection.isClosed()) {
            connections.step(connection);
        }
    }

    @Override
    public void arriving() {
        connections.arriving();
    }

    private void activate(Connection connection) {
        connection.idle = 0;
        if (!connection.isActive) {
            connection.isActive = true;
            active.add(connection);
        }
    }

    /** The connection carries frames from now on. */
    void begins(Connection connection) {
        activate(connection);
        connection.begin(network.arrays(connection.channel), pieces, config.recordsPerKey());
        if (connection.peer.link.waiting() > 0) {
            soil(connection.peer);
        }
    }

    void ended(Connection connection) {
        hold(connection);
        if (connection.chunk != null) {
            chunks.give(connection.chunk);
            connection.chunk = null;
            keeping--;
        }
    }

    private void hold(Connection connection) {
        if (connection.holdsBytes() != connection.isHolding) {
            connection.isHolding = !connection.isHolding;
            keeping += connection.isHolding ? 1 : -1;
        }
    }

    private int drain(Connection connection, FrameSink sink, int limit) {
        if (connection.isClosed()) {
            return 0;
        }
        Peer peer = connection.peer;
        int work = 0;
        try {
            if (connection.chunk != null) {
                work = deliver(connection, connection.chunk, sink, limit);
            }
            if (work < limit && connection.failure == null && !connection.isClosed()) {
                work += read(connection, sink, limit - work);
                hold(connection);
            }
        } catch (Link.Violation e) {
            connections.lose(peer, "it " + e.getMessage());
            return work;
        } catch (IOException e) {
            connection.failure = Connections.text(e);
            connection.isForged = e instanceof ForgedRecord;
        }
        if (connection.isClosed()) {
            return work;
        }
        if (work == 0 && connection.failure != null) {
            connections.broken(connection);
        } else if (peer.link.owed() >= Link.DUE) {
            acknowledge(connection);
        }
        return work;
    }

    private int read(Connection connection, FrameSink sink, int limit) throws IOException {
        Chunk in = connection.chunk != null ? connection.chunk : scratch;
        in.compact();
        Arrival arrival = connection.arrival;
        boolean isPlaced = arrival.isActive();
        long bytes = isPlaced
                ? arrival.read(connection.peer.rank, (ScatteringByteChannel) connection.stream, connection.arrays,
                        views, in, sink)
                : in.read(connection.stream, connection.blind);
        if (bytes > 0) {
            connection.idle = 0;
            connection.peer.heard = connections.now;
            int work = 0;
            if (isPlaced && !arrival.isActive()) {
                work++;
                connection.peer.link.deliver(arrival, sink);
            }
            boolean isFilled = !isPlaced && bytes == connection.blind;
            work = in.isEmpty() ? work : work + deliver(connection, in, sink, limit);
            Link link = connection.peer.link;
            if (arrival.isActive() || link.hasPlaces) {
                link.hasPlaces = false;
                connection.blind = FIRST_READ;
            } else if (isFilled) {
                connection.blind = Chunk.LARGE;
            }
            return work;
        }
        connection.idle++;
        connection.failure = bytes < 0 ? "connection closed" : connection.writeFailure;
        return 0;
    }

    /** Delivers, and leaves the rest to the connection, also when the sink throws. */
    private int deliver(Connection connection, Chunk in, FrameSink sink, int limit) throws IOException {
        try {
            Link link = connection.peer.link;
            int work = link.deliver(in, sink, limit);
            if (!in.isEmpty()) {
                link.begin(in, connection.arrival, sink, views, connection.arrays);
            }
            return work;
        } finally {
            if (!connection.isClosed()) {
                if (connection.chunk == null && !in.isEmpty()) {
                    connection.chunk = in;
                    scratch = chunks.take(Chunk.LARGE, 0);
                    keeping++;
                } else if (connection.chunk != null && in.isEmpty()) {
                    ended(connection);
                }
            }
        }
    }

    /** Sends an acknowledgement of its own, unless frames that carry one are on their way. */
    private void acknowledge(Connection connection) {
        Peer peer = connection.peer;
        if (peer.link.waiting() == 0 && !connection.hasOut() && connection.writeFailure == null) {
            record(connection, Link.ACKNOWLEDGE);
        }
    }

    private void record(Connection connection, int kind) {
        try {
            connection.send(connection.peer.link.record(kind));
            if (connection.hasOut()) {
                connection.isFull = true;
                soil(connection.peer);
            }
        } catch (IOException e) {
            connection.writeFailure = Connections.text(e);
        }
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
    public int pollCost() {
        return POLL_COST;
    }

    @Override
    public boolean mayHaveFrames() {
        return keeping != 0 || !dirty.isEmpty() || connections.isSeeking() || network.mayHaveWork();
    }

    @Override
    public void rest() {
        if (dirty.isEmpty()) {
            return;
        }
        int before = dirty.size();
        flush(true);
        hasMadeRoom |= dirty.size() < before;
        for (int i = 0; i < dirty.size(); i++) {
            Connection connection = dirty.get(i).live;
            if (connection != null && !connection.awaitsRoom) {
                connection.awaitsRoom = true;
                network.awaitRoom(connection.channel, true);
            }
        }
    }

    @Override
    public void sleep(long ns) {
        if (hasMadeRoom) {
            hasMadeRoom = false;
        } else {
            network.sleep(SLEEP_FACTOR * ns);
        }
    }

    @Override
    public PeerLost advance(long nowNs) {
        if (hasTime && nowNs > lastNs) {
            connections.now += Math.min(nowNs - lastNs, MOST_STEP_NS);
        }
        hasTime = true;
        lastNs = nowNs;
        look();
        if (connections.now >= nextTick) {
            nextTick = connections.now + TICK_NS;
            tick();
        }
        connections.advance();
        return connections.nextLoss();
    }

    @Override
    public long nextDeadline() {
        if (connections.hasLoss()) {
            return lastNs;
        }
        boolean isTimed = connections.isSeeking() || connections.hasTimers();
        return isTimed ? lastNs + nextTick - connections.now : Long.MAX_VALUE;
    }

    private void tick() {
        for (int i = connections.live.size() - 1; i >= 0; i--) {
            Connection connection = connections.live.get(i);
            Peer peer = connection.peer;
            boolean owes = peer.link.owed() > 0;
            if (owes && peer.owes) {
                acknowledge(connection);
            }
            peer.owes = owes;
            if (!peer.link.isUnacknowledged()) {
                peer.heard = connections.now;
            } else if (connections.now - peer.heard >= config.patienceNs() / 2) {
                // The way may be cut, or the peer busy: a new connection will show.
                connection.failure = "no answer for " + Connections.seconds(config.patienceNs() / 2);
                activate(connection);
            }
        }
        if (connections.now >= nextTrim) {
            nextTrim = connections.now + TRIM_NS;
            chunks.trim();
            views.trim();
        }
    }

    @Override
    public void dismiss(int rank) {
        connections.forget(peer(rank));
    }

    /** Says goodbye to all peers, once they have what was sent to them or do not take it in time. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (long left = config.closingNs(); left > 0 && hasUnsent(); left -= CLOSING_STEP_NS) {
            pollAll(FrameSink.NOTHING, Integer.MAX_VALUE);
            advance(lastNs + CLOSING_STEP_NS);
            rest();
            if (hasUnsent()) {
                network.sleep(CLOSING_STEP_NS);
            }
        }
        // A socket that is closed with bytes that were not read resets its connection.
        pollAll(FrameSink.NOTHING, Integer.MAX_VALUE);
        for (Connection connection : List.copyOf(connections.live)) {
            if (connection.peer.link.waiting() == 0 && !connection.hasOut() && connection.writeFailure == null) {
                record(connection, Link.GOODBYE);
            }
        }
        connections.close();
        network.close();
        memory.close();
    }

    boolean hasUnsent() {
        for (Peer peer : peers) {
            if (peer != null && !peer.isLost && !peer.link.isDeparted() && peer.link.isUnacknowledged()) {
                return true;
            }
        }
        return false;
    }

    /** Returns what is wrong with the structures of this port, or null. */
    String wrong() {
        for (Peer peer : peers) {
            String wrong = peer == null ? null : peer.link.wrong();
            if (wrong == null && peer != null) {
                wrong = peer.isDirty != dirty.contains(peer) ? "is it dirty or not?"
                        : peer.live != null && !connections.live.contains(peer.live) ? "its connection is not live"
                        : null;
            }
            if (wrong != null) {
                return "rank " + members.self() + ", link to " + peer.rank + ": " + wrong;
            }
        }
        int kept = 0;
        for (Connection connection : connections.live) {
            if (connection.isClosed() || connection.peer.live != connection) {
                return "rank " + members.self() + ": a connection to " + connection.peer.rank + " is not in use";
            }
            kept += (connection.chunk == null ? 0 : 1) + (connection.isHolding ? 1 : 0);
        }
        return kept == keeping ? null : "rank " + members.self() + ": " + kept + " chunks are kept, not " + keeping;
    }
}
