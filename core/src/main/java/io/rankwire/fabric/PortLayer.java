package io.rankwire.fabric;

/** A port on top of another one. Every call goes to the port below, unless the layer overrides it. */
public abstract class PortLayer implements Port {
    protected final Port below;

    protected PortLayer(Port below) {
        this.below = below;
    }

    @Override
    public int self() {
        return below.self();
    }

    @Override
    public int peers() {
        return below.peers();
    }

    @Override
    public PortTraits traits() {
        return below.traits();
    }

    @Override
    public int mostWhole(int peer) {
        return below.mostWhole(peer);
    }

    @Override
    public Outlet outlet(int peer) {
        return below.outlet(peer);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        return below.poll(sink, limit);
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        return below.pollAll(sink, limit);
    }

    @Override
    public SharedMemory memory() {
        return below.memory();
    }

    @Override
    public SharedMemory messageMemory() {
        return below.messageMemory();
    }

    @Override
    public PeerMemory peerMemory() {
        return below.peerMemory();
    }

    @Override
    public RemoteMemory remoteMemory() {
        return below.remoteMemory();
    }

    @Override
    public int pollCost() {
        return below.pollCost();
    }

    @Override
    public boolean mayHaveFrames() {
        return below.mayHaveFrames();
    }

    @Override
    public void rest() {
        below.rest();
    }

    @Override
    public PeerLost advance(long nowNs) {
        return below.advance(nowNs);
    }

    @Override
    public long nextDeadline() {
        return below.nextDeadline();
    }

    @Override
    public void sleep(long ns) {
        below.sleep(ns);
    }

    @Override
    public long resent() {
        return below.resent();
    }

    @Override
    public long refused() {
        return below.refused();
    }

    @Override
    public void dismiss(int peer) {
        below.dismiss(peer);
    }

    @Override
    public boolean forget(int peer) {
        return below.forget(peer);
    }

    @Override
    public void close() {
        below.close();
    }
}
