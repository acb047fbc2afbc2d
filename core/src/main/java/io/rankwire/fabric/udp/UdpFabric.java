package io.rankwire.fabric.udp;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Seal;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteOrder;

/** The fabric of ranks that reach each other by datagrams. */
public final class UdpFabric {
    /**
     * Bytes of the longest datagrams between hosts. Frames have the same size on all ranks from the start on, so this
     * fits what most networks carry, virtual ones too: packets of 1,400 bytes, with the heads of IPv6 and UDP.
     */
    static final int NETWORK = 1_352;
    /** The same inside one host, where each is a call. */
    static final int LOCAL = UdpSocket.LONGEST;

    private UdpFabric() {}

    /**
     * Binds the socket of a rank.
     *
     * @param at an address of this host, or null for all of them
     * @param port the port, or 0 for any
     */
    public static UdpSocket bind(InetAddress at, int port) throws IOException {
        if (at != null && at.isLoopbackAddress()) {
            Seal.warmUp();
        }
        return hasForeignCalls() ? NativeSocket.bind(at, port) : ChannelSocket.bind(at, port);
    }

    /** Whether this JVM may make the calls, and the system has them. */
    private static boolean hasForeignCalls() {
        return UdpFabric.class.getModule().isNativeAccessEnabled() && System.getProperty("os.name").equals("Linux")
                && ADDRESS.byteSize() == 8 && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    /**
     * Opens the port of a rank, which needs a flow layer above it.
     *
     * @param socket where this rank gets datagrams; it is closed with the port
     */
    public static Port open(Members members, UdpSocket socket) {
        boolean local = members.addresses().get(members.self()).getAddress().isLoopbackAddress();
        return new UdpPort(members, socket, local ? LOCAL : NETWORK, local);
    }
}
