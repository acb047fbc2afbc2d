package io.rankwire.fabric;

import io.rankwire.fabric.local.LocalFabric;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Ranks of one process as if they were on several hosts: the ranks of a host have a fabric of their own, and another
 * one lies between all of them. A port fails when it is asked for the way to a rank that the other one leads to, and
 * that of the fabric between fails when it is asked for memory.
 */
public final class HostsFabric implements AutoCloseable {
    private final int ranks;
    private final IntUnaryOperator host;
    private final int linesInside;
    private final LocalFabric between;
    private final Map<Integer, LocalFabric> hosts = new HashMap<>();

    /**
     * @param host the host of each rank
     */
    public HostsFabric(int ranks, IntUnaryOperator host) {
        this(ranks, host, Geometry.ringLines(ranks), Geometry.ringLines(ranks));
    }

    public HostsFabric(int ranks, IntUnaryOperator host, int linesInside, int linesBetween) {
        this.ranks = ranks;
        this.host = host;
        this.linesInside = linesInside;
        this.between = new LocalFabric(ranks, linesBetween);
    }

    public synchronized Port open(int rank) {
        boolean[] isInside = new boolean[ranks];
        boolean[] isOutside = new boolean[ranks];
        for (int other = 0; other < ranks; other++) {
            isInside[other] = host.applyAsInt(other) == host.applyAsInt(rank);
            isOutside[other] = !isInside[other];
        }
        LocalFabric inside =
                hosts.computeIfAbsent(host.applyAsInt(rank), number -> new LocalFabric(ranks, linesInside));
        return MixedPort.over(new Checked(inside.open(rank), isInside, true),
                new Checked(between.open(rank), isOutside, false), isInside);
    }

    @Override
    public synchronized void close() {
        hosts.values().forEach(LocalFabric::close);
        between.close();
    }

    private static final class Checked extends PortLayer {
        private final boolean[] leadsTo;
        private final boolean hasMemory;

        Checked(Port below, boolean[] leadsTo, boolean hasMemory) {
            super(below);
            this.leadsTo = leadsTo;
            this.hasMemory = hasMemory;
        }

        @Override
        public Outlet outlet(int peer) {
            check(leadsTo[peer], "the way to rank " + peer);
            return below.outlet(peer);
        }

        @Override
        public SharedMemory memory() {
            check(hasMemory, "memory");
            return below.memory();
        }

        @Override
        public PeerMemory peerMemory() {
            check(hasMemory, "memory of processes");
            return below.peerMemory();
        }

        private void check(boolean right, String what) {
            if (!right) {
                throw new AssertionError("rank " + self() + " asks the wrong port for " + what);
            }
        }
    }
}
