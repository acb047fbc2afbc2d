package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.fabric.Secret;
import io.rankwire.launch.PortRange;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** {@code rankwire doctor --peers}: measures the way to other hosts, on which {@code doctor --serve} runs. */
final class DoctorPeers {
    /** Where the doctor of another host listens if the user says nothing else. */
    static final int PORT = 7733;

    /** How long a connection may take. */
    static final int CONNECT_MS = 5_000;
    private static final int PORT_MS = 2_000;
    private static final long WARM_UP_NS = 100_000_000;
    private static final long MEASURE_NS = 200_000_000;
    private static final int ECHOES = 100;
    private static final int LARGE = 1 << 20;
    private static final int LEAST_LARGE = 4;

    private final Secret secret;
    private final InetAddress from;
    private final PortRange ports;
    private final int connectMs;
    private final PrintStream out;

    /**
     * @param from the address of this host to measure from, or null for the system's choice
     * @param ports the ports to try, or {@link PortRange#ANY} for none
     * @param out where the results go
     */
    DoctorPeers(Secret secret, InetAddress from, PortRange ports, int connectMs, PrintStream out) {
        this.secret = secret;
        this.from = from;
        this.ports = ports;
        this.connectMs = connectMs;
        this.out = out;
    }

    /** Measures with each of the hosts; returns whether all is well. */
    boolean examine(String hosts) {
        boolean well = true;
        for (String each : hosts.split(",")) {
            well &= examineOne(each.strip());
        }
        return well;
    }

    private boolean examineOne(String peer) {
        int colon = peer.lastIndexOf(':');
        boolean isBare = colon < 0 || peer.endsWith("]") || peer.indexOf(':') != colon && !peer.startsWith("[");
        String host = (isBare ? peer : peer.substring(0, colon)).replaceAll("^\\[|]$", "");
        int port;
        try {
            port = isBare ? PORT : PortRange.parse(peer.substring(colon + 1), "the port of " + peer).first();
        } catch (IllegalArgumentException e) {
            return problem(peer, e.getMessage());
        }
        Doctor.print(out, "peer", peer);
        try (DoctorLine line = connect(host, port)) {
            line.proveToServer(secret);
            return measure(peer, line);
        } catch (IOException e) {
            return problem(peer, why(e));
        }
    }

    private boolean problem(String peer, String what) {
        Doctor.print(out, "problem", peer + ": " + what);
        return false;
    }

    /** Tries the addresses of the host in turn. */
    private DoctorLine connect(String host, int port) throws IOException {
        IOException last = null;
        for (InetAddress address : InetAddress.getAllByName(host)) {
            SocketChannel channel = SocketChannel.open();
            try {
                if (from != null) {
                    channel.bind(new InetSocketAddress(from, 0));
                }
                channel.socket().connect(new InetSocketAddress(address, port), connectMs);
                return new DoctorLine(channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                last = e instanceof IOException io ? io : new IOException(e.getMessage(), e);
            }
        }
        throw last;
    }

    /** What keeps two hosts apart, and what to do. */
    private String why(IOException e) {
        String said = String.valueOf(e.getMessage());
        return switch (e) {
            case DoctorLine.Refused _ -> said;
            case UnknownHostException _ -> "its name does not resolve";
            case NoRouteToHostException _ -> "no route to it: the host is down, or on another network";
            case SocketTimeoutException _ -> "no answer within " + connectMs / 1000.0
                    + " s: the host is down, or a firewall drops what is sent to this port";
            case ConnectException _ when said.contains("refused") ->
                    "connection refused: nothing listens there; start `rankwire doctor --serve` on that host";
            case EOFException _ -> "it dropped the connection: see what it has printed";
            default -> said.contains("unreachable") ? "no route to it (" + said + ")" : said;
        };
    }

    private boolean measure(String peer, DoctorLine line) throws IOException {
        InetAddress own = line.local().getAddress();
        NetworkInterface through = NetworkInterface.getByInetAddress(own);
        int mtu = through == null ? 0 : through.getMTU();
        Doctor.print(out, "", "address " + line.remote().getAddress().getHostAddress() + ", from "
                + own.getHostAddress() + (through == null ? "" : " (" + through.getName() + ")"));
        latency(line);
        int path = new PathMtu(line, mtu).find();
        Doctor.print(out, "", path == 0 ? "path MTU not known: datagrams do not pass" : "path MTU " + path + " bytes");
        boolean isLost = path > 0 && path < Math.min(mtu, PathMtu.MOST);
        boolean well = true;
        if (isLost) {
            well = problem(peer, "packets of more than " + path + " bytes are lost on the way, but "
                    + through.getName() + " has MTU " + mtu + ": set the same MTU on all interfaces and switches");
        }
        well &= ports(peer, line);
        try {
            bandwidth(line);
        } catch (SocketTimeoutException e) {
            well = problem(peer, "1 MiB did not arrive within 10 s"
                    + (isLost ? ", since long packets are lost" : ": packets are lost on the way"));
        }
        return well;
    }

    private void latency(DoctorLine line) throws IOException {
        ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES);
        List<Long> times = new ArrayList<>();
        long start = System.nanoTime();
        long now;
        do {
            line.request(DoctorLine.ECHO, ECHOES);
            line.polls(true);
            for (int i = 0; i < ECHOES; i++) {
                long before = System.nanoTime();
                line.write(word);
                line.poll(word);
                times.add(System.nanoTime() - before);
            }
            line.polls(false);
            now = System.nanoTime();
            if (now - start < WARM_UP_NS) {
                times.clear();
            }
        } while (now - start < WARM_UP_NS + MEASURE_NS);
        long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        Doctor.print(out, "", "8 bytes: half round trip " + Cost.time(sorted[sorted.length / 2] / 2.0) + ", at best "
                + Cost.time(sorted[0] / 2.0));
    }

