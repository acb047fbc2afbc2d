package io.rankwire.launch;

import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.MixedPort;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.fabric.shm.ShmFabric;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.tcp.TcpFabric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Chooses the fabric of a job's ranks. No other class names one. */
public final class Fabrics implements ThreadRanks.Places {
    /** The environment variable with the geometry of rings and slabs, the same for all ranks of a job. */
    public static final String GEOMETRY = "RANKWIRE_GEOMETRY";

    /** The environment variable with what messages cost inside a host. */
    public static final String COST = "RANKWIRE_COST";
    /** The environment variable with the fabric of the job. */
    public static final String FABRIC = "RANKWIRE_FABRIC";
    /** The environment variable with the seconds that ranks wait for each other at the start. */
    public static final String START_TIMEOUT = "RANKWIRE_START_TIMEOUT";
    /** Shared memory inside a host, the network between hosts. */
    public static final String AUTO = "auto";
    /** Shared memory alone. */
    public static final String SHM = "shm";
    /** TCP alone, also inside a host. */
    public static final String TCP = "tcp";

    private static final int BACKLOG = 1024;

    private final int size;
    /** The fabrics of ranks that are threads, one for each world that a rank may still be in. */
    private final Map<Integer, LocalFabric> worlds = new HashMap<>();

    /** For ranks that are threads of this process. */
    Fabrics(int size) {
        this.size = size;
    }

    /** Opens the port of a rank that is a process of its own. */
    static Port ofProcess(Path directory, int rank, int size) {
        return ofProcess(directory, rank, size, geometry());
    }

    /** Opens the port of a rank that is a process of its own, with a geometry. */
    public static Port ofProcess(Path directory, int rank, int size, Geometry geometry) {
        return ShmFabric.open(directory, rank, size, geometry);
    }

    /**
     * Listens for other ranks.
     *
     * @param at an address of this host, or null for all
     */
    static ServerSocketChannel listen(InetAddress at, PortRange ports) {
        return ports.bind(at, port -> {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                return channel.bind(new InetSocketAddress(at, port), BACKLOG);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        });
    }

    /**
     * Opens the port of a rank of a job in which all ranks use the network.
     *
     * @param silenceSeconds for how long the network may carry nothing; a port has some patience anyway
     */
    static Port ofNetwork(Members members, ServerSocketChannel listening, int silenceSeconds) {
        TcpConfig usual = TcpConfig.DEFAULT;
        return TcpFabric.open(members, listening,
                usual.withPatience(Math.max(usual.patienceNs(), silenceSeconds * 1_000_000_000L)));
    }

    /** Opens the port of a rank that uses shared memory inside its host, and the network between hosts. */
    static Port ofHosts(Path directory, Members members, ServerSocketChannel listening, int silenceSeconds,
            boolean[] inside) {
        Port between = ofNetwork(members, listening, silenceSeconds);
        try {
            return MixedPort.over(ofProcess(directory, members.self(), members.size()), between, inside);
        } catch (RuntimeException e) {
            between.close();
            throw e;
        }
    }

    /** What the launcher has passed, or the default for a program that it has not started. */
    private static Geometry geometry() {
        String set = System.getenv(GEOMETRY);
        Geometry geometry = set == null ? Geometry.DEFAULT : Geometry.parse(set);
        if (geometry == null) {
            throw new IllegalStateException(
                    "variable " + GEOMETRY + ": \"" + set + "\" is not two plausible sizes in bytes");
        }
        return geometry;
    }

    /** Opens the port of a rank that is a thread. All ranks have left the world before the last one by then. */
    @Override
    public synchronized Port open(int world, int rank) {
        closeBefore(world - 1);
        return worlds.computeIfAbsent(world, number -> new LocalFabric(size, geometry())).open(rank);
    }

    @Override
    public int node(int rank) {
        return 0;
    }

    @Override
    public synchronized void close() {
        closeBefore(Integer.MAX_VALUE);
    }

    private void closeBefore(int first) {
        worlds.entrySet().removeIf(world -> {
            boolean over = world.getKey() < first;
            if (over) {
                world.getValue().close();
            }
            return over;
        });
    }
}
