package io.rankwire.lab;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Place;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.tcp.TcpFabric;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the secret of a job costs over TCP: the proofs of a connection, and the encryption of frames of 256 KiB, the
 * parts of large messages, from one array to another. Two ranks take turns in one thread, and the time is that of the
 * processor, so that other work on the machine disturbs little. Rounds with and without encryption take turns.
 * Argument: the seconds of each measurement. Run: {@code java --enable-native-access=ALL-UNNAMED
 * -cp lab/target/classes:core/target/classes io.rankwire.lab.SealCost 2}.
 */
public final class SealCost {
    private static final int ROUNDS = 5;
    private static final int FRAME = 256 << 10;
    private static final int LEAD = 16;
    private static final int CONNECTIONS = 200;
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Secret SECRET = new Secret("of this measurement".getBytes(StandardCharsets.UTF_8));
    private static final TcpConfig CONFIG = new TcpConfig(0, 60_000_000_000L, 0);

    private final byte[] from = new byte[FRAME + LEAD];
    private final byte[] to = new byte[FRAME];
    private long arrived;

    private final FrameSink sink = new FrameSink() {
        @Override
        public void frame(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
            arrived += bytes;
        }

        @Override
        public boolean place(int peer, int meta, long header, long first, int bytes, Place place) {
            place.memory = to;
            place.offset = 0;
            place.lead = LEAD;
            return bytes == from.length;
        }

        @Override
        public void placed(int peer, int meta, long header, long first, int bytes) {
            arrived += bytes;
        }
    };

    private SealCost() {}

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(HERE, 0), CONNECTIONS);
    }

    private static List<Port> open(int ranks, boolean encrypted) throws IOException {
        List<ServerSocketChannel> listening = new ArrayList<>();
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            listening.add(listen());
            addresses.add((InetSocketAddress) listening.get(rank).getLocalAddress());
        }
        List<Port> ports = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            ports.add(TcpFabric.open(new Members(rank, addresses, Collections.nCopies(ranks, "here"), SECRET,
                    encrypted), listening.get(rank), CONFIG));
        }
        return ports;
    }

    private void poll(List<Port> ports) {
        for (Port each : ports) {
            each.advance(System.nanoTime());
            each.pollAll(sink, 16);
        }
    }

    private static boolean small(Port port, int peer) {
        Outlet outlet = port.outlet(peer);
        long at = outlet.claim(8);
        if (at != Outlet.FULL) {
            outlet.commit(at, 8, 1, 0);
        }
        return at != Outlet.FULL;
    }

    /** Microseconds of a connection between two ranks until its first frame has come, of both together. */
    private double connect(boolean encrypted) throws IOException {
        long ns = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            List<Port> ports = open(2, encrypted);
            poll(ports);
            long before = now();
            arrived = 0;
            small(ports.get(0), 1);
            while (arrived == 0) {
                poll(ports);
            }
            ns += now() - before;
            ports.forEach(Port::close);
        }
        return ns / 1e3 / CONNECTIONS;
    }

    /** The same of bare sockets: connected, accepted, without a byte. */
    private static double connectBare() throws IOException {
        long ns = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            try (ServerSocketChannel listening = listen()) {
                long before = now();
                try (SocketChannel near = SocketChannel.open(listening.getLocalAddress());
                        SocketChannel far = listening.accept()) {
                    near.configureBlocking(false);
                    far.configureBlocking(false);
                    ns += now() - before;
                }
            }
        }
        return ns / 1e3 / CONNECTIONS;
    }

    /** Microseconds of the six proofs and the two challenges of a connection, of both sides together. */
    private static double proofs() {
        byte[] names = new byte[24];
        int count = 1_000;
        long before = now();
        for (int i = 0; i < count; i++) {
            byte[] one = Secret.challenge();
            byte[] other = Secret.challenge();
            for (String purpose : List.of("answer", "commitment", "welcome")) {
                if (!SECRET.isProof(SECRET.proof(purpose, names, one, other), purpose, names, one, other)) {
                    throw new IllegalStateException(purpose);
                }
            }
        }
        return (now() - before) / 1e3 / count;
    }

    /** Megabytes of frames in a second of the processor, for both ranks together. */
    private double stream(boolean encrypted, double seconds) throws IOException {
        List<Port> ports = open(2, encrypted);
        small(ports.get(0), 1);
        arrived = 0;
        while (arrived == 0) {
            poll(ports);
        }
        arrived = 0;
        long before = now();
        while (now() - before < seconds * 1e9) {
            for (int i = 0; i < 4; i++) {
                send(ports.get(0).outlet(1));
            }
            poll(ports);
        }
        double rate = arrived * 1e3 / (now() - before);
        ports.forEach(Port::close);
        return rate;
    }

    private void send(Outlet outlet) {
        if (!outlet.borrows(from)) {
            return;
        }
        long at = outlet.claim(from.length);
        if (at != Outlet.FULL) {
            outlet.hold();
            outlet.lend(at, from.length, 1, 0, LEAD, from, LEAD);
            outlet.release();
        }
    }

    public static void main(String[] args) throws IOException {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 2;
        SealCost cost = new SealCost();
        System.out.println("processor time of both ranks together; the first round warms up");
        System.out.println("round   proofs us   connect us: bare   plain   encrypted   MB/s: plain   encrypted"
                + "   ratio");
        for (int round = 0; round <= ROUNDS; round++) {
            double proofs = proofs();
            double bare = connectBare();
            double plainConnect = cost.connect(false);
            double sealedConnect = cost.connect(true);
            double plain = cost.stream(false, seconds);
            double sealed = cost.stream(true, seconds);
            System.out.printf("%5d %11.1f %18.1f %7.1f %11.1f %13.0f %11.0f %7.2f%n", round, proofs, bare, plainConnect,
                    sealedConnect, plain, sealed, sealed / plain);
        }
    }
}
