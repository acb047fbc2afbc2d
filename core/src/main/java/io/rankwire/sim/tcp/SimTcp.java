package io.rankwire.sim.tcp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.tcp.TcpFabric;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.Frames;
import io.rankwire.sim.SimFabric;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * The systems of simulated hosts, one for each rank, and TCP between them. Bytes travel in segments, which are frames
 * of a {@link SimFabric}: they take the time that its devices and links take, and share them. A system answers whether
 * or not the process of its rank runs. Segments of a connection come once and in order, perhaps late: that is what the
 * repetitions of TCP make of a network that loses them.
 */
public final class SimTcp implements SimFabric.Receiver {
    /** What goes wrong with connections. Called as segments come and processes read and write. */
    public interface Trouble {
        /** How late the system takes a segment that has come to a host; {@link #LOST} for never. */
        long late(int from, int to);

        /** How many of these bytes, which are there or have room, a process reads or writes at once. */
        int part(int bytes);
    }

    /** A segment that never comes. */
    public static final long LOST = -1;

    // Kinds of segments. The header is the number of the connection above, and a count of bytes below.
    static final int CONNECT = 1;
    static final int CONNECTED = 2;
    static final int BYTES = 3;
    /** The process has read a number of bytes. */
    static final int READ = 4;
    static final int END = 5;
    static final int RESET = 6;

    /** Connections that wait for a process to accept them; the dialer's system tries again when there are more. */
    private static final int BACKLOG = 128;
    private static final long TRY_AGAIN_PS = 1_000_000_000_000L;
    /** A process that waits though it could go on is woken so long after it has looked. */
    private static final long LEVEL_PS = 1_000_000;
    private static final long PS_PER_NS = 1_000;
    /** In the second word of events: the first is not a segment but one of {@link #plans}. */
    private static final long PLAN = 1;

    final Events events;
    final SimFabric fabric;
    /** Bytes of a connection that were written and not read. */
    final int window;
    Trouble trouble;
    private final SimHost[] hosts;
    private final Port[] ports;
    private final Secret secret = new Secret(new byte[Secret.LEAST]);
    private final List<InetSocketAddress> addresses;
    private final List<String> names;
    private final List<Runnable> plans = new ArrayList<>();
    /** Connections that the network between has forgotten, for both directions or one. */
    private final BitSet forgotten = new BitSet();
    private int connections;

    /**
     * @param fabric one that keeps frames in order
     * @param window bytes of a connection that may be on their way or wait at the receiver
     */
    public SimTcp(SimFabric fabric, Events events, int window) {
        this.fabric = fabric;
        this.events = events;
        this.window = window;
        int ranks = fabric.ranks();
        hosts = new SimHost[ranks];
        ports = new Port[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            hosts[rank] = new SimHost(this, rank);
        }
        addresses = Collections.nCopies(ranks, InetSocketAddress.createUnresolved("simulated", 1));
        names = IntStream.range(0, ranks).mapToObj(rank -> "node" + fabric.node(rank)).toList();
        fabric.receiver(this);
    }

    /** Sets what goes wrong from now on; null for nothing. */
    public void trouble(Trouble other) {
        trouble = other;
    }

    /**
     * Opens the port of a rank in a world; that of the world before is closed.
     *
     * @param sleeper lets a process sleep for some nanoseconds
     */
    public Port open(int rank, int world, LongConsumer sleeper) {
        hosts[rank].opened(sleeper);
        ports[rank] = TcpFabric.open(new Members(rank, addresses, names, secret), hosts[rank],
                TcpConfig.DEFAULT.withWorld(world));
        return ports[rank];
    }

    /** Returns what is wrong with the port of a rank, or null. */
    public String audit(int rank) {
        return TcpFabric.audit(ports[rank]);
    }

    /** Whether the peers of a rank have acknowledged all that it has sent, but for those that are lost. */
    public boolean isAtRest(int rank) {
        return TcpFabric.isAtRest(ports[rank]);
    }

    /** When the process of a rank has something to do though nothing comes, in nanoseconds. */
    public long nextNeed(int rank) {
        if (!hosts[rank].isOpen()) {
            return Long.MAX_VALUE;
        }
        return hosts[rank].mayHaveWork() ? (hosts[rank].lookedPs() + LEVEL_PS) / PS_PER_NS
                : ports[rank].nextDeadline();
    }

