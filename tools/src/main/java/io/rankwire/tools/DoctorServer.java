package io.rankwire.tools;

import io.rankwire.fabric.Secret;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code rankwire doctor --serve}: the other end of {@code doctor --peers}. It does nothing for a connection before the
 * secret is proven, measures with one peer at a time, and ends with the command.
 */
final class DoctorServer {
    private static final int MOST_CONNECTIONS = 16;
    private static final int MOST_LINES = 20;
    private static final long MOST_ECHOES = 10_000_000;
    private static final long MOST_BYTES = 1L << 32;

    private final ServerSocketChannel listening;
    private final Secret secret;
    private final Semaphore connections = new Semaphore(MOST_CONNECTIONS);
    private final ReentrantLock measuring = new ReentrantLock();
    private final AtomicInteger refused = new AtomicInteger();

    DoctorServer(ServerSocketChannel listening, Secret secret) {
        this.listening = listening;
        this.secret = secret;
    }

    /** @param at the address to listen at, or null for all */
    static DoctorServer open(InetAddress at, int port, Secret secret) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            return new DoctorServer(channel.bind(new InetSocketAddress(at, port)), secret);
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen at " + (at == null ? "" : at.getHostAddress() + ", ") + "port " + port
                    + ": " + e.getMessage() + "; --serve=PORT chooses another", e);
        }
    }

    int port() {
        return listening.socket().getLocalPort();
    }

    /** Serves until the channel is closed. */
    void run() throws IOException {
        while (true) {
            connections.acquireUninterruptibly();
            SocketChannel channel = listening.accept();
            Thread.ofPlatform().daemon().name("rankwire-doctor").start(() -> serve(channel));
        }
    }

    private void serve(SocketChannel channel) {
        String from = String.valueOf(channel.socket().getRemoteSocketAddress()).replaceFirst("^/", "");
        try (DoctorLine line = new DoctorLine(channel)) {
            line.proveToClient(secret);
            measuring.lock();
            try {
                answerAll(line);
                System.out.println("measured with " + from);
            } finally {
                measuring.unlock();
            }
        } catch (IOException e) {
            if (refused.getAndIncrement() < MOST_LINES) {
                System.err.println("rankwire: doctor: dropped " + from + ": " + why(e));
            }
        } finally {
            connections.release();
        }
    }

    private static String why(IOException e) {
        return switch (e) {
            case EOFException _ -> "it went before it was done; has it another secret?";
            case SocketTimeoutException _ -> "it was silent for too long";
            default -> e.getMessage();
        };
    }

    private static void answerAll(DoctorLine line) throws IOException {
        int kind = line.nextRequest();
        while (kind >= 0) {
            long number = line.readNumber();
            kind = switch ((byte) kind) {
                case DoctorLine.ECHO -> echo(line, Math.min(number, MOST_ECHOES));
                case DoctorLine.TAKE -> take(line, Math.min(number, MOST_BYTES));
                case DoctorLine.DATAGRAMS -> datagrams(line);
                case DoctorLine.LISTEN -> listen(line, number);
                default -> throw new IOException("a request of kind " + kind);
            };
        }
    }

    private static int echo(DoctorLine line, long count) throws IOException {
        ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES);
        line.polls(true);
        for (long i = 0; i < count; i++) {
            line.poll(word);
            line.write(word);
        }
        line.polls(false);
        return line.nextRequest();
    }

    private static int take(DoctorLine line, long bytes) throws IOException {
        line.drop(bytes);
        line.write(ByteBuffer.allocate(1));
        return line.nextRequest();
    }

    /** Answers each datagram that carries the token with its size. */
    private static int datagrams(DoctorLine line) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(line.local().getAddress(), 0));
            Thread.ofVirtual().start(() -> answerDatagrams(channel, line.token()));
            line.writeNumber(channel.socket().getLocalPort());
            return line.nextRequest();
        }
    }

    private static void answerDatagrams(DatagramChannel channel, byte[] token) {
        ByteBuffer datagram = ByteBuffer.allocate(1 << 16);
        byte[] given = new byte[token.length];
        try {
            while (true) {
                datagram.clear();
                SocketAddress from = channel.receive(datagram);
                int size = datagram.position();
                datagram.flip();
                if (size >= token.length) {
                    datagram.get(given);
                    if (MessageDigest.isEqual(given, token)) {
                        channel.send(ByteBuffer.allocate(Integer.BYTES).putInt(0, size), from);
                    }
                }
            }
        } catch (IOException e) {
            // The client has seen enough.
        }
    }

    /** Listens at ports; what connects there is closed again. */
    private static int listen(DoctorLine line, long range) throws IOException {
        int first = DoctorLine.first(range);
        int last = Math.min(DoctorLine.last(range), first + DoctorLine.MOST_PORTS - 1);
        List<ServerSocketChannel> open = new ArrayList<>();
        byte[] answer = new byte[last - first + 1];
        try {
            for (int port = first; port <= last; port++) {
                ServerSocketChannel channel = ServerSocketChannel.open();
                open.add(channel);
                try {
                    channel.bind(new InetSocketAddress(line.local().getAddress(), port));
                    Thread.ofVirtual().start(() -> closeAll(channel));
                } catch (IOException e) {
                    answer[port - first] = 1;
                }
            }
            line.write(ByteBuffer.wrap(answer));
            return line.nextRequest();
        } finally {
            for (ServerSocketChannel channel : open) {
                channel.close();
            }
        }
    }

    private static void closeAll(ServerSocketChannel channel) {
        try {
            while (true) {
                channel.accept().close();
            }
        } catch (IOException e) {
            // The client has seen enough.
        }
    }
}
