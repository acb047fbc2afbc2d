package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The listening sockets of ranks in one process. */
public final class LoopbackRanks implements AutoCloseable {
    public static final Secret SECRET = new Secret("a secret for tests".getBytes(StandardCharsets.UTF_8));

    /** Whether ranks that are opened from now on encrypt. */
    public boolean encrypted;
    final List<ServerSocketChannel> listening = new ArrayList<>();
    /** Where peers connect to: a test may put other addresses here. */
    final List<InetSocketAddress> addresses = new ArrayList<>();

    public LoopbackRanks(int ranks) throws IOException {
        for (int rank = 0; rank < ranks; rank++) {
            ServerSocketChannel channel = listen();
            listening.add(channel);
            addresses.add((InetSocketAddress) channel.getLocalAddress());
        }
    }

    static ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    }

    Members members(int rank, Secret secret) {
        return new Members(rank, addresses, Collections.nCopies(addresses.size(), "localhost"), secret, encrypted);
    }

    /** A rank of two that has no place. */
    static Members somewhere(int rank, Secret secret) {
        return new Members(rank, Collections.nCopies(2, InetSocketAddress.createUnresolved("nowhere", 1)),
                Collections.nCopies(2, "nowhere"), secret);
    }

    public Port open(int rank, TcpConfig config) {
        return TcpFabric.open(members(rank, SECRET), listening.get(rank), config);
    }

    @Override
    public void close() throws IOException {
        for (ServerSocketChannel channel : listening) {
            channel.close();
        }
    }
}