    /** Has something happen to a rank at that time. */
    public void plan(int rank, long at, Runnable what) {
        fabric.later(rank, at, plans.size(), PLAN);
        plans.add(what);
    }

    /** The process of a rank ends. Its system ends its connections, and takes no new ones. */
    public void kill(int rank) {
        hosts[rank].kill();
    }

    /** Whether the process of a rank has closed its port. */
    public boolean isClosed(int rank) {
        return ports[rank] != null && !hosts[rank].isOpen();
    }

    /** Ends of connections that are open at a rank. */
    public int sockets(int rank) {
        return hosts[rank].sockets();
    }

    /** Breaks a connection, if there is one: a system forgets it, and may or may not send word of that. */
    public boolean resetOne(Rand rand) {
        SimSocket socket = any(rand);
        if (socket == null || !socket.isConnected()) {
            return false;
        }
        socket.lose(rand.below(socket.available() + 1));
        if (rand.chance(1, 2)) {
            socket.signal(RESET, 0, events.now());
        }
        return true;
    }

    /** No segment of a connection passes any more, in one direction or both; no system knows. */
    public boolean forgetOne(Rand rand) {
        SimSocket socket = any(rand);
        SimSocket other = socket == null ? null : hosts[socket.peer].socket(socket.number);
        if (other == null || !socket.isConnected() || !other.isConnected()) {
            return false;
        }
        int ways = rand.between(1, 3);
        for (int way = 0; way < 2; way++) {
            if ((ways >> way & 1) != 0) {
                forgotten.set(2 * socket.number + way);
            }
        }
        return true;
    }

    private SimSocket any(Rand rand) {
        return hosts[rand.below(hosts.length)].any(rand);
    }

    SimHost host(int rank) {
        return hosts[rank];
    }

    int nextConnection() {
        return connections++;
    }

    @Override
    public int arrived(int frame) {
        Frames frames = fabric.frames;
        int from = frames.from(frame);
        int to = frames.to(frame);
        int number = number(frames.header(frame));
        long late = trouble == null ? 0 : trouble.late(from, to);
        if (late == LOST || forgotten.get(2 * number + (from < to ? 0 : 1))) {
            frames.give(frame);
            return -1;
        }
        SimSocket socket = hosts[to].socket(number);
        long at = events.now() + late;
        if (socket != null) {
            at = Math.max(at, socket.heldUntil);
            socket.heldUntil = at;
        }
        if (at == events.now() && (socket == null || socket.held == 0)) {
            return take(frame, socket);
        }
        if (socket != null) {
            socket.held++;
        }
        fabric.later(to, at, frame, 0);
        return -1;
    }

    @Override
    public int happened() {
        if (events.second() == PLAN) {
            plans.get((int) events.first()).run();
            return -1;
        }
        int frame = (int) events.first();
        SimSocket socket = hosts[fabric.frames.to(frame)].socket(number(fabric.frames.header(frame)));
        if (socket != null && socket.held > 0) {
            socket.held--;
        }
        return take(frame, socket);
    }

    static int number(long header) {
        return (int) (header >>> 32);
    }

    /** The system of the host takes a segment, which is for this socket if it is not null. */
    private int take(int frame, SimSocket socket) {
        Frames frames = fabric.frames;
        SimHost host = hosts[frames.to(frame)];
        int kind = frames.meta(frame);
        int number = number(frames.header(frame));
        if (kind == CONNECT && socket == null && host.waiting() >= BACKLOG) {
            fabric.later(host.rank, events.now() + TRY_AGAIN_PS, frame, 0);
            return -1;
        }
        boolean moves = true;
        if (kind == CONNECT) {
            moves = host.arrives(frames.from(frame), number);
        } else if (socket != null) {
            moves = socket.take(kind, frame);
        } else if (kind == BYTES || kind == CONNECTED) {
            host.signal(frames.from(frame), RESET, number, 0, events.now());
            moves = false;
        }
        frames.give(frame);
        return moves ? host.rank : -1;
    }
}
