package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
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
        return new TcpPort(members, config, new Sockets(members.addresses(), listening));
    }
}
