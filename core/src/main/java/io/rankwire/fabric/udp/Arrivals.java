package io.rankwire.fabric.udp;

import io.rankwire.fabric.FrameSink;
import io.rankwire.memory.Words;

/** Datagrams that have come, and how far their frames are handed up. */
final class Arrivals {
    /** What the socket gives at once. */
    private static final int MOST = 1 << 16;

    private final UdpPort port;
    private final Seal seal;
    private final Train train;
    private final int datagram;
    private final Area area = Area.of(MOST);
    /** Where the next datagram begins, where the last one ends, and the bytes from one to the next. */
    private int next;
    private int end;
    private int step;
    /** The frames of the datagram that was opened last: where the next one begins, and where the last one ends. */
    private Area frames = area;
    private int at;
    private int to;
    private int sender;
    private long foreign;
    private long damaged;

    Arrivals(UdpPort port, Seal seal, Train train, int datagram) {
        this.port = port;
        this.seal = seal;
        this.train = train;
        this.datagram = datagram;
    }

    /** Datagrams that no member of the job has made for this rank. */
    long foreign() {
        return foreign;
    }

    /** Datagrams that a member has made, and that were changed on the way or make no sense. */
    long damaged() {
        return damaged;
    }

    boolean isEmpty() {
        return at >= to && next >= end;
    }

    /** Takes what the socket has next; false if it has nothing. */
    boolean receive(UdpSocket socket) {
        end = socket.receive(area);
        next = 0;
        step = Math.max(1, socket.received());
        return end > 0;
    }

    int deliver(FrameSink sink, int limit) {
        int work = 0;
        while (work < limit) {
            if (at < to) {
                work += frame(sink);
            } else if (next < end) {
                int from = next;
                next += step;
                open(from, Math.min(step, end - from));
            } else {
                return work;
            }
        }
        return work;
    }

    private int frame(FrameSink sink) {
        int first = at + Train.FRAME;
        long word = first > to ? 0 : Words.loadUnaligned(frames.memory(), at);
        int meta = (int) word & 0xFFFF;
        int bytes = (int) word >>> 16;
        if (meta == 0 || bytes > to - first) {
            damaged++;
            at = to;
            return 0;
        }
        long header = Words.loadUnaligned(frames.memory(), at + 8);
        at = first + (bytes + 7 & -8);
        sink.frame(sender, meta, header, frames.memory(), first, bytes);
        return 1;
    }

    private void open(int from, int most) {
        if (!seal.isGenuine(area, from, most)) {
            foreign++;
            return;
        }
        int bytes = Seal.bytes(area, from);
        if (bytes > datagram || !seal.isWhole(area, from)) {
            damaged++;
            return;
        }
        sender = Seal.sender(area, from);
        int body = from + Seal.HEAD;
        int length = bytes - Seal.HEAD;
        switch (Seal.kind(area, from)) {
            case Seal.FRAMES -> frames(area, body, length);
            case Seal.PIECE -> {
                Pieces pieces = port.peer(sender).pieces(datagram);
                frames(pieces.whole, 0, pieces.add(area.memory(), body, length));
            }
            case Seal.PROBE -> train.answer(port.peer(sender), bytes);
            case Seal.PROBED -> {
                if (length == 8 && Words.loadUnaligned(area.memory(), body) >= datagram) {
                    port.peer(sender).path.answered();
                }
            }
            default -> damaged++;
        }
    }

    private void frames(Area in, int from, int length) {
        frames = in;
        at = from;
        to = from + length;
    }
}
