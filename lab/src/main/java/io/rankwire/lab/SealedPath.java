package io.rankwire.lab;

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
 * and two ranks send 8 bytes to and fro, without the flow layer. Both ranks take turns in one thread, and the time is
 * that of the processor, so that other work on the machine disturbs little; the heap that the thread allocates is
 * counted too. The figures mean something against those of another build only, such as one whose {@code Seal} does
 * nothing: run each in turn, with the classes of its core. Arguments: an address of this host (datagrams are as long as
 * those between hosts if it is not the loopback one), and the seconds of each measurement. Run: {@code java
 * --enable-native-access=ALL-UNNAMED -cp lab/target/classes:core/target/classes io.rankwire.lab.SealedPath 127.0.0.1
 * 2}.
 */
public final class SealedPath {
    private static final int ROUNDS = 5;
    private static final int MESSAGE = 1 << 20;
    /** Bytes of frames that leave together. */
    private static final int TRAIN = 60_000;

    private final List<Port> ports = new ArrayList<>();
    private final FrameSink sink = (peer, meta, header, memory, payload, bytes) -> {
        this.arrived += bytes;
        this.frames++;
    };
    private long arrived;
    private long frames;

    private SealedPath(InetAddress at) throws IOException {
        List<UdpSocket> sockets = List.of(UdpFabric.bind(at, 0), UdpFabric.bind(at, 0));
        List<InetSocketAddress> addresses = sockets.stream().map(UdpSocket::address).toList();
        Secret secret = new Secret(Secret.challenge());
        for (int rank = 0; rank < 2; rank++) {
            ports.add(UdpFabric.open(new Members(rank, addresses, Collections.nCopies(2, "here"), secret),
                    sockets.get(rank)));
        }
    }

    public static void main(String[] args) throws IOException {
        double seconds = Double.parseDouble(args[1]);
        SealedPath path = new SealedPath(InetAddress.getByName(args[0]));
        for (int round = 0; round < ROUNDS; round++) {
            long bytes = allocated();
            long from = path.frames;
            double stream = path.run(seconds, path::stream);
            long bytesOfStream = (allocated() - bytes) / (path.frames - from);
            bytes = allocated();
            from = path.frames;
            double echo = path.run(seconds, path::echo);
            System.out.printf("1 MiB: %.0f us, %d B of heap a frame; 8 B: %.2f us, %d B of heap a frame%n",
                    stream / 1e3, bytesOfStream, echo / 1e3 / 2, (allocated() - bytes) / (path.frames - from));
        }
        path.ports.forEach(Port::close);
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

    private void send(int rank, int bytes) {
        Outlet outlet = ports.get(rank).outlet(1 - rank);
        long at = outlet.claim(bytes);
        outlet.commit(at, bytes, 1, 0);
    }

    private void take(int rank, int polls) {
        if (polls > 10_000_000) {
            throw new IllegalStateException("a datagram was lost");
        }
        ports.get(rank).advance(System.nanoTime());
        ports.get(rank).poll(sink, 32);
    }
}