    private void bandwidth(DoctorLine line) throws IOException {
        ByteBuffer large = ByteBuffer.allocateDirect(LARGE);
        ByteBuffer answer = ByteBuffer.allocateDirect(1);
        List<Long> times = new ArrayList<>();
        long start = System.nanoTime();
        line.polls(true);
        do {
            long before = System.nanoTime();
            line.request(DoctorLine.TAKE, LARGE);
            line.write(large);
            line.poll(answer);
            times.add(System.nanoTime() - before);
        } while (times.size() < LEAST_LARGE || System.nanoTime() - start < MEASURE_NS);
        long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        double ns = sorted[sorted.length / 2];
        Doctor.print(out, "", "1 MiB: " + Cost.time(ns) + ", "
                + String.format(Locale.ROOT, "%.0f MB/s", LARGE / ns * 1e3));
    }

    /** Whether connections to the ports of ranks get through. */
    private boolean ports(String peer, DoctorLine line) throws IOException {
        if (ports.equals(PortRange.ANY)) {
            return true;
        }
        int count = Math.min(ports.last() - ports.first() + 1, DoctorLine.MOST_PORTS);
        int last = ports.first() + count - 1;
        line.request(DoctorLine.LISTEN, DoctorLine.range(ports.first(), last));
        byte[] used = line.read(count);
        InetAddress address = line.remote().getAddress();
        List<Future<String>> tries = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int port = ports.first() + i;
                boolean isUsed = used[i] != 0;
                tries.add(pool.submit(() -> isUsed ? "used by another program" : tryPort(address, port)));
            }
        }
        String[] states = tries.stream().map(Future::resultNow).toArray(String[]::new);
        List<String> parts = new ArrayList<>();
        for (int i = 0, end; i < count; i = end) {
            for (end = i; end < count && states[end].equals(states[i]);) {
                end++;
            }
            int first = ports.first() + i;
            parts.add((end - i == 1 ? "" + first : first + "-" + (ports.first() + end - 1)) + " " + states[i]);
        }
        Doctor.print(out, "", "ports " + String.join(", ", parts));
        boolean isOpen = Arrays.stream(states).allMatch(each -> each.equals("open"));
        return isOpen || problem(peer, "not all ports of " + ports.first() + "-" + last + " can be reached there");
    }

    private static String tryPort(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), PORT_MS);
            return "open";
        } catch (SocketTimeoutException e) {
            return "without answer (a firewall?)";
        } catch (IOException e) {
            return "closed (" + e.getMessage() + ")";
        }
    }
}
