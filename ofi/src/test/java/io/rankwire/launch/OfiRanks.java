package io.rankwire.launch;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.ofi.LoopbackEndpoints;
import io.rankwire.fabric.ofi.OfiConfig;
import java.util.HashMap;
import java.util.Map;

/** Runs ranks as threads over a provider of libfabric, each on a host of its own as far as it can see. */
public final class OfiRanks implements ThreadRanks.Places {
    /** For tests of other modules. */
    public static final class ByName implements NamedRanks {
        @Override
        public void run(String name, int size, ThreadRanks.Body body) {
            OfiRanks.run(name, size, body);
        }
    }

    private final String provider;
    private final int size;
    private final Map<Integer, LoopbackEndpoints> worlds = new HashMap<>();

    private OfiRanks(String provider, int size) {
        this.provider = provider;
        this.size = size;
    }

    public static void run(String provider, int size, ThreadRanks.Body body) {
        ThreadRanks.run(size, new OfiRanks(provider, size), body);
    }

    @Override
    public int node(int rank) {
        return rank;
    }

    @Override
    public synchronized Port open(int world, int rank) {
        return worlds.computeIfAbsent(world, number -> new LoopbackEndpoints(provider, size))
                .open(rank, OfiConfig.DEFAULT.withWorld(world));
    }

    @Override
    public synchronized void close() {
        worlds.values().forEach(LoopbackEndpoints::close);
    }
}
