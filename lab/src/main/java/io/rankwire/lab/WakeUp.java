package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * How late a message reaches a rank that has waited for it for some time, and how late a bare socket does: one process
 * sleeps in a selector, the other writes to it. Rank 0 is silent, takes the time and sends it; rank 1 compares it with
 * its own, which is the same clock on one machine. Run: {@code bin/rankwire run -n 2 --fabric=tcp -cp
 * lab/target/classes io.rankwire.lab.WakeUp}. Prints microseconds, of 300 messages for each silence.
 */
public final class WakeUp {
    private static final int[] SILENCES_US = {50, 200, 1_000, 5_000, 20_000};
    private static final int MESSAGES = 300;
    private static final int WORD = 8;

    /** Moves a time from rank 0 to rank 1, which has asked for it. */
    private interface Way {
        void ask() throws IOException;

        void awaitAsked() throws IOException;

        void send(long time) throws IOException;

        long receive() throws IOException;
    }

    private record Messages(Communicator all, long[] word) implements Way {
        @Override
        public void ask() {
            all.send(word, 0, 2);
        }

        @Override
        public void awaitAsked() {
            all.receive(word, 1, 2);
        }

        @Override
        public void send(long time) {
            word[0] = time;
            all.send(word, 1, 1);
        }

        @Override
        public long receive() {
            all.receive(word, 0, 1);
            return word[0];
        }
    }

    /** A connection whose reader sleeps in the selector. */
    private record Bare(SocketChannel channel, Selector selector, ByteBuffer word) implements Way {
        @Override
        public void ask() throws IOException {
            send(0);
        }

        @Override
        public void awaitAsked() throws IOException {
            receive();
        }

        @Override
        public void send(long time) throws IOException {
            channel.write(word.clear().putLong(0, time));
        }

        @Override
        public long receive() throws IOException {
            word.clear();
            while (channel.read(word) < WORD) {
                selector.select(key -> { });
            }
            return word.getLong(0);
        }
    }

    private WakeUp() {}

    public static void main(String[] args) throws IOException {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            Way messages = new Messages(all, new long[1]);
            try (SocketChannel channel = BareSocket.connect(all); Selector selector = Selector.open()) {
                channel.register(selector, SelectionKey.OP_READ);
                Way bare = new Bare(channel, selector, ByteBuffer.allocateDirect(WORD));
                measure(messages, all.rank(), 100);
                measure(bare, all.rank(), 100);
                for (int silence : SILENCES_US) {
                    double[] late = measure(messages, all.rank(), silence);
                    double[] least = measure(bare, all.rank(), silence);
                    if (all.rank() == 1) {
                        System.out.printf("after %d us: %s; bare: %s us%n", silence, text(late), text(least));
                    }
                }
            }
        }
    }

    private static String text(double[] late) {
        return String.format("median %.1f, p90 %.1f, least %.1f", late[MESSAGES / 2], late[MESSAGES * 9 / 10], late[0]);
    }

    private static double[] measure(Way way, int rank, int silenceUs) throws IOException {
        double[] late = new double[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            if (rank == 0) {
                way.awaitAsked();
                long until = System.nanoTime() + 1_000L * silenceUs;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                way.send(System.nanoTime());
            } else {
                way.ask();
                long sent = way.receive();
                late[i] = (System.nanoTime() - sent) / 1e3;
            }
        }
        Arrays.sort(late);
        return late;
    }
}
