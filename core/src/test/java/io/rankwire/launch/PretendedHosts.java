package io.rankwire.launch;

import io.rankwire.fabric.HostsFabric;
import io.rankwire.fabric.Port;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Runs ranks as threads that are on several hosts, as far as they can see. */
public final class PretendedHosts implements ThreadRanks.Places {
    private final int size;
    private final IntUnaryOperator host;
    private final Map<Integer, HostsFabric> worlds = new HashMap<>();

    private PretendedHosts(int size, IntUnaryOperator host) {
        this.size = size;
        this.host = host;
    }

    /**
     * As {@link ThreadRanks#run(int, ThreadRanks.Body)}.
     *
     * @param host the host of each rank
     */
    public static void run(int size, IntUnaryOperator host, ThreadRanks.Body body) {
        ThreadRanks.run(size, new PretendedHosts(size, host), body);
    }

    static ThreadRanks.Places places(int size, IntUnaryOperator host) {
        return new PretendedHosts(size, host);
    }

    @Override
    public int node(int rank) {
        return host.applyAsInt(rank);
    }

    @Override
    public synchronized Port open(int world, int rank) {
        return worlds.computeIfAbsent(world, number -> new HostsFabric(size, host)).open(rank);
    }

    @Override
    public synchronized void close() {
        worlds.values().forEach(HostsFabric::close);
    }
}
