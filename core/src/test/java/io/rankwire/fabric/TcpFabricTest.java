package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.tcp.TcpFabric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Ports over real sockets of one process keep the contract of all fabrics. */
final class TcpFabricTest extends FabricContract {
    private static final Secret SECRET = new Secret("a secret for tests".getBytes(StandardCharsets.UTF_8));
    /** A connection needs this many visits of both ranks before it carries frames. */
    private static final int ROUNDS = 8;

    private final List<ServerSocketChannel> listening = new ArrayList<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final List<Port> opened = new ArrayList<>();

    @Override
    Port open(int rank, int ranks) throws Exception {
        while (listening.size() < ranks) {
            ServerSocketChannel channel = ServerSocketChannel.open();
            listening.add(channel);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
            addresses.add((InetSocketAddress) channel.getLocalAddress());
        }
        Members members = new Members(rank, addresses, Collections.nCopies(ranks, "localhost"), SECRET);
        // One thread closes all ports here: a port that waits for the others would wait in vain.
        Port port = TcpFabric.open(members, listening.get(rank), new TcpConfig(0, 10_000_000_000L, 0));
        opened.add(port);
        return port;
    }

    @AfterEach
    void closeListening() throws IOException {
        for (ServerSocketChannel channel : listening) {
            channel.close();
        }
    }

    @Override
    void pass() {
        for (int round = 0; round < ROUNDS; round++) {
            for (Port port : opened) {
                assertNull(port.advance(System.nanoTime()));
                port.rest();
            }
        }
    }
}
