package io.rankwire.fabric.udp;

import io.rankwire.fabric.Outlet;
import java.lang.foreign.MemorySegment;

/** A rank that this one has spoken with. */
final class UdpPeer implements Outlet {
    final int rank;
    final UdpSocket.Destination destination;
    final Path path;
    /** Null before a piece has come. */
    private Pieces pieces;
    private final UdpPort port;

    UdpPeer(int rank, UdpSocket.Destination destination, Path path, UdpPort port) {
        this.rank = rank;
        this.destination = destination;
        this.path = path;
        this.port = port;
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
