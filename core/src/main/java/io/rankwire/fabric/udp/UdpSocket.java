package io.rankwire.fabric.udp;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * The socket of a port. One thread at a time sends and receives; any thread may call {@link #isReadable}, {@link
 * #sleep} and {@link #wake}.
 */
public interface UdpSocket extends AutoCloseable {
    /** Where datagrams go. */
    final class Destination {
        final InetSocketAddress address;
        /** The address as the system reads it; null where no foreign calls are made. */
        final MemorySegment name;
        /** A socket that is connected there, or -1. */
        int connected = -1;
        /** Calls that have sent something there, until there is such a socket. */
        int calls;

        Destination(InetSocketAddress address, MemorySegment name) {
            this.address = address;
            this.name = name;
        }
    }

    /** What becomes of datagrams that are sent. */
    enum Sent {
        /** The system has them. */
        YES,
        /** There is no room now. */
        FULL,
        /** The first interface on the way does not take datagrams of this length. */
        TOO_LONG,
        /** They are lost, like others on the way. */
        LOST
    }

    /** The longest datagram: that of IPv4, in whole words. */
    int LONGEST = 65_504;
    /** Bytes asked for to keep datagrams in until they are read. */
    int RECEIVE_BUFFER = 4 << 20;

    /** Where the socket is bound. */
    InetSocketAddress address();

    /** Bytes that the system has granted to keep datagrams in; it counts more for each than the datagram has. */
    int receiveBuffer();

    /**
     * The length of datagrams from now on. Several that follow each other in memory are sent at once, all of this
     * length but the last.
     */
    void datagramBytes(int length);

    Destination destination(InetSocketAddress address);

    /** Sends a datagram, or several if there are more bytes than one has. */
    Sent send(Destination to, Area from, int at, int bytes);

    /** Receives a datagram, or several of one sender and one length; returns their bytes together, or 0 for none. */
    int receive(Area to);

    /** The bytes of each datagram of the last receive but the last, which may be shorter. */
    int received();

    boolean isReadable();

    /** Waits for a datagram or {@link #wake}, but not much longer than the time. Neither need wake a virtual thread. */
    void sleep(long ns);

    /** Ends a {@link #sleep} of another thread. */
    void wake();

    @Override
    void close();
}
