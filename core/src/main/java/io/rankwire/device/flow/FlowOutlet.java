package io.rankwire.device.flow;

import io.rankwire.fabric.Outlet;
import java.lang.foreign.MemorySegment;

/** The reliable way to one peer. It holds no state. */
final class FlowOutlet implements Outlet {
    private final FlowPort port;
    private final int peer;
    private final Outlet below;

    FlowOutlet(FlowPort port, int peer, Outlet below) {
        this.port = port;
        this.peer = peer;
        this.below = below;
    }

    @Override
    public MemorySegment memory() {
        return port.claimedMemory();
    }

    @Override
    public long claim(int payloadBytes) {
        return port.claim(peer, payloadBytes);
    }

    @Override
    public void commit(long at, int payloadBytes, int meta, long header) {
        port.commit(peer, payloadBytes, meta, header);
    }

    @Override
    public void hold() {
        below.hold();
    }

    @Override
    public void release() {
        below.release();
    }
}
