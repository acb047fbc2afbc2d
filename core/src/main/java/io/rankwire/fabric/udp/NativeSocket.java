package io.rankwire.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.SleepingSelector;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A socket by foreign calls, for Linux: the system cuts one long write into many datagrams, and joins those that come
 * together (UDP_SEGMENT, UDP_GRO), which no channel of the JDK can ask for. To the first peers that much is sent to,
 * datagrams leave through sockets of their own, which are connected and never read: the system looks up the way there
 * once and not for each datagram. The receiver does not care which port a datagram comes from.
 */
final class NativeSocket implements UdpSocket {
    private static final int INET = 2;
    private static final int INET6 = 10;
    /** SOCK_NONBLOCK, SOCK_CLOEXEC. */
    private static final int FLAGS = 0x800 | 0x80000;
    private static final int SOCK_DGRAM = 2;
    private static final int DONT_WAIT = 0x40;

    private static final int LEVEL_SOCKET = 1;
    private static final int RCVBUF = 8;
    private static final int LEVEL_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int LEVEL_IPV6 = 41;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_V6ONLY = 26;
    /** No packet is cut into fragments, and what the system has heard of the path does not matter. */
    private static final int PROBE = 3;
    private static final int LEVEL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;

    /** Calls to one destination after which it gets a socket of its own, and how many destinations may have one. */
    private static final int OFTEN = 100;
    private static final int MOST_CONNECTED = 8;
    /** Most datagrams in one call. */
    private static final int MOST_SEGMENTS = 64;
    /** Bytes of the longest address, of a message head, and of the place for control messages. */
    private static final int NAME = 28;
    private static final int MESSAGE = 56;
    private static final int CONTROL = 64;
    private static final int CONTROL_LENGTH_AT = 40;

    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final int family;
    private final int socket;
    private final int event;
    private final InetSocketAddress address;
    private final int receiveBuffer;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment errors = Libc.errors(arena);
    /** For calls of any thread, whose errors are not looked at. */
    private final MemorySegment ignored = Libc.errors(arena);
    private final MemorySegment message = arena.allocate(MESSAGE, 8);
    private final MemorySegment vector = arena.allocate(16, 8);
    private final MemorySegment control = arena.allocate(CONTROL, 8);
    /** Datagrams that came together: a message has an address, and arrays have none. */
    private final MemorySegment joinedMemory = arena.allocate(1 << 16, 64);
    /** What to wait for: the socket, and the event; what the system writes there is not looked at. */
    private final MemorySegment waiting = arena.allocate(16, 8);
    private final MemorySegment one = arena.allocate(8, 8);
    private final MemorySegment drained = arena.allocate(8, 8);
    private final AtomicInteger sleepers = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<Integer> connected = new ArrayList<>();
    private int datagram = LONGEST;
    private boolean cuts;
    private boolean joins;
    private int received;

    private NativeSocket(int family, int socket, int event, InetSocketAddress address, int receiveBuffer) {
        this.family = family;
        this.socket = socket;
        this.event = event;
        this.address = address;
        this.receiveBuffer = receiveBuffer;
        waiting.set(JAVA_INT, 0, socket);
        waiting.set(JAVA_SHORT, 4, (short) 1);
        waiting.set(JAVA_INT, 8, event);
        waiting.set(JAVA_SHORT, 12, (short) 1);
        one.set(JAVA_LONG, 0, 1);
        vector.set(JAVA_LONG, 0, joinedMemory.address());
        vector.set(JAVA_LONG, 8, joinedMemory.byteSize());
        message.set(JAVA_LONG, 16, vector.address());
        message.set(JAVA_LONG, 24, 1);
        message.set(JAVA_LONG, 32, control.address());
    }

