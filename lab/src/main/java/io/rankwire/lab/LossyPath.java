package io.rankwire.lab;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.fabric.udp.UdpFabric;
import io.rankwire.fabric.udp.UdpSocket;
import io.rankwire.memory.Rand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a stream of datagrams carries when some are lost: one rank sends to another through a relay that loses 0, 1 and
 * 5 % of all datagrams in both directions. Both ranks and the relay take turns in one thread, and the time is that of
 * the processor, so that other work on the machine disturbs little. The relay passes each datagram by two system calls
 * and is the narrowest place of the path: the figures mean something against each other only. Arguments: an address of
 * this host (datagrams are as long as those between hosts if it is not the loopback one), and the seconds of each
 * measurement. Run: {@code java --enable-native-access=ALL-UNNAMED -cp lab/target/classes:core/target/classes
 * io.rankwire.lab.LossyPath 10.0.0.1 2}.
 */
public final class LossyPath {
    private static final int[] LOSSES = {0, 100, 500};
    private static final int ROUNDS = 3;
    /** Datagrams that the relay passes in a turn, each way. */
    private static final int RELAYED = 32;

    private final List<UdpSocket> sockets = new ArrayList<>();
    private final List<InetSocketAddress> relayed = new ArrayList<>();
    private final List<DatagramChannel> facing = new ArrayList<>();
    private final List<FlowPort> ports = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final Rand rand = new Rand(7);
    private long arrived;
    private final FrameSink sink = (peer, meta, header, memory, payload, bytes) -> arrived += bytes;

    private LossyPath(InetAddress at) throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            sockets.add(UdpFabric.bind(at, 0));
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, UdpSocket.RECEIVE_BUFFER);
            channel.bind(new InetSocketAddress(at, 0)).configureBlocking(false);
            facing.add(channel);
            relayed.add((InetSocketAddress) channel.getLocalAddress());
        }
        Secret secret = new Secret(Secret.challenge());
        for (int rank = 0; rank < 2; rank++) {
            UdpSocket socket = sockets.get(rank);
            Port port = UdpFabric.open(new Members(rank, relayed, Collections.nCopies(2, at.toString()), secret),
                    socket);
            FlowPort flow = new FlowPort(port,
                    FlowConfig.datagrams(port.traits().maxPayload(), socket.receiveBuffer()), 1, System.nanoTime());
            flow.clock(System::nanoTime);
            ports.add(flow);
        }
    }

    public static void main(String[] args) throws IOException {
        InetAddress at = InetAddress.getByName(args[0]);
        double seconds = Double.parseDouble(args[1]);
        for (int round = 0; round < ROUNDS; round++) {
            double without = 0;
            for (int loss : LOSSES) {
                LossyPath path = new LossyPath(at);
                path.run(loss, seconds / 4);
                double rate = path.run(loss, seconds);
                without = loss == 0 ? rate : without;
                System.out.printf("%d %% lost: %.0f MB/s, %.2f of that without loss, %d frames sent again%n",
                        loss / 100, rate, rate / without, path.ports.getFirst().resent());
                path.close();
            }
        }
    }

    private static long processorNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Bytes a microsecond. */
    private double run(int loss, double seconds) throws IOException {
        long before = arrived;
        long start = processorNs();
        for (long now = start; now - start < seconds * 1e9; now = processorNs()) {
            for (int turn = 0; turn < 100; turn++) {
                drive(0);
                send();
                relay(loss);
                drive(1);
                relay(loss);
            }
        }
        return (arrived - before) * 1e3 / (processorNs() - start);
    }

    private void drive(int rank) {
        FlowPort port = ports.get(rank);
        PeerLost lost = port.advance(System.nanoTime());
        if (lost != null) {
            throw lost;
        }
        while (port.poll(sink, 32) > 0) {
            // Until all that has come is taken.
        }
        port.rest();
    }

    private void send() {
        Outlet outlet = ports.getFirst().outlet(1);
        int bytes = ports.getFirst().traits().maxPayload();
        long at;
        for (int i = 0; i < RELAYED && (at = outlet.claim(bytes)) >= 0; i++) {
            outlet.memory().asSlice(at, bytes).fill((byte) i);
            outlet.commit(at, bytes, 1, 0);
        }
        ports.getFirst().rest();
    }

    private void relay(int loss) throws IOException {
        for (int to = 0; to < 2; to++) {
            DatagramChannel channel = facing.get(to);
            for (int i = 0; i < RELAYED && channel.receive(buffer.clear()) != null; i++) {
                if (rand.below(10_000) >= loss) {
                    channel.send(buffer.flip(), sockets.get(to).address());
                }
            }
        }
    }

    private void close() throws IOException {
        ports.forEach(Port::close);
        for (DatagramChannel each : facing) {
            each.close();
        }
    }
}
