package io.rankwire.fabric.udp;

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
import java.lang.foreign.MemorySegment;

/**
 * A port over datagrams, which promises nothing. A frame that comes after silence is sent at once, together with those
 * that belong to it; those that follow gather, and leave when there are enough of them, when none was added between two
 * polls, or when the owner rests.
 */
final class UdpPort implements Port {
    private static final PeerMemory ELSEWHERE = new OutOfReach("ranks are on several hosts");
    /** An empty poll asks the system, which takes 0.4 microseconds. */
    private static final int POLL_COST = 32;
    private static final int MOST_WHOLE = 64 << 10;
    /** Datagrams without a frame that one poll takes. */
    private static final int MOST_EMPTY = 8;
    /** What only a peer that sends needs is forgotten after such a silence, which is looked for as often. */
    private static final long SILENCE_NS = 30_000_000_000L;

    private final Members members;
    private final UdpSocket socket;
    private final PortTraits traits;
    private final PrivateMemory memory;
    private final boolean isWide;
    private final UdpPeer[] peers;
    private final Train train;
    private final Arrivals arrivals;
    private int polls;
    /** The poll before the last commit, and the bytes that waited at the end of the last poll. */
    private int lastCommit;
    private int waited;
    private boolean polling;
    /** Whether more frames follow at once, and whether those in the train should not wait for others. */
    private boolean held;
    private boolean urgent;
    private long now;
    private long lastSweep;
    private boolean closed;

    /**
     * @param datagram bytes of the longest datagrams, a multiple of 8 and the same for all ranks
     * @param isWide whether all paths are known to carry them
     */
    UdpPort(Members members, UdpSocket socket, int datagram, boolean isWide) {
        this(members, socket, datagram, isWide, Seal.EPOCH_SHIFT);
    }

    UdpPort(Members members, UdpSocket socket, int datagram, boolean isWide, int epochShift) {
        this.members = members;
        this.socket = socket;
        this.isWide = isWide;
        this.traits = new PortTraits(datagram - Seal.BESIDE - Train.FRAME, false, false);
        this.memory = new PrivateMemory(members.self());
        this.peers = new UdpPeer[members.size()];
        Seal seal = new Seal(members, epochShift);
        this.train = new Train(socket, seal, datagram);
        this.arrivals = new Arrivals(this, seal, train, datagram);
        socket.datagramBytes(datagram);
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

    /** The tag of a datagram covers its frames. */
    @Override
    public boolean isChecked() {
        return true;
    }

    @Override
    public int mostWhole(int rank) {
        return MOST_WHOLE;
    }

    @Override
    public Outlet outlet(int rank) {
        return peer(rank);
    }

    UdpPeer peer(int rank) {
        if (peers[rank] == null) {
            assert rank != members.self();
            peers[rank] = new UdpPeer(rank, socket.destination(members.addresses().get(rank)), new Path(isWide), this);
        }
        return peers[rank];
    }

    /** The peer if one of its datagrams has come, or something was sent to it, else null. */
    UdpPeer known(int rank) {
        return peers[rank];
    }

    /** A datagram that this rank has made came for the first time. */
    UdpPeer heard(int rank, long number) {
        UdpPeer peer = peer(rank);
        peer.heard(number, now);
        return peer;
    }

    /** For tests. */
    Arrivals arrivals() {
        return arrivals;
    }

    MemorySegment sendMemory() {
        return train.memory();
    }

    long claim(UdpPeer to, int payloadBytes) {
        assert payloadBytes <= traits.maxPayload();
        return train.claim(to, payloadBytes, now);
    }

    void commit(UdpPeer to, long at, int payloadBytes, int meta, long header) {
        urgent |= !polling && train.isEmpty() && polls - lastCommit > 1;
        train.commit(to, at, payloadBytes, meta, header);
        lastCommit = polls;
        if (urgent && !held || train.isFull()) {
            flush();
        }
    }

    void hold() {
        held = true;
    }

    void release() {
        held = false;
        if (urgent) {
            flush();
        }
    }

    private void flush() {
        urgent = false;
        train.flush(now);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        return poll(sink, limit, MOST_EMPTY);
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        flush();
        return poll(sink, limit, Integer.MAX_VALUE);
    }

    private int poll(FrameSink sink, int limit, int mostEmpty) {
        polls++;
        if (!train.isEmpty() && train.size() == waited) {
            flush();
        }
        polling = true;
        int work = 0;
        try {
            work = arrivals.deliver(sink, limit);
            for (int empty = 0; work == 0 && empty < mostEmpty && arrivals.receive(socket); empty++) {
                work = arrivals.deliver(sink, limit);
            }
        } finally {
            polling = false;
            waited = train.size();
        }
        if (work != 0) {
            socket.wake();
        }
        return work;
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
        return !arrivals.isEmpty() || !train.isEmpty() || socket.isReadable();
    }

    @Override
    public void rest() {
        flush();
    }

    @Override
    public PeerLost advance(long nowNs) {
        now = nowNs;
        if (now - lastSweep > SILENCE_NS || now - lastSweep < 0) {
            lastSweep = now;
            for (UdpPeer each : peers) {
                if (each != null) {
                    each.forgetAfter(SILENCE_NS, now);
                }
            }
        }
        return null;
    }

    @Override
    public void sleep(long ns) {
        socket.sleep(SLEEP_FACTOR * ns);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            train.flush(now);
            socket.close();
            memory.close();
            if (arrivals.foreign() > 0) {
                System.err.println("rankwire: " + members.name(self())
                        + " has dropped datagrams that no rank of the job has sent as they came: "
                        + arrivals.foreign());
            }
        }
    }
}
