package io.rankwire.sim.fault;

import io.rankwire.device.Code;
import io.rankwire.device.DeviceFault;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.SharedMemory;
import java.lang.foreign.MemorySegment;

/**
 * A port that shows each frame to a watcher before whoever has the port gets it, or before it leaves. The way to a dead
 * peer is always full here: what is sent to it waits for ever, and what is sent to others goes on.
 *
 * @param comes sees frames that come, with the rank they are from
 * @param goes sees frames that leave, with the rank they are for
 * @param most frames that a poll hands over
 */
public record WatchedPort(Port inner, FrameSink comes, FrameSink goes, int most) implements Port {
    /** For frames that come. */
    public WatchedPort(Port inner, FrameSink comes) {
        this(inner, comes, (peer, meta, header, memory, payload, bytes) -> {}, Integer.MAX_VALUE);
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
        return new Way(inner.outlet(peer), goes, peer);
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
            comes.frame(peer, meta, header, memory, payload, bytes);
            sink.frame(peer, meta, header, memory, payload, bytes);
        };
    }

    private record Way(Outlet inner, FrameSink goes, int peer) implements Outlet {
        @Override
        public MemorySegment memory() {
            return inner.memory();
        }

        @Override
        public long claim(int payloadBytes) {
            try {
                return inner.claim(payloadBytes);
            } catch (DeviceFault fault) {
                if (fault.code() != Code.PEER_DEAD) {
                    throw fault;
                }
                return FULL;
            }
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            goes.frame(peer, meta, header, inner.memory(), at, payloadBytes);
            inner.commit(at, payloadBytes, meta, header);
        }
    }
}
