package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/** A rank that this one has spoken with: the streams to and from it, and the connection that carries them now. */
final class Peer implements Outlet {
    final int rank;
    final Link link;
    private final TcpPort port;

    /** The connection that carries frames; null while there is none. */
    Connection live;
    /** A connection that this side makes; null if it makes none. */
    Connection own;
    /** The number of the last connection that both sides have agreed on; the lower rank gives the numbers. */
    long generation;
    /** The last number that a peer with a higher rank has followed: what it dials later does not name a lower one. */
    long followed;
    /** How often this side has dialed, and the last attempt of the peer that was accepted. */
    int attempts;
    int lastAttempt;
    /** Whether there ever was a live connection. */
    boolean wasLive;
    /** Whether it is lost, or dismissed. */
    boolean isLost;

    /** While the peer is out of reach: since when, when to dial next, the pause after that, and why. */
    boolean isSought;
    long since;
    long nextDial;
    long pause;
    String cause;
    /** Why the last attempt to connect has failed. */
    String lastFailure;

    /** Connections in turn that have ended with a forged record, without a frame, and what was delivered before. */
    int forgeries;
    long beforeForgery;

    /** When something was heard last, by the clock of the port. */
    long heard;
    /** Whether an acknowledgement was due at the last tick already. */
    boolean owes;
    /** Whether frames wait to be written, and in which poll the first frame of a burst was written. */
    boolean isDirty;
    int burst;
    /** Whether more frames follow that belong together. */
    boolean isHeld;

    Peer(int rank, Link link, TcpPort port) {
        this.rank = rank;
        this.link = link;
        this.port = port;
    }

    @Override
    public MemorySegment memory() {
        return link.claimed();
    }

    @Override
    public long claim(int payloadBytes) {
        return isLost ? FULL : link.claim(payloadBytes);
    }

    @Override
    public void commit(long at, int payloadBytes, int meta, long header) {
        link.commit(at, payloadBytes, meta, header);
        port.committed(this);
    }

    @Override
    public void hold() {
        isHeld = true;
    }

    @Override
    public void release() {
        isHeld = false;
        port.released(this);
    }

    @Override
    public boolean borrows(Object memory) {
        return live != null && !live.isFull && link.borrows()
                && (Views.isNative(memory) || Words.isArray(memory) && live.readsArrays());
    }

    @Override
    public long lend(long at, int payloadBytes, int meta, long header, int lead, Object from, long offset) {
        Views views = port.views();
        long loan = Views.isNative(from)
                ? link.lend(at, payloadBytes, meta, header, lead, views.of((MemorySegment) from, offset),
                        Views.at(offset))
                : link.lend(at, payloadBytes, meta, header, lead, views.ofArray(from), offset);
        port.lent(this);
        return loan;
    }

    @Override
    public boolean isBack(long loan) {
        return link.isBack(loan);
    }

    @Override
    public void settleLast() {
        link.settleLast();
    }

    @Override
    public void settle() {
        link.settle();
    }
}
