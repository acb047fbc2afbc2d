package io.rankwire.lab;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.fabric.udp.UdpFabric;
import io.rankwire.fabric.udp.UdpSocket;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What datagrams cost the processor, with all that is done to seal them: one rank streams messages of 1 MiB to another,
 * with the flow layer and without it, and two ranks send 8 bytes to and fro without it. Both ranks take turns in one
 * thread, the clock of the flow layer counts turns, and the time is that of the processor, so that other work on the
 * machine disturbs little; the heap that the thread allocates is counted too. The figures mean something against those
 * of another build only, such as one whose {@code Seal} does nothing: run each in turn, with the classes of its core.
 * Arguments: an address of this host (datagrams are as long as those between hosts if it is not the loopback one), and
 * the seconds of each measurement. Run: {@code java --enable-native-access=ALL-UNNAMED -cp
 * lab/target/classes:core/target/classes io.rankwire.lab.SealedPath 127.0.0.1 2}.
 */
public final class SealedPath {
    private static final int ROUNDS = 5;
    private static final int MESSAGE = 1 << 20;
    /** Bytes of frames that leave together. */
    private static final int TRAIN = 60_000;
    /** What the clock of the flow layer takes for a turn of both ranks. */
    private static final int TURN_NS = 10_000;

    private final List<Port> ports = new ArrayList<>();
    private final FrameSink sink = (peer, meta, header, memory, payload, bytes) -> {
        this.arrived += bytes;
        this.frames++;
    };
    private long arrived;
    private long frames;
    private long clock;

    private SealedPath(InetAddress at, boolean flows) throws IOException {
        List<UdpSocket> sockets = List.of(UdpFabric.bind(at, 0), UdpFabric.bind(at, 0));
        List<InetSocketAddress> addresses = sockets.stream().map(UdpSocket::address).toList();
        Secret secret = new Secret(Secret.challenge());
        for (int rank = 0; rank < 2; rank++) {
            Port port = UdpFabric.open(new Members(rank, addresses, Collections.nCopies(2, "here"), secret),
                    sockets.get(rank));
            if (flows) {
                FlowPort flow = new FlowPort(port,
                        FlowConfig.datagrams(port.traits().maxPayload(), sockets.get(rank).receiveBuffer()), 1, clock);
                flow.clock(() -> clock);
                port = flow;
            }
            ports.add(port);
        }
    }

    public static void main(String[] args) throws IOException {
        InetAddress at = InetAddress.getByName(args[0]);
        double seconds = Double.parseDouble(args[1]);
        SealedPath flow = new SealedPath(at, true);
        SealedPath path = new SealedPath(at, false);
        for (int round = 0; round < ROUNDS; round++) {
            flow.measure("1 MiB in a flow", seconds, flow::flow);
            path.measure("; 1 MiB", seconds, path::stream);
            path.measure("; 8 B there and back", seconds, path::echo);
            System.out.println();
        }
        path.ports.forEach(Port::close);
        flow.ports.forEach(Port::close);
    }

    private void measure(String what, double seconds, Runnable work) {
        long bytes = allocated();
        long from = frames;
        double ns = run(seconds, work);
        System.out.printf("%s: %.2f us, %d B of heap a frame", what, ns / 1e3, (allocated() - bytes) / (frames - from));
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static long processorNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Nanoseconds of the processor for one turn of the work. */
    private double run(double seconds, Runnable work) {
        long turns = 0;
        long start = processorNs();
        long now = start;
        while (now - start < seconds * 1e9) {
            for (int i = 0; i < 20; i++) {
                work.run();
            }
            turns += 20;
            now = processorNs();
        }
        return (double) (now - start) / turns;
    }

    private void flow() {
        long until = arrived + MESSAGE;
        int most = ports.getFirst().traits().maxPayload();
        int left = MESSAGE;
        for (int polls = 0; arrived < until; polls++) {
            int bytes = Math.min(left, most);
            while (bytes > 0 && send(0, bytes)) {
                left -= bytes;
                bytes = Math.min(left, most);
            }
            ports.getFirst().rest();
            take(1, polls);
            ports.get(1).rest();
            take(0, polls);
            clock += TURN_NS;
        }
    }

    private void stream() {
        int most = ports.getFirst().traits().maxPayload();
        int together = Math.max(1, TRAIN / most);
        for (int left = MESSAGE; left > 0; ) {
            long until = arrived;
            for (int i = 0; i < together && left > 0; i++) {
                int bytes = Math.min(left, most);
                send(0, bytes);
                left -= bytes;
                until += bytes;
            }
            ports.getFirst().rest();
            for (int polls = 0; arrived < until; polls++) {
                take(1, polls);
            }
        }
        ports.getFirst().poll(sink, 32);
    }

    private void echo() {
        for (int rank = 0; rank < 2; rank++) {
            long until = frames + 1;
            send(rank, 8);
            ports.get(rank).rest();
            for (int polls = 0; frames < until; polls++) {
                take(1 - rank, polls);
            }
        }
    }

    private boolean send(int rank, int bytes) {
        Outlet outlet = ports.get(rank).outlet(1 - rank);
        long at = outlet.claim(bytes);
        if (at >= 0) {
            outlet.commit(at, bytes, 1, 0);
        }
        return at >= 0;
    }

    private void take(int rank, int polls) {
        if (polls > 10_000_000) {
            throw new IllegalStateException("a datagram was lost");
        }
        ports.get(rank).advance(clock);
        ports.get(rank).poll(sink, 32);
    }
}
