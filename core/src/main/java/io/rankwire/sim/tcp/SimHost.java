package io.rankwire.sim.tcp;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.tcp.Connection;
import io.rankwire.fabric.tcp.Network;
import io.rankwire.memory.Rand;
import io.rankwire.sim.SimPort;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ByteChannel;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The sockets of one rank. Its system listens from the start of the job to its end, so that connections to a process
 * that has not opened its port yet wait for it.
 */
final class SimHost implements Network {
    final int rank;
    final SimTcp tcp;
    private final SimPort port;
    private final Map<Integer, SimSocket> sockets = new LinkedHashMap<>();
    private final Map<Integer, Outlet> outlets = new LinkedHashMap<>();
    /** Connections that the process has not accepted. */
    private final Queue<SimSocket> arriving = new ArrayDeque<>();
    /** Sockets that can be read, or whose connection is complete or over. */
    private final Set<SimSocket> ready = new LinkedHashSet<>();
    /** Sockets that the process wants to write to. */
    private final Set<SimSocket> full = new LinkedHashSet<>();
    private LongConsumer sleeper;
    private long lookedPs;
    private boolean isOpen;
    private boolean isDead;

    SimHost(SimTcp tcp, int rank) {
        this.tcp = tcp;
        this.rank = rank;
        this.port = tcp.fabric.port(rank);
    }

    void opened(LongConsumer sleeps) {
        sleeper = sleeps;
        isOpen = true;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** When the process has last looked for something to do. */
    long lookedPs() {
        return lookedPs;
    }

    int sockets() {
        return sockets.size();
    }

    SimSocket socket(int number) {
        return sockets.get(number);
    }

    /** One of the sockets; null if there is none. */
    SimSocket any(Rand rand) {
        if (sockets.isEmpty()) {
            return null;
        }
        List<SimSocket> all = List.copyOf(sockets.values());
        // The newest are about to be agreed on.
        return rand.chance(1, 2) ? all.getLast() : all.get(rand.below(all.size()));
    }

    int waiting() {
        return arriving.size();
    }

    SimPort port() {
        return port;
    }

    Outlet outlet(int peer) {
        return outlets.computeIfAbsent(peer, port::outlet);
    }

    void signal(int to, int kind, int number, int count, long at) {
        port.signal(to, kind, (long) number << 32 | count, MemorySegment.NULL, at);
    }

    /** The system of another rank begins a connection; returns whether there is something to accept. */
    boolean arrives(int from, int number) {
        if (isDead) {
            signal(from, SimTcp.RESET, number, 0, tcp.events.now());
            return false;
        }
        SimSocket socket = new SimSocket(this, from, number, true);
        sockets.put(number, socket);
        arriving.add(socket);
        signal(from, SimTcp.CONNECTED, number, 0, tcp.events.now());
        return true;
    }

    void ready(SimSocket socket, boolean is) {
        if (is) {
            ready.add(socket);
        } else {
            ready.remove(socket);
        }
    }

    void remove(SimSocket socket) {
        sockets.remove(socket.number);
        ready.remove(socket);
        full.remove(socket);
    }

    void kill() {
        isDead = true;
        for (SimSocket socket : List.copyOf(sockets.values())) {
            socket.signal(SimTcp.RESET, 0, tcp.events.now());
            remove(socket);
        }
        arriving.clear();
    }

    @Override
    public ByteChannel dial(int to, Connection connection) {
        SimSocket socket = new SimSocket(this, to, tcp.nextConnection(), false);
        socket.connection = connection;
        sockets.put(socket.number, socket);
        socket.signal(SimTcp.CONNECT, 0, port.clockPs());
        return socket;
    }

    @Override
    public boolean finish(ByteChannel channel) throws IOException {
        return ((SimSocket) channel).finish();
    }

    @Override
    public ByteChannel accept(Connection connection) {
        SimSocket socket = arriving.poll();
        if (socket != null) {
            socket.connection = connection;
        }
        return socket;
    }

    @Override
    public void awaitRoom(ByteChannel channel, boolean wanted) {
        SimSocket socket = (SimSocket) channel;
        if (wanted && socket.isOpen()) {
            full.add(socket);
        } else {
            full.remove(socket);
        }
    }

    boolean awaitsRoom(SimSocket socket) {
        return full.contains(socket);
    }

    @Override
    public void look(Events events) {
        lookedPs = tcp.events.now();
        if (!ready.isEmpty()) {
            for (SimSocket socket : ready.toArray(SimSocket[]::new)) {
                if (socket.connection != null && socket.isOpen()) {
                    events.ready(socket.connection);
                }
            }
        }
        if (!arriving.isEmpty()) {
            events.arriving();
        }
    }

    @Override
    public boolean mayHaveWork() {
        return !ready.isEmpty() || !arriving.isEmpty() || full.stream().anyMatch(SimSocket::hasRoom);
    }

    @Override
    public void sleep(long ns) {
        sleeper.accept(ns);
    }

    @Override
    public boolean isAsleep() {
        return false;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {
        isOpen = false;
    }
}