    /**
     * Binds a socket.
     *
     * @param at null for any address of this host
     */
    static NativeSocket bind(InetAddress at, int port) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errors = Libc.errors(arena);
            int family = at == null || at instanceof Inet6Address ? INET6 : INET;
            int socket = Libc.call(Libc.SOCKET, errors, family, SOCK_DGRAM | FLAGS, 0, 0, 0);
            if (socket < 0 && at == null) {
                family = INET;
                socket = Libc.call(Libc.SOCKET, errors, family, SOCK_DGRAM | FLAGS, 0, 0, 0);
            }
            if (socket < 0) {
                throw new IOException(Libc.text(Libc.error(errors)));
            }
            option(socket, LEVEL_SOCKET, RCVBUF, RECEIVE_BUFFER);
            prepare(socket, family);
            MemorySegment name = arena.allocate(NAME, 8);
            write(name, family, at, port);
            int event = Libc.call(Libc.BIND, errors, socket, name.address(), length(family), 0, 0) < 0 ? -1
                    : Libc.call(Libc.EVENTFD, errors, 0, FLAGS, 0, 0, 0);
            if (event < 0) {
                Libc.call(Libc.CLOSE, Libc.errors(arena), socket, 0, 0, 0, 0);
                throw new IOException(Libc.text(Libc.error(errors)));
            }
            MemorySegment size = arena.allocateFrom(JAVA_INT, NAME);
            Libc.call(Libc.GETSOCKNAME, errors, socket, name.address(), size.address(), 0, 0);
            MemorySegment granted = arena.allocate(JAVA_INT);
            size.set(JAVA_INT, 0, 4);
            Libc.call(Libc.GETSOCKOPT, errors, socket, LEVEL_SOCKET, RCVBUF, granted.address(), size.address());
            InetSocketAddress bound = new InetSocketAddress(at, Short.toUnsignedInt(name.get(NETWORK_SHORT, 2)));
            return new NativeSocket(family, socket, event, bound, granted.get(JAVA_INT, 0));
        }
    }

    private static void prepare(int socket, int family) {
        option(socket, LEVEL_IP, IP_MTU_DISCOVER, PROBE);
        if (family == INET6) {
            option(socket, LEVEL_IPV6, IPV6_MTU_DISCOVER, PROBE);
            option(socket, LEVEL_IPV6, IPV6_V6ONLY, 0);
        }
    }

    private static boolean option(int socket, int level, int name, int value) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocateFrom(JAVA_INT, value).address();
            return Libc.call(Libc.SETSOCKOPT, Libc.errors(arena), socket, level, name, at, 4) == 0;
        }
    }

    private static int length(int family) {
        return family == INET6 ? NAME : 16;
    }

    private static void write(MemorySegment name, int family, InetAddress at, int port) {
        name.set(JAVA_SHORT, 0, (short) family);
        name.set(NETWORK_SHORT, 2, (short) port);
        if (at == null) {
            return;
        }
        byte[] bits = at.getAddress();
        if (family == INET) {
            MemorySegment.copy(bits, 0, name, JAVA_BYTE, 4, bits.length);
        } else if (at instanceof Inet6Address wide) {
            MemorySegment.copy(bits, 0, name, JAVA_BYTE, 8, bits.length);
            name.set(JAVA_INT, 24, wide.getScopeId());
        } else {
            // An address of IPv4 as one of IPv6.
            name.set(JAVA_SHORT, 18, (short) -1);
            MemorySegment.copy(bits, 0, name, JAVA_BYTE, 20, bits.length);
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
        boolean several = 2 * length <= LONGEST;
        cuts = several && option(socket, LEVEL_UDP, UDP_SEGMENT, length);
        joins = several && option(socket, LEVEL_UDP, UDP_GRO, 1);
    }

    @Override
    public Destination destination(InetSocketAddress to) {
        MemorySegment name = arena.allocate(NAME, 8);
        write(name, family, to.getAddress(), to.getPort());
        return new Destination(to, name);
    }

    @Override
    public Sent send(Destination to, Area from, int at, int bytes) {
        MemorySegment start = at == 0 ? from.memory() : from.memory().asSlice(at);
        if (cuts) {
            Sent sent = send(to, start, bytes, Math.min(MOST_SEGMENTS, LONGEST / datagram) * datagram);
            if (cuts) {
                return sent;
            }
        }
        return send(to, start, bytes, datagram);
    }

    private Sent send(Destination to, MemorySegment from, int bytes, int most) {
        Sent sent = Sent.YES;
        for (int done = 0; done < bytes && sent == Sent.YES; done += most) {
            sent = sendOnce(to, done == 0 ? from : from.asSlice(done), Math.min(most, bytes - done));
        }
        return sent;
    }

    private Sent sendOnce(Destination to, MemorySegment start, int bytes) {
        if (to.connected < 0 && ++to.calls == OFTEN && connected.size() < MOST_CONNECTED) {
            connect(to);
        }
        int from = to.connected < 0 ? socket : to.connected;
        long name = to.connected < 0 ? to.name.address() : 0;
        while (Libc.sendto(errors, from, start, bytes, DONT_WAIT, name, name == 0 ? 0 : length(family)) < 0) {
            switch (Libc.error(errors)) {
                case Libc.EINTR -> { }
                case Libc.EAGAIN, Libc.ENOBUFS -> {
                    return Sent.FULL;
                }
                case Libc.EINVAL, Libc.EIO, Libc.EMSGSIZE, Libc.EOPNOTSUPP -> {
                    if (!cuts) {
                        return Sent.TOO_LONG;
                    }
                    // The way out cannot cut them, or takes shorter packets: from now on each goes by itself.
                    cuts = false;
                    option(socket, LEVEL_UDP, UDP_SEGMENT, 0);
                    connected.forEach(each -> option(each, LEVEL_UDP, UDP_SEGMENT, 0));
                    return Sent.LOST;
                }
                default -> {
                    return Sent.LOST;
                }
            }
        }
        return Sent.YES;
    }

    private void connect(Destination to) {
        int made = Libc.call(Libc.SOCKET, errors, family, SOCK_DGRAM | FLAGS, 0, 0, 0);
        if (made < 0) {
            return;
        }
        prepare(made, family);
        MemorySegment own = arena.allocate(NAME, 8);
        write(own, family, address.getAddress().isAnyLocalAddress() ? null : address.getAddress(), 0);
        boolean good = Libc.call(Libc.BIND, errors, made, own.address(), length(family), 0, 0) == 0
                && Libc.call(Libc.CONNECT, errors, made, to.name.address(), length(family), 0, 0) == 0
                && (!cuts || option(made, LEVEL_UDP, UDP_SEGMENT, datagram));
        if (good) {
            connected.add(made);
            to.connected = made;
        } else {
            Libc.call(Libc.CLOSE, errors, made, 0, 0, 0, 0);
        }
    }

    @Override
    public int receive(Area to) {
        long bytes = joins ? receiveSeveral(to)
                : Libc.recv(errors, socket, to.memory(), DONT_WAIT);
        if (bytes < 0) {
            int error = Libc.error(errors);
            if (error != Libc.EAGAIN && error != Libc.EINTR) {
                throw new FabricException("cannot receive datagrams: " + Libc.text(error), null);
            }
            return 0;
        }
        if (!joins) {
            received = (int) bytes;
        }
        return (int) bytes;
    }

    private long receiveSeveral(Area to) {
        message.set(JAVA_LONG, CONTROL_LENGTH_AT, CONTROL);
        long bytes = Libc.recvmsg(errors, socket, message.address(), DONT_WAIT);
        boolean joined = bytes > 0 && message.get(JAVA_LONG, CONTROL_LENGTH_AT) > 0
                && control.get(JAVA_INT, 8) == LEVEL_UDP && control.get(JAVA_INT, 12) == UDP_GRO;
        received = joined ? control.get(JAVA_INT, 16) : (int) bytes;
        if (bytes > 0) {
            MemorySegment.copy(joinedMemory, 0, to.memory(), 0, bytes);
        }
        return bytes;
    }

    @Override
    public int received() {
        return received;
    }

    @Override
    public boolean isReadable() {
        return Libc.poll(ignored, waiting, 1, 0) > 0;
    }

    @Override
    public void sleep(long ns) {
        if (Thread.currentThread().isVirtual()) {
            // A foreign call would keep the carrier from the threads that could end the wait.
            LockSupport.parkNanos(Math.min(ns, SleepingSelector.MOST_PARK_NS));
            return;
        }
        sleepers.incrementAndGet();
        try {
            if (Libc.poll(ignored, waiting, 2, Math.clamp(ns / 1_000_000, 1, 1_000_000)) > 0) {
                Libc.call(Libc.READ, ignored, event, drained.address(), 8, 0, 0);
            }
        } finally {
            sleepers.decrementAndGet();
        }
    }

    @Override
    public void wake() {
        if (sleepers.get() != 0) {
            Libc.call(Libc.WRITE, ignored, event, one.address(), 8, 0, 0);
        }
    }

    @Override
    public void close() {
        // The numbers may be those of other files the second time.
        if (closed.compareAndSet(false, true)) {
            Libc.call(Libc.CLOSE, ignored, socket, 0, 0, 0, 0);
            Libc.call(Libc.CLOSE, ignored, event, 0, 0, 0, 0);
            connected.forEach(each -> Libc.call(Libc.CLOSE, ignored, each, 0, 0, 0, 0));
        }
    }
}
