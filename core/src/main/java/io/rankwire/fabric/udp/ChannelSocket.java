package io.rankwire.fabric.udp;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.SleepingSelector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;

/** A socket as a channel of the JDK, where foreign calls are not possible. Each datagram is a call. */
final class ChannelSocket implements UdpSocket {
    private final DatagramChannel channel;
    private final SleepingSelector selector;
    private final InetSocketAddress address;
    private final int receiveBuffer;
    private int datagram = LONGEST;
    private int received;

    private ChannelSocket(DatagramChannel channel, SleepingSelector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.address = (InetSocketAddress) channel.getLocalAddress();
        this.receiveBuffer = channel.getOption(StandardSocketOptions.SO_RCVBUF);
        channel.configureBlocking(false);
        channel.register(selector.selector(), SelectionKey.OP_READ);
    }

    /**
     * Binds a socket.
     *
     * @param at null for any address of this host
     */
    static ChannelSocket bind(InetAddress at, int port) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        SleepingSelector selector = new SleepingSelector();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
            channel.bind(new InetSocketAddress(at, port));
            return new ChannelSocket(channel, selector);
        } catch (IOException e) {
            channel.close();
            selector.close();
            throw e;
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public int receiveBuffer() {
        return receiveBuffer;
    }

    @Override
    public void datagramBytes(int length) {
        datagram = length;
    }

    @Override
    public Destination destination(InetSocketAddress to) {
        return new Destination(to, null);
    }

    @Override
    public Sent send(Destination to, Area from, int at, int bytes) {
        for (int done = 0; done < bytes; done += datagram) {
            ByteBuffer part = from.part(at + done, Math.min(datagram, bytes - done));
            try {
                if (channel.send(part, to.address) == 0) {
                    return Sent.FULL;
                }
            } catch (IOException e) {
                return String.valueOf(e.getMessage()).contains("too long") ? Sent.TOO_LONG : Sent.LOST;
            }
        }
        return Sent.YES;
    }

    @Override
    public int receive(Area to) {
        ByteBuffer all = to.part(0, to.bytes().capacity());
        try {
            received = channel.receive(all) == null ? 0 : all.position();
            return received;
        } catch (IOException e) {
            throw new FabricException("cannot receive datagrams: " + e.getMessage(), e);
        }
    }

    @Override
    public int received() {
        return received;
    }

    @Override
    public boolean isReadable() {
        return selector.mayHaveWork();
    }

    @Override
    public void sleep(long ns) {
        selector.sleep(ns);
    }

    @Override
    public void wake() {
        selector.wake();
    }

    @Override
    public void close() {
        try {
            channel.close();
            selector.close();
        } catch (IOException e) {
            throw new FabricException("cannot close the socket: " + e.getMessage(), e);
        }
    }
}
