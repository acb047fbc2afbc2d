package io.rankwire.fabric.udp;

import io.rankwire.fabric.Outlet;
import java.lang.foreign.MemorySegment;

/** A rank that this one has spoken with. */
final class UdpPeer implements Outlet {
    final int rank;
    final UdpSocket.Destination destination;
    final Path path;
    /** The number of the last datagram to it. */
    long sent;
    /** The keys to it and from it that were used last; null before, and after silence. */
    EpochKey sealing;
    EpochKey opening;
    final Replays replays = new Replays();
    /** When the last datagram of this rank came. */
    private long heard;
    /** Null before a piece has come, and after silence. */
    private Pieces pieces;
    private final UdpPort port;

    UdpPeer(int rank, UdpSocket.Destination destination, Path path, UdpPort port) {
        this.rank = rank;
        this.destination = destination;
        this.path = path;
        this.port = port;
    }

    /** A datagram that this rank has made came for the first time. */
    void heard(long number, long now) {
        replays.add(number);
        heard = now;
    }

    /** Forgets what only a peer that sends needs, if none of its datagrams came for so long. */
    void forgetAfter(long silence, long now) {
        if (now - heard > silence) {
            replays.forget();
            sealing = null;
            opening = null;
            pieces = null;
        }
    }

    Pieces pieces(int most) {
        if (pieces == null) {
            pieces = new Pieces(most);
        }
        return pieces;
    }

    @Override
    public MemorySegment memory() {
        return port.sendMemory();
    }

    @Override
    public long claim(int payloadBytes) {
        return port.claim(this, payloadBytes);
    }

    @Override
    public void commit(long at, int payloadBytes, int meta, long header) {
        port.commit(this, at, payloadBytes, meta, header);
    }

    @Override
    public void hold() {
        port.hold();
    }

    @Override
    public void release() {
        port.release();
    }
}
