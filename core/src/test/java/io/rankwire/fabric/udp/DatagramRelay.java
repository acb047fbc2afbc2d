package io.rankwire.fabric.udp;

import io.rankwire.memory.Rand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands between ranks, and loses, doubles, damages and keeps datagrams as a seed decides, sends old ones again, and
 * sends them to other ranks, also to those that have made them. It works when its owner calls it, in one thread with
 * the ranks, or in a thread of its own.
 */
public final class DatagramRelay implements AutoCloseable {
    private record Kept(ByteBuffer bytes, int to, int until) {}

    /** In ten thousandths. */
    public int drop;
    public int duplicate;
    public int damage;
    public int delay;
    /** One of the last thousand datagrams comes again. */
    public int replay;
    /** All other ranks get it too. */
    public int misdirect;
    /** It is cut, or has more bytes at its end. */
    public int resize;
    /** Longer datagrams are lost. */
    int widest = 65_507;
    public int passed;
    int longest;

    private final Rand rand;
    /** By rank: where the others send to, and where it gets that. */
    private final List<DatagramChannel> facing = new ArrayList<>();
    private final List<InetSocketAddress> ranks;
    private final List<Kept> kept = new ArrayList<>();
    private final List<Kept> old = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final Selector selector = Selector.open();
    private Thread thread;
    private int turns;

    /** Puts itself between the ranks of the sockets: they know each other by its addresses. */
    public DatagramRelay(Rand rand, LoopbackSockets sockets) throws IOException {
        this.rand = rand;
        this.ranks = List.copyOf(sockets.addresses);
        for (int rank = 0; rank < ranks.size(); rank++) {
            DatagramChannel channel = DatagramChannel.open();
            facing.add(channel);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, UdpSocket.RECEIVE_BUFFER);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            sockets.addresses.set(rank, (InetSocketAddress) channel.getLocalAddress());
        }
    }

    /** From now on it works in a thread of its own, until it is closed. */
    public void start() {
        thread = new Thread(() -> {
            try {
                while (selector.isOpen()) {
                    carry();
                    selector.select(key -> { }, kept.isEmpty() ? 0 : 1);
                }
            } catch (ClosedSelectorException e) {
                // It is not needed any more.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, "relay");
        thread.start();
    }

    private boolean happens(int chance) {
        return chance > 0 && rand.below(10_000) < chance;
    }

    void carry() throws IOException {
        turns++;
        for (int to = 0; to < ranks.size(); to++) {
            buffer.clear();
            while (facing.get(to).receive(buffer) != null) {
                pass(to);
                buffer.clear();
            }
        }
        for (int i = kept.size() - 1; i >= 0; i--) {
            if (kept.get(i).until <= turns) {
                Kept due = kept.remove(i);
                send(due.to, due.bytes);
            }
        }
    }

    private void pass(int to) throws IOException {
        buffer.flip();
        longest = Math.max(longest, buffer.limit());
        if (happens(drop) || buffer.limit() > widest) {
            return;
        }
        attack(to);
        if (happens(damage)) {
            int at = rand.below(buffer.limit());
            buffer.put(at, (byte) (buffer.get(at) ^ 1 << rand.below(8)));
        }
        if (happens(delay)) {
            ByteBuffer copy = ByteBuffer.allocate(buffer.limit()).put(buffer).flip();
            kept.add(new Kept(copy, to, turns + rand.below(20)));
            return;
        }
        send(to, buffer);
        if (happens(duplicate)) {
            buffer.rewind();
            send(to, buffer);
        }
    }

    /** Sends what no rank should take beside the datagram itself. */
    private void attack(int to) throws IOException {
        if (replay > 0) {
            Kept copy = new Kept(ByteBuffer.allocate(buffer.limit()).put(0, buffer, 0, buffer.limit()), to, 0);
            if (old.size() < 1_000) {
                old.add(copy);
            } else {
                old.set(rand.below(old.size()), copy);
            }
        }
        if (happens(replay)) {
            Kept again = old.get(rand.below(old.size()));
            send(again.to, again.bytes.rewind());
        }
        if (happens(misdirect)) {
            for (int rank = 0; rank < ranks.size(); rank++) {
                if (rank != to) {
                    send(rank, buffer.duplicate());
                }
            }
        }
        if (happens(resize)) {
            ByteBuffer other = ByteBuffer.allocate(Math.clamp(buffer.limit() + rand.between(-40, 40), 0, widest));
            send(to, other.put(0, buffer, 0, Math.min(buffer.limit(), other.limit())));
        }
    }

    private void send(int to, ByteBuffer bytes) throws IOException {
        passed++;
        facing.get(to).send(bytes, ranks.get(to));
    }

    @Override
    public void close() throws IOException {
        selector.close();
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (DatagramChannel each : facing) {
            each.close();
        }
    }
}
