package io.rankwire.fabric.udp;

import io.rankwire.fabric.FrameSink;
import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Datagrams that have come, and how far their frames are handed up. */
final class Arrivals {
    /** What the socket gives at once. */
    private static final int MOST = 1 << 16;

    private final UdpPort port;
    private final Seal seal;
    private final Train train;
    private final int datagram;
    private final Area area = Area.of(MOST);
    /** The content of the datagram that was opened last. */
    private final MemorySegment content = Arena.ofAuto().allocate(MOST, 64);
    /** Where the next datagram begins, where the last one ends, and the bytes from one to the next. */
    private int next;
    private int end;
    private int step;
    /** The frames of the datagram that was opened last: where the next one begins, and where the last one ends. */
    private MemorySegment frames;
    private int at;
    private int to;
    private int sender;
    private long foreign;
    private long repeated;
    private long damaged;

    Arrivals(UdpPort port, Seal seal, Train train, int datagram) {
        this.port = port;
        this.seal = seal;
        this.train = train;
        this.datagram = datagram;
    }

    /** Datagrams that are not as a member of the job has made them for this rank. */
    long foreign() {
        return foreign;
    }

    /** Datagrams that had come before, or are so old that this is not known. */
    long repeated() {
        return repeated;
    }

    /** Datagrams that a member has made, and that make no sense. */
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
        long word = first > to ? 0 : Words.loadUnaligned(frames, at);
        int meta = (int) word & 0xFFFF;
        int bytes = (int) word >>> 16;
        if (word == 0) {
            // What fills up a datagram.
            at = to;
            return 0;
        }
        if (meta == 0 || bytes > to - first) {
            damaged++;
            at = to;
            return 0;
        }
        long header = Words.loadUnaligned(frames, at + 8);
        at = first + (bytes + 7 & -8);
        sink.frame(sender, meta, header, frames, first, bytes);
        return 1;
    }

    private void open(int from, int bytes) {
        sender = bytes < Seal.BESIDE ? -1 : Seal.sender(area, from);
        long number = sender < 0 ? 0 : Seal.number(area, from);
        if (number <= 0 || sender >= port.peers() || sender == port.self() || bytes > datagram) {
            foreign++;
            return;
        }
        UdpPeer known = port.known(sender);
        if (known != null && !known.replays.isNew(number)) {
            repeated++;
            return;
        }
        if (!seal.open(known, sender, area, from, bytes, content)) {
            foreign++;
            return;
        }
        UdpPeer peer = port.heard(sender, number);
        seal.accept(peer, number);
        int length = bytes - Seal.BESIDE;
        switch (Seal.kind(area, from)) {
            case Seal.FRAMES -> frames(content, length);
            case Seal.PIECE -> {
                Pieces pieces = peer.pieces(datagram);
                frames(pieces.whole, pieces.add(content, 0, length));
            }
            case Seal.PROBE -> train.answer(peer, bytes);
            case Seal.PROBED -> {
                if (length == 8 && Words.loadUnaligned(content, 0) >= datagram) {
                    peer.path.answered();
                }
            }
            default -> damaged++;
        }
    }

    private void frames(MemorySegment in, int length) {
        frames = in;
        at = 0;
        to = length;
    }
}
