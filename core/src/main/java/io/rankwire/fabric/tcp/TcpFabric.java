package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Seal;
import java.nio.channels.ServerSocketChannel;

/** The fabric of ranks on several hosts that reach each other by TCP. */
public final class TcpFabric {
    private TcpFabric() {}

    /**
     * Opens the port of a rank.
     *
     * @param listening where this rank accepts connections; it is closed with the port
     */
    public static Port open(Members members, ServerSocketChannel listening) {
        return open(members, listening, TcpConfig.DEFAULT);
    }

    /** As {@link #open(Members, ServerSocketChannel)}, with other choices than the default. */
    public static Port open(Members members, ServerSocketChannel listening, TcpConfig config) {
        return open(members, new Sockets(members.addresses(), listening), config);
    }

    /** As {@link #open(Members, ServerSocketChannel, TcpConfig)}, over connections of any kind. */
    public static Port open(Members members, Network network, TcpConfig config) {
        if (members.encrypted()) {
            Seal.warmUp();
        }
        return new TcpPort(members, config, network);
    }

    /** Returns what is wrong with a port of this fabric, or null. */
    public static String audit(Port port) {
        return ((TcpPort) port).wrong();
    }

    /** Whether all that was sent through a port of this fabric is acknowledged, but for lost peers. */
    public static boolean isAtRest(Port port) {
        return !((TcpPort) port).hasUnsent();
    }
}
