package io.rankwire.fabric.udp;

import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

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
    /** What gathers, with room for the heads and tags. */
    private final Area content;
    /** The same as it is sent. */
    private final Area area;
    /** For pieces, probes and answers. */
    private final Area scratch;
    private final Area sealedScratch;
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
        this.content = Area.of(capacity);
        this.area = Area.of(capacity);
        this.scratch = Area.of(datagram);
        this.sealedScratch = Area.of(datagram);
    }

    MemorySegment memory() {
        return content.memory();
    }

    boolean isEmpty() {
        return peer == null;
    }

    /** Bytes of all datagrams so far. */
    int size() {
        return base + fill + Seal.TAG;
    }

    /** Whether hardly any frame has room. */
    boolean isFull() {
        return size() + LEAST_ROOM > capacity;
    }

    /** Datagrams that the system did not send. */
    long lost() {
        return lost;
    }

    /** The place for the payload of the next frame, or {@link Outlet#FULL}. */
    long claim(UdpPeer to, int payloadBytes, long now) {
        int need = FRAME + (payloadBytes + 7 & -8);
        int room = to.path.isWide() ? datagram : Math.min(datagram, Pieces.SAFE);
        boolean another = peer != null && (peer != to || fill + need + Seal.TAG > room);
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
        Arrays.fill(content.array(), base + fill, base + datagram, (byte) 0);
        base += datagram;
        fill = Seal.HEAD;
        return true;
    }

    void commit(UdpPeer to, long at, int payloadBytes, int meta, long header) {
        assert at == base + fill + FRAME;
        peer = to;
        Words.storeUnaligned(content.memory(), at - FRAME, (long) payloadBytes << 16 | meta);
        Words.storeUnaligned(content.memory(), at - 8, header);
        fill += FRAME + (payloadBytes + 7 & -8);
    }

    /**
     * Sends what there is; false if the system has no room for it now. The content stays as it is then, and is closed
     * anew, with new numbers, when it is sent.
     */
    boolean flush(long now) {
        if (peer == null) {
            return true;
        }
        if (size() > Pieces.SAFE && peer.path.probes(now)) {
            probe();
        }
        if (size() > Pieces.SAFE && !peer.path.isWide()) {
            sendInPieces();
        } else if (!sendWhole()) {
            return false;
        }
        peer = null;
        base = 0;
        fill = Seal.HEAD;
        return true;
    }

    private boolean sendWhole() {
        for (int at = 0; at < base; at += datagram) {
            seal.close(peer, content.array(), at, datagram, Seal.FRAMES, area);
        }
        seal.close(peer, content.array(), base, fill + Seal.TAG, Seal.FRAMES, area);
        switch (socket.send(peer.destination, area, 0, size())) {
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
        return true;
    }

    private void sendInPieces() {
        for (int at = 0; at <= base; at += datagram) {
            int whole = (at < base ? datagram - Seal.TAG : fill) - Seal.HEAD;
            if (whole + Seal.BESIDE <= Pieces.SAFE) {
                seal.close(peer, content.array(), at, whole + Seal.BESIDE, Seal.FRAMES, area);
                note(socket.send(peer.destination, area, at, whole + Seal.BESIDE));
                continue;
            }
            splits++;
            for (int place = 0, from = 0; from < whole; place++, from += Pieces.PART) {
                int part = Math.min(Pieces.PART, whole - from);
                Words.storeUnaligned(scratch.memory(), Seal.HEAD, Pieces.word(splits, whole, place));
                System.arraycopy(content.array(), at + Seal.HEAD + from, scratch.array(), Seal.HEAD + Pieces.LEAD,
                        part);
                send(peer, Seal.PIECE, Pieces.LEAD + part);
            }
        }
    }

    private void probe() {
        send(peer, Seal.PROBE, datagram - Seal.BESIDE);
    }

    /** Answers a probe of this many bytes. */
    void answer(UdpPeer to, int bytes) {
        Words.storeUnaligned(scratch.memory(), Seal.HEAD, bytes);
        send(to, Seal.PROBED, 8);
    }

    /** Sends what is in the scratch memory. */
    private void send(UdpPeer to, int kind, int bytes) {
        seal.close(to, scratch.array(), 0, bytes + Seal.BESIDE, kind, sealedScratch);
        note(socket.send(to.destination, sealedScratch, 0, bytes + Seal.BESIDE));
    }

    private void note(UdpSocket.Sent result) {
        lost += result == UdpSocket.Sent.YES ? 0 : 1;
    }
}
