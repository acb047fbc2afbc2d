package io.rankwire.launch;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Asks the kernel to probe the host at the other end of a connection from which nothing comes. The kernel there answers
 * for a process that is stopped or busy, so silence is the host's or the network's.
 *
 * <p>This side must send nothing over the connection: the kernel does not probe while it waits for an acknowledgement,
 * and gives up a silent host after many minutes then. The other side sends a beat from time to time, so that one lost
 * probe alone ends no connection.
 */
final class KeepAlive {
    private KeepAlive() {}

    /** Ends the connection by an error after this long without any sign of the other host. */
    static void set(SocketChannel channel, int seconds) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        // By their names: they are not among the standard ones, and not every system has them.
        set(channel, "TCP_KEEPIDLE", 1);
        set(channel, "TCP_KEEPINTERVAL", 1);
        set(channel, "TCP_KEEPCOUNT", seconds - 1);
    }

    private static void set(SocketChannel channel, String name, int value) throws IOException {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals(name) && option.type() == Integer.class) {
                @SuppressWarnings("unchecked")
                SocketOption<Integer> number = (SocketOption<Integer>) option;
                channel.setOption(number, value);
            }
        }
    }
}
