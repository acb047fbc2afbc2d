package io.rankwire.fabric.tcp;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.NetworkEndpoint;
import io.rankwire.fabric.NetworkFabric;
import io.rankwire.fabric.Port;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Stands for a network in a jar of its own: connections between ranks that know each other by names alone. The provider
 * {@code absent} is not there, and one that is called {@code longN} has names of N bytes more.
 */
public final class NamedFabric implements NetworkFabric {
    private static final String LONG = "long";

    @Override
    public String name() {
        return "ofi";
    }

    @Override
    public NetworkEndpoint bind(String provider, InetAddress at) {
        if ("absent".equals(provider)) {
            throw new FabricException("there is no provider absent: try another", null);
        }
        int more = provider != null && provider.startsWith(LONG)
                ? Integer.parseInt(provider.substring(LONG.length())) : 0;
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            channel.bind(new InetSocketAddress(at, 0), 64);
            byte[] address = at.getAddress();
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            byte[] name = ByteBuffer.allocate(Integer.BYTES + 1 + address.length + more).putInt(port)
                    .put((byte) address.length).put(address).array();
            return new Endpoint(channel, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> describe() {
        return List.of("a fabric of the tests");
    }

    private record Endpoint(ServerSocketChannel channel, byte[] name) implements NetworkEndpoint {
        @Override
        public Port open(Members members, int world, int silenceSeconds) {
            List<InetSocketAddress> addresses = new ArrayList<>();
            for (byte[] each : members.names()) {
                ByteBuffer in = ByteBuffer.wrap(each);
                int port = in.getInt();
                int length = in.get();
                addresses.add(new InetSocketAddress(address(Arrays.copyOfRange(each, 5, 5 + length)), port));
            }
            return TcpFabric.open(new Members(members.self(), addresses, members.hosts(), members.secret()), channel,
                    TcpConfig.DEFAULT.withWorld(world));
        }

        private static InetAddress address(byte[] bytes) {
            try {
                return InetAddress.getByAddress(bytes);
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
