package io.rankwire.launch;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.MixedPort;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.fabric.shm.ShmFabric;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.tcp.TcpFabric;
import io.rankwire.fabric.udp.UdpFabric;
import io.rankwire.fabric.udp.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

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
    /** The environment variable that is 1 if what ranks send over a network is sealed. */
    public static final String ENCRYPT = "RANKWIRE_ENCRYPT";
    /** Shared memory inside a host, the network between hosts. */
    public static final String AUTO = "auto";
    /** Shared memory alone. */
    public static final String SHM = "shm";
    /** TCP alone, also inside a host. */
    public static final String TCP = "tcp";
    /** Datagrams alone, also inside a host. */
    public static final String UDP = "udp";
    /** Shared memory inside a host, datagrams between hosts. */
    public static final String SHM_UDP = "shm+udp";
    /** A network of libfabric alone, also inside a host. A colon and the name of a provider may follow. */
    public static final String OFI = "ofi";
    /** Shared memory inside a host, a network of libfabric between hosts. A provider may follow here, too. */
    public static final String SHM_OFI = "shm+ofi";

    private static final Set<String> NAMES = Set.of(AUTO, SHM, TCP, UDP, SHM_UDP, OFI, SHM_OFI);
    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z0-9_;+.-]{1,64}");

    private static final int BACKLOG = 1024;

    private final int size;
    private final int worldSize;
    /** The fabrics of ranks that are threads, one for each world that a rank may still be in. */
    private final Map<Integer, LocalFabric> worlds = new HashMap<>();

    /** For ranks that are threads of this process. */
    Fabrics(int size) {
        this(size, size);
    }

    /**
     * The same where more ranks may come later.
     *
     * @param worldSize the number of ranks at the start, for which rings and slabs are sized
     */
    Fabrics(int size, int worldSize) {
        this.size = size;
        this.worldSize = worldSize;
    }

    /**
     * Opens the port of a rank that is a process of its own.
     *
     * @param size the number of ranks, those that may come later included
     * @param worldSize the number of ranks at the start, for which rings and slabs are sized
     */
    static Port ofProcess(Path directory, int rank, int size, int worldSize) {
        return ShmFabric.open(directory, rank, size, worldSize, geometry());
    }

    /** Opens the port of a rank that is a process of its own, with a geometry. */
    public static Port ofProcess(Path directory, int rank, int size, Geometry geometry) {
        return ShmFabric.open(directory, rank, size, geometry);
    }

    /** Whether a user may choose this: a name of a fabric, or {@code NAME:PROVIDER} of one that has providers. */
    public static boolean isKnown(String fabric) {
        String provider = provider(fabric);
        return NAMES.contains(name(fabric)) && (name(fabric).equals(fabric)
                || isOfi(fabric) && PROVIDER.matcher(provider).matches());
    }

    /** The fabric without its provider. */
    private static String name(String fabric) {
        int colon = fabric.indexOf(':');
        return colon < 0 ? fabric : fabric.substring(0, colon);
    }

    /** What a user has chosen behind the name, or null. */
    public static String provider(String fabric) {
        int colon = fabric.indexOf(':');
        return colon < 0 ? null : fabric.substring(colon + 1);
    }

    /** Whether ranks use libfabric, whose backend is in a jar of its own. */
    public static boolean isOfi(String fabric) {
        return fabric != null && (name(fabric).equals(OFI) || name(fabric).equals(SHM_OFI));
    }

    /** Whether ranks use the network also inside a host. */
    public static boolean isNetworkAlone(String fabric) {
        return fabric != null && Set.of(TCP, UDP, OFI).contains(name(fabric));
    }

    /**
     * Why what ranks send over this fabric cannot be sealed, or null if it can.
     *
     * @param option what has asked for it
     */
    public static String notSealed(String fabric, String option) {
        return isOfi(fabric) ? option + " does not go with fabric " + fabric + ": what libfabric carries is not"
                + " encrypted; choose auto, tcp or udp" : null;
    }

    /**
     * Binds the socket of a rank for the network of a fabric.
     *
     * @param at an address of this host, or null for all of them
     * @param port the port, or 0 for any; a network with addresses of its own chooses itself
     */
    static RankSocket bind(String fabric, InetAddress at, int port) throws IOException {
        if (UDP.equals(fabric) || SHM_UDP.equals(fabric)) {
            return new Datagrams(UdpFabric.bind(at, port));
        }
        if (isOfi(fabric)) {
            return Backends.bind(OFI, provider(fabric), at);
        }
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(at, port), BACKLOG);
            return new Connections(channel, (InetSocketAddress) channel.getLocalAddress());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private record Connections(ServerSocketChannel listening, InetSocketAddress address) implements RankSocket {
        @Override
        public Port open(Members members, int world, int silenceSeconds) {
            TcpConfig usual = TcpConfig.DEFAULT.withWorld(world);
            return TcpFabric.open(members, listening,
                    usual.withPatience(Math.max(usual.patienceNs(), silenceSeconds * 1_000_000_000L)));
        }

        @Override
        public void close() {
            Root.close(listening);
        }
    }

    private record Datagrams(UdpSocket socket) implements RankSocket {
        @Override
        public InetSocketAddress address() {
            return socket.address();
        }

        @Override
        public Port open(Members members, int world, int silenceSeconds) {
            Port port = UdpFabric.open(members, socket);
            FlowConfig config = FlowConfig.datagrams(port.traits().maxPayload(), socket.receiveBuffer());
            FlowPort flow = new FlowPort(port, config, world + 1, System.nanoTime());
            flow.clock(System::nanoTime);
            return flow;
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** Opens the port of a rank that uses shared memory inside its host, and the network between hosts. */
    static Port ofHosts(Path directory, Members members, RankSocket socket, boolean[] inside, int worldSize, int world,
            int silenceSeconds) {
        Port between = socket.open(members, world, silenceSeconds);
        try {
            return MixedPort.over(ofProcess(directory, members.self(), members.size(), worldSize), between, inside);
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
        return worlds.computeIfAbsent(world, number -> new LocalFabric(size, worldSize, geometry())).open(rank);
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
