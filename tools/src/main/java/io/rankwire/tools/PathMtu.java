package io.rankwire.tools;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * Finds the longest packet that passes to another host whole: datagrams that no router may cut into pieces go there,
 * and the doctor of that host answers those that come.
 */
final class PathMtu {
    /** The longest packet there can be. */
    static final int MOST = 65_535;

    /** Sizes that networks have, tried first. */
    private static final int[] USUAL = {9000, 1500, 1492, 1450, 1400, 1280, 576};
    private static final int LEAST = 576;
    private static final int TRIES = 3;
    private static final int WAIT_MS = 100;
    private static final int UDP_HEADER = 8;

    private final DoctorLine line;
    private final int upper;
    private final int header;

    /** @param mtu of the interface here, or 0 */
    PathMtu(DoctorLine line, int mtu) {
        this.line = line;
        upper = mtu <= 0 ? MOST : Math.min(mtu, MOST);
        header = UDP_HEADER + (isSix() ? 40 : 20);
    }

    private boolean isSix() {
        return line.local().getAddress() instanceof Inet6Address;
    }

    /** The longest packet, with its headers; 0 if datagrams do not pass at all. */
    int find() throws IOException {
        line.request(DoctorLine.DATAGRAMS, 0);
        int port = (int) line.readNumber();
        try (DatagramChannel channel = DatagramChannel.open(
                isSix() ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
                Selector selector = Selector.open()) {
            channel.bind(new InetSocketAddress(line.local().getAddress(), 0));
            channel.connect(new InetSocketAddress(line.remote().getAddress(), port));
            if (!keepWhole(channel)) {
                return 0;
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return find(channel, selector);
        }
    }

    private int find(DatagramChannel channel, Selector selector) throws IOException {
        if (passes(channel, selector, upper)) {
            return upper;
        }
        int lost = upper;
        int good = 0;
        for (int size : USUAL) {
            if (size < lost && good == 0) {
                if (passes(channel, selector, size)) {
                    good = size;
                } else {
                    lost = size;
                }
            }
        }
        while (good > 0 && lost - good > 1) {
            int middle = good + lost >>> 1;
            if (passes(channel, selector, middle)) {
                good = middle;
            } else {
                lost = middle;
            }
        }
        return good;
    }

    private boolean passes(DatagramChannel channel, Selector selector, int size) throws IOException {
        int length = Math.max(size, LEAST) - header;
        ByteBuffer datagram = ByteBuffer.allocate(length).put(line.token());
        ByteBuffer answer = ByteBuffer.allocate(Integer.BYTES);
        for (int i = 0; i < TRIES; i++) {
            try {
                channel.write(datagram.clear());
            } catch (IOException e) {
                // Longer than the system sends whole.
                return false;
            }
            long until = System.nanoTime() + WAIT_MS * 1_000_000L;
            do {
                selector.select(WAIT_MS);
                selector.selectedKeys().clear();
                try {
                    while (channel.read(answer.clear()) > 0) {
                        if (answer.getInt(0) == length) {
                            return true;
                        }
                    }
                } catch (IOException e) {
                    // A router says that the datagram was too long.
                    return false;
                }
            } while (System.nanoTime() - until < 0);
        }
        return false;
    }

    /** Forbids to cut datagrams into pieces; false where the system cannot. */
    private static boolean keepWhole(DatagramChannel channel) throws IOException {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals("IP_DONTFRAGMENT") && option.type() == Boolean.class) {
                @SuppressWarnings("unchecked")
                SocketOption<Boolean> whole = (SocketOption<Boolean>) option;
                channel.setOption(whole, true);
                return true;
            }
        }
        return false;
    }
}
