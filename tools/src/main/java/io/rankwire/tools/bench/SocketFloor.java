package io.rankwire.tools.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * 8 bytes back and forth between two threads that poll a socket each, over TCP and over UDP. Uses nothing of the
 * library. The argument is how many milliseconds each of the two may take. {@code socket.c} is the same in C.
 */
public final class SocketFloor {
    private static final int BYTES = 8;
    private static final int BATCH = 100;
    private static final int WARM_UP_MS = 300;

    private SocketFloor() {}

    public static void main(String[] args) throws IOException {
        long ms = Long.parseLong(args[0]);
        try (ServerSocketChannel listening = ServerSocketChannel.open().bind(loopback());
                SocketChannel one = SocketChannel.open(listening.getLocalAddress());
                SocketChannel other = listening.accept()) {
            one.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            other.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            measure("tcp", one, other, ms);
        }
        try (DatagramChannel one = DatagramChannel.open().bind(loopback());
                DatagramChannel other = DatagramChannel.open().bind(loopback())) {
            one.connect(other.getLocalAddress()).configureBlocking(false);
            other.connect(one.getLocalAddress()).configureBlocking(false);
            measure("udp", one, other, ms);
        }
    }

    private static SocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static void measure(String name, ByteChannel one, ByteChannel other, long ms) throws IOException {
        Thread answering = new Thread(() -> answer(other), name);
        answering.setDaemon(true);
        answering.start();
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        Samples batches = new Samples();
        long start = System.nanoTime();
        long warm = start + Math.min(ms, WARM_UP_MS) * 1_000_000;
        long now = start;
        while (batches.isEmpty() || now - warm < ms * 1_000_000) {
            for (int i = 0; i < BATCH; i++) {
                pass(one, message);
                take(one, message);
            }
            long end = System.nanoTime();
            if (end > warm) {
                batches.add(0, (end - now) / 2e3 / BATCH);
            }
            now = end;
        }
        System.out.println(new Point(name + ".median", BYTES, 0).line(batches.median()));
        System.out.println(new Point(name + ".best", BYTES, 0).line(batches.best(true)));
    }

    private static void answer(ByteChannel channel) {
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        try {
            while (true) {
                take(channel, message);
                pass(channel, message);
            }
        } catch (IOException e) {
            // The measurement is over.
        }
    }

    private static void take(ByteChannel channel, ByteBuffer message) throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                throw new IOException("connection closed");
            }
        }
    }

    private static void pass(ByteChannel channel, ByteBuffer message) throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }
}
