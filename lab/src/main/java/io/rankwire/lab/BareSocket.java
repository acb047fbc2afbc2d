package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * What a TCP connection between two processes takes for large messages, without any protocol: half round trips, and
 * windows of 64 messages that are acknowledged by one byte. Both sides poll. The memory is native, and each message
 * goes in writes and reads of at most the sizes in the arguments, in KiB. Run: {@code bin/rankwire run -n 2
 * --fabric=tcp -cp lab/target/classes io.rankwire.lab.BareSocket 64 256 4096}.
 */
public final class BareSocket {
    private static final int[] SIZES = {32 << 10, 64 << 10, 128 << 10, 512 << 10, 2 << 20};
    private static final int WINDOW = 64;
    private static final int SLICES = 21;
    private static final long SLICE_BYTES = 256L << 20;

    private final SocketChannel channel;
    private final boolean isFirst;
    private final int step;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SIZES[SIZES.length - 1]);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(1);

    private BareSocket(SocketChannel channel, boolean isFirst, int step) {
        this.channel = channel;
        this.isFirst = isFirst;
        this.step = step;
    }

    public static void main(String[] args) throws IOException {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            try (SocketChannel channel = connect(all)) {
                for (String arg : args) {
                    for (int bytes : SIZES) {
                        BareSocket bare = new BareSocket(channel, all.rank() == 0, Integer.parseInt(arg) << 10);
                        double half = bare.median(bytes, false) / 2e3;
                        double each = bare.median(bytes, true) / WINDOW;
                        if (all.rank() == 0) {
                            System.out.printf("%s KiB at a time, %d KiB: half round trip %.1f us, stream %.0f MB/s%n",
                                    arg, bytes >> 10, half, bytes / each * 1e3);
                        }
                    }
                }
            }
        }
    }

    /** A connection of ranks 0 and 1, which does not block. */
    static SocketChannel connect(Communicator all) throws IOException {
        int[] port = new int[1];
        SocketChannel channel;
        if (all.rank() == 0) {
            all.receive(port, 1, 3);
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port[0]));
        } else {
            try (ServerSocketChannel listening = ServerSocketChannel.open()) {
                listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                port[0] = listening.socket().getLocalPort();
                all.send(port, 0, 3);
                channel = listening.accept();
            }
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
        return channel;
    }

    /** Nanoseconds of a round trip, or of a window. */
    private double median(int bytes, boolean isStream) throws IOException {
        int turns = (int) Math.max(4, SLICE_BYTES / bytes / (isStream ? WINDOW : 2) / SLICES);
        double[] slices = new double[SLICES];
        for (int slice = -SLICES; slice < SLICES; slice++) {
            long before = System.nanoTime();
            for (int turn = 0; turn < turns; turn++) {
                if (isStream) {
                    window(bytes);
                } else {
                    turn(bytes);
                }
            }
            if (slice >= 0) {
                slices[slice] = (double) (System.nanoTime() - before) / turns;
            }
        }
        Arrays.sort(slices);
        return slices[SLICES / 2];
    }

    private void turn(int bytes) throws IOException {
        move(memory, bytes, isFirst);
        move(memory, bytes, !isFirst);
    }

    private void window(int bytes) throws IOException {
        for (int i = 0; i < WINDOW; i++) {
            move(memory, bytes, isFirst);
        }
        move(answer, 1, !isFirst);
    }

    private void move(ByteBuffer buffer, int bytes, boolean isWritten) throws IOException {
        for (int done = 0; done < bytes; ) {
            buffer.limit(Math.min(bytes, done + step)).position(done);
            int count = isWritten ? channel.write(buffer) : channel.read(buffer);
            if (count < 0) {
                throw new IOException("the other side has closed the connection");
            }
            done += count;
        }
    }
}
