package io.rankwire.launch;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.MixedPort;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortLayer;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.fabric.local.LocalFabric;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Ranks of one process on hosts that differ: each has a fabric of its own, and another one lies between all of them,
 * whose memory no rank may ask for.
 */
public final class PretendedHosts implements ThreadRanks.Places {
    private static final int BETWEEN = -1;

    private record Key(int world, int host) {}

    private final int size;
    private final IntUnaryOperator host;
    private final Map<Key, LocalFabric> fabrics = new HashMap<>();

    private PretendedHosts(int size, IntUnaryOperator host) {
        this.size = size;
        this.host = host;
    }

    /** Runs ranks on the hosts given. */
    public static void run(int size, IntUnaryOperator host, ThreadRanks.Body body) {
        ThreadRanks.run(size, new PretendedHosts(size, host), body);
    }

    @Override
    public int node(int rank) {
        return host.applyAsInt(rank);
    }

    @Override
    public synchronized Port open(int world, int rank) {
        boolean[] isInside = new boolean[size];
        for (int other = 0; other < size; other++) {
            isInside[other] = node(other) == node(rank);
        }
        return MixedPort.over(new Within(fabric(world, node(rank)).open(rank), isInside),
                new Between(fabric(world, BETWEEN).open(rank), isInside), isInside);
    }

    private LocalFabric fabric(int world, int of) {
        return fabrics.computeIfAbsent(new Key(world, of), key -> new LocalFabric(size));
    }

    @Override
    public synchronized void close() {
        fabrics.values().forEach(LocalFabric::close);
    }

    /** A port that fails when a frame would go to a rank that it does not lead to. */
    private abstract static class Checked extends PortLayer {
        private final boolean[] leadsTo;

        Checked(Port below, boolean[] leadsTo) {
            super(below);
            this.leadsTo = leadsTo;
        }

        @Override
        public Outlet outlet(int peer) {
            if (!leadsTo[peer]) {
                throw new AssertionError("rank " + self() + " asks the wrong port for the way to rank " + peer);
            }
            return below.outlet(peer);
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            return below.poll(sink, limit);
        }

        @Override
        public int pollAll(FrameSink sink, int limit) {
            return below.pollAll(sink, limit);
        }
    }

    private static final class Within extends Checked {
        Within(Port below, boolean[] isInside) {
            super(below, isInside);
        }
    }

    private static final class Between extends Checked {
        Between(Port below, boolean[] isInside) {
            super(below, others(isInside));
        }

        private static boolean[] others(boolean[] isInside) {
            boolean[] others = new boolean[isInside.length];
            for (int i = 0; i < others.length; i++) {
                others[i] = !isInside[i];
            }
            return others;
        }

        @Override
        public SharedMemory memory() {
            throw new AssertionError("rank " + self() + " asks for memory of ranks on other hosts");
        }

        @Override
        public PeerMemory peerMemory() {
            throw new AssertionError("rank " + self() + " asks for memory of processes on other hosts");
        }
    }
}
