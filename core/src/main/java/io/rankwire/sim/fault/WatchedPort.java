package io.rankwire.sim.fault;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.SharedMemory;
import java.util.BitSet;

/** A port that shows each frame to a watcher before the device gets it, and hands up none of dismissed peers. */
final class WatchedPort implements Port {
    private final Port inner;
    private final FrameSink watcher;
    private final int most;
    private final BitSet dismissed = new BitSet();

    /**
     * @param most frames that a poll hands over
     */
    WatchedPort(Port inner, FrameSink watcher, int most) {
        this.inner = inner;
        this.watcher = watcher;
        this.most = most;
    }

    @Override
    public int self() {
        return inner.self();
    }

    @Override
    public int peers() {
        return inner.peers();
    }

    @Override
    public PortTraits traits() {
        return inner.traits();
    }

    @Override
    public Outlet outlet(int peer) {
        return inner.outlet(peer);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        return inner.poll(both(sink), Math.min(limit, most));
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        return inner.pollAll(both(sink), limit);
    }

    @Override
    public PeerLost advance(long nowNs) {
        return inner.advance(nowNs);
    }

    @Override
    public long nextDeadline() {
        return inner.nextDeadline();
    }

    @Override
    public void dismiss(int peer) {
        dismissed.set(peer);
        inner.dismiss(peer);
    }

    @Override
    public SharedMemory memory() {
        return inner.memory();
    }

    @Override
    public PeerMemory peerMemory() {
        return inner.peerMemory();
    }

    @Override
    public boolean mayHaveFrames() {
        return inner.mayHaveFrames();
    }

    @Override
    public void rest() {
        inner.rest();
    }

    @Override
    public void close() {
        inner.close();
    }

    private FrameSink both(FrameSink sink) {
        return (peer, meta, header, memory, payload, bytes) -> {
            if (!dismissed.get(peer)) {
                watcher.frame(peer, meta, header, memory, payload, bytes);
                sink.frame(peer, meta, header, memory, payload, bytes);
            }
        };
    }
}
