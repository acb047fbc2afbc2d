package io.rankwire.fabric.tcp;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.SleepingSelector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The connections of a port as TCP sockets. */
final class Sockets implements Network {
    /** Where the system has them: probes of a silent connection begin after a second and fail after four. */
    private static final Map<String, Integer> KEEP_ALIVE =
            Map.of("TCP_KEEPIDLE", 1, "TCP_KEEPINTERVAL", 1, "TCP_KEEPCOUNT", 3);

    private final List<InetSocketAddress> addresses;
    private final ServerSocketChannel listening;
    private final SleepingSelector selector;
    private final SelectionKey acceptor;
    private final Consumer<SelectionKey> onReady = this::ready;
    private Events events;

    Sockets(List<InetSocketAddress> addresses, ServerSocketChannel listening) {
        this.addresses = addresses;
        this.listening = listening;
        try {
            selector = new SleepingSelector();
            listening.configureBlocking(false);
            acceptor = listening.register(selector.selector(), SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            throw new FabricException("cannot watch the listening socket: " + e.getMessage(), e);
        }
    }

    @Override
    public ByteChannel dial(int rank, Connection connection) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            prepare(channel);
            channel.connect(addresses.get(rank));
            channel.register(selector.selector(),
                    channel.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, connection);
            return channel;
        } catch (UnresolvedAddressException e) {
            channel.close();
            throw new IOException("host name " + addresses.get(rank).getHostString() + " does not resolve", e);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void prepare(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.type() == Integer.class && KEEP_ALIVE.containsKey(option.name())) {
                set(channel, option, KEEP_ALIVE.get(option.name()));
            }
        }
    }

    private static <T> void set(SocketChannel channel, SocketOption<T> option, int value) throws IOException {
        channel.setOption(option, option.type().cast(value));
    }

    @Override
    public boolean finish(ByteChannel channel) throws IOException {
        SocketChannel socket = (SocketChannel) channel;
        if (!socket.finishConnect()) {
            return false;
        }
        socket.keyFor(selector.selector()).interestOps(SelectionKey.OP_READ);
        return true;
    }

    @Override
    public ByteChannel accept(Connection connection) throws IOException {
        SocketChannel channel = listening.accept();
        if (channel != null) {
            try {
                prepare(channel);
                channel.register(selector.selector(), SelectionKey.OP_READ, connection);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }
        return channel;
    }

    @Override
    public ArrayChannel arrays(ByteChannel channel) {
        return SocketNumber.KNOWN ? new ArraySocket((SocketChannel) channel) : null;
    }

    @Override
    public void prepareForMany(ByteChannel channel) {
        Congestion.prepare((SocketChannel) channel);
    }

    @Override
    public void awaitRoom(ByteChannel channel, boolean wanted) {
        SelectionKey key = ((SocketChannel) channel).keyFor(selector.selector());
        if (key != null && key.isValid()) {
            key.interestOps(SelectionKey.OP_READ | (wanted ? SelectionKey.OP_WRITE : 0));
        }
    }

    @Override
    public void look(Events to) {
        events = to;
        selector.look(onReady);
    }

    private void ready(SelectionKey key) {
        if (key == acceptor) {
            events.arriving();
        } else if (key.isValid() && (key.readyOps() & ~SelectionKey.OP_WRITE) != 0) {
            events.ready((Connection) key.attachment());
        }
    }

    @Override
    public boolean mayHaveWork() {
        return selector.mayHaveWork();
    }

    @Override
    public void sleep(long ns) {
        selector.sleep(ns);
    }

    @Override
    public boolean isAsleep() {
        return selector.isAsleep();
    }

    @Override
    public void wake() {
        selector.wake();
    }

    @Override
    public void close() {
        try {
            listening.close();
            selector.close();
        } catch (IOException e) {
            throw new FabricException("cannot close the listening socket: " + e.getMessage(), e);
        }
    }
}
