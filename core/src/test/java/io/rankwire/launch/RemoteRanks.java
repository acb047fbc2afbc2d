package io.rankwire.launch;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteFabric;
import java.util.HashMap;
import java.util.Map;

/** Runs ranks as threads over a {@link RemoteFabric}, each on a host of its own as far as it can see. */
public final class RemoteRanks implements ThreadRanks.Places {
    private final int size;
    private final long seed;
    private final RemoteFabric.Bug bug;
    private final int refusesOneOf;
    private final Map<Integer, RemoteFabric> worlds = new HashMap<>();

    private RemoteRanks(int size, long seed, RemoteFabric.Bug bug, int refusesOneOf) {
        this.size = size;
        this.seed = seed;
        this.bug = bug;
        this.refusesOneOf = refusesOneOf;
    }

    /** As {@link ThreadRanks#run(int, ThreadRanks.Body)}; returns how many accesses the fabric has made. */
    public static long run(int size, long seed, RemoteFabric.Bug bug, int refusesOneOf, ThreadRanks.Body body) {
        RemoteRanks places = new RemoteRanks(size, seed, bug, refusesOneOf);
        ThreadRanks.run(size, places, body);
        return places.worlds.values().stream().mapToLong(RemoteFabric::made).sum();
    }

    @Override
    public int node(int rank) {
        return rank;
    }

    @Override
    public synchronized Port open(int world, int rank) {
        return worlds.computeIfAbsent(world, number -> new RemoteFabric(size, seed, bug, refusesOneOf)).open(rank);
    }

    @Override
    public synchronized void close() {}
}
