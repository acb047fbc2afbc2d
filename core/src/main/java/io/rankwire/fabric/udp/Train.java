package io.rankwire.fabric.udp;

import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Frames to one peer that leave together: in one datagram while there is room, then in the next one behind it. The
 * system sends several datagrams at once only if all but the last are of the full length, so a datagram that another
 * one follows is filled up with zeros.
 */
final class Train {
    /** Bytes of a frame before its payload: payload bytes (16) | meta (16), and the header word. */
    static final int FRAME = 16;
    /** Room that is not worth waiting for: less than most frames need. */
    private static final int LEAST_ROOM = 64;

    private final UdpSocket socket;
    private final Seal seal;
    private final int datagram;
    private final int capacity;
    private final Area area;
    /** For pieces, probes and answers. */
    private final Area scratch;
    /** The peer that all frames go to; null while there are none. */
    private UdpPeer peer;
    /** Where the last datagram begins, and its bytes so far. */
    private int base;
    private int fill = Seal.HEAD;
    private int splits;
    private long lost;

    Train(UdpSocket socket, Seal seal, int datagram) {
        this.socket = socket;
        this.seal = seal;
        this.datagram = datagram;
        this.capacity = UdpSocket.LONGEST / datagram * datagram;
        this.area = Area.of(capacity);
        this.scratch = Area.of(datagram);
    }

    MemorySegment memory() {
        return area.memory();
    }

    boolean isEmpty() {
        return peer == null;
    }

    /** Bytes of all datagrams so far. */
    int size() {
        return base + fill;
    }

    /** Whether hardly any frame has room. */
    boolean isFull() {
        return base + datagram == capacity && fill + LEAST_ROOM > datagram;
    }

    /** Datagrams that the system did not send. */
    long lost() {
        return lost;
    }

    /** The place for the payload of the next frame, or {@link Outlet#FULL}. */
    long claim(UdpPeer to, int payloadBytes, long now) {
        int need = FRAME + (payloadBytes + 7 & -8);
        int room = to.path.isWide() ? datagram : Math.min(datagram, Pieces.SAFE);
        boolean another = peer != null && (peer != to || fill + need > room);
        if (another && !(peer == to && next()) && !flush(now)) {
            return Outlet.FULL;
        }
        return base + fill + FRAME;
    }

    /** Goes on to another datagram; false if there is no room for one, or it has to go alone. */
    private boolean next() {
        if (!peer.path.isWide() || base + 2 * datagram > capacity) {
            return false;
        }
        for (int at = fill; at < datagram; at += 8) {
            Words.store(area.memory(), base + at, 0);
        }
        seal.close(area, base, fill, Seal.FRAMES, peer.rank);
        base += datagram;
        fill = Seal.HEAD;
        return true;
    }

    void commit(UdpPeer to, long at, int payloadBytes, int meta, long header) {
        assert at == base + fill + FRAME;
        peer = to;
        Words.store(area.memory(), at - FRAME, (long) payloadBytes << 16 | meta);
        Words.store(area.memory(), at - 8, header);
        fill += FRAME + (payloadBytes + 7 & -8);
    }

    /** Sends what there is; false if the system has no room for it now. */
    boolean flush(long now) {
        if (peer == null) {
            return true;
        }
        int total = base + fill;
        if (total > Pieces.SAFE && peer.path.probes(now)) {
            probe();
        }
        seal.close(area, base, fill, Seal.FRAMES, peer.rank);
        if (total > Pieces.SAFE && !peer.path.isWide()) {
            sendInPieces();
        } else {
            switch (socket.send(peer.destination, area, 0, total)) {
                case FULL -> {
                    return false;
                }
                case TOO_LONG -> {
                    peer.path.refused();
                    sendInPieces();
                }
                case LOST -> lost++;
                case YES -> { }
            }
        }
        peer = null;
        base = 0;
        fill = Seal.HEAD;
        return true;
    }

    private void sendInPieces() {
        for (int at = 0; at <= base; at += datagram) {
            int bytes = Seal.bytes(area, at);
            if (bytes <= Pieces.SAFE) {
                note(socket.send(peer.destination, area, at, bytes));
                continue;
            }
            splits++;
            int whole = bytes - Seal.HEAD;
            for (int place = 0, from = 0; from < whole; place++, from += Pieces.PART) {
                int part = Math.min(Pieces.PART, whole - from);
                Words.store(scratch.memory(), Seal.HEAD, Pieces.word(splits, whole, place));
                MemorySegment.copy(area.memory(), at + Seal.HEAD + from, scratch.memory(), Seal.HEAD + Pieces.LEAD,
                        part);
                send(peer, Seal.PIECE, Seal.HEAD + Pieces.LEAD + part);
            }
        }
    }

    private void probe() {
        send(peer, Seal.PROBE, datagram);
    }

    /** Answers a probe of this many bytes. */
    void answer(UdpPeer to, int bytes) {
        Words.store(scratch.memory(), Seal.HEAD, bytes);
        send(to, Seal.PROBED, Seal.HEAD + 8);
    }

    private void send(UdpPeer to, int kind, int bytes) {
        seal.close(scratch, 0, bytes, kind, to.rank);
        note(socket.send(to.destination, scratch, 0, bytes));
    }

    private void note(UdpSocket.Sent result) {
        lost += result == UdpSocket.Sent.YES ? 0 : 1;
    }
}
