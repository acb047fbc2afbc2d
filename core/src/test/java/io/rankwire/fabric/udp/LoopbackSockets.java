package io.rankwire.fabric.udp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The sockets of ranks in one process. */
public final class LoopbackSockets implements AutoCloseable {
    static final Secret SECRET = new Secret("a secret for tests".getBytes(StandardCharsets.UTF_8));

    final List<UdpSocket> sockets = new ArrayList<>();
    /** Where peers send to: a test may put other addresses here. */
    final List<InetSocketAddress> addresses = new ArrayList<>();

    public LoopbackSockets(int ranks) throws IOException {
        InetAddress at = InetAddress.getLoopbackAddress();
        for (int rank = 0; rank < ranks; rank++) {
            UdpSocket socket = UdpFabric.bind(at, 0);
            sockets.add(socket);
            addresses.add(socket.address());
        }
    }

    Members members(int rank, Secret secret) {
        return new Members(rank, addresses, Collections.nCopies(addresses.size(), "localhost"), secret);
    }

    public Port open(int rank) {
        return UdpFabric.open(members(rank, SECRET), sockets.get(rank));
    }

    /** With datagrams as long as those between hosts. */
    public Port openAsBetweenHosts(int rank) {
        return new UdpPort(members(rank, SECRET), sockets.get(rank), UdpFabric.NETWORK, false);
    }

    @Override
    public void close() {
        sockets.forEach(UdpSocket::close);
    }
}
