package io.rankwire.fabric.udp;

import io.rankwire.memory.Rand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands between two ranks, and loses, doubles, damages and keeps datagrams as a seed decides. It works when its owner
 * calls it, in one thread with the ranks.
 */
final class DatagramRelay implements AutoCloseable {
    private record Kept(ByteBuffer bytes, int from, int until) {}

    /** In ten thousandths. */
    int drop;
    int duplicate;
    int damage;
    int delay;
    /** Longer datagrams are lost. */
    int widest = 65_507;
    int passed;
    int longest;

    private final Rand rand;
    /** Where rank 0, then rank 1 sends to. */
    private final DatagramChannel[] facing = new DatagramChannel[2];
    private final InetSocketAddress[] ranks = new InetSocketAddress[2];
    private final List<Kept> kept = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private int turns;

    /** Puts itself between the ranks of the sockets: they know each other by its addresses. */
    DatagramRelay(Rand rand, LoopbackSockets sockets) throws IOException {
        this.rand = rand;
        for (int rank = 0; rank < 2; rank++) {
            facing[rank] = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            facing[rank].configureBlocking(false);
            ranks[rank] = sockets.addresses.get(rank);
        }
        for (int rank = 0; rank < 2; rank++) {
            sockets.addresses.set(1 - rank, (InetSocketAddress) facing[rank].getLocalAddress());
        }
    }

    private boolean happens(int chance) {
        return rand.below(10_000) < chance;
    }

    void carry() throws IOException {
        turns++;
        for (int from = 0; from < 2; from++) {
            buffer.clear();
            while (facing[from].receive(buffer) != null) {
                pass(from);
                buffer.clear();
            }
        }
        for (int i = kept.size() - 1; i >= 0; i--) {
            if (kept.get(i).until <= turns) {
                Kept due = kept.remove(i);
                send(due.from, due.bytes);
            }
        }
    }

    private void pass(int from) throws IOException {
        buffer.flip();
        longest = Math.max(longest, buffer.limit());
        if (happens(drop) || buffer.limit() > widest) {
            return;
        }
        if (happens(damage)) {
            int at = rand.below(buffer.limit());
            buffer.put(at, (byte) (buffer.get(at) ^ 1 << rand.below(8)));
        }
        if (happens(delay)) {
            ByteBuffer copy = ByteBuffer.allocate(buffer.limit()).put(buffer).flip();
            kept.add(new Kept(copy, from, turns + rand.below(20)));
            return;
        }
        send(from, buffer);
        if (happens(duplicate)) {
            buffer.rewind();
            send(from, buffer);
        }
    }

    private void send(int from, ByteBuffer bytes) throws IOException {
        passed++;
        facing[1 - from].send(bytes, ranks[1 - from]);
    }

    @Override
    public void close() throws IOException {
        for (DatagramChannel each : facing) {
            each.close();
        }
    }
}
