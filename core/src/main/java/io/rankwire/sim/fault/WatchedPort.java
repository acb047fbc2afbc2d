package io.rankwire.sim.fault;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortLayer;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * A port that shows each frame to a watcher before it hands the frame up, or before the frame leaves. It hands up no
 * frame of a dismissed peer.
 */
public final class WatchedPort extends PortLayer {
    private final FrameSink comes;
    private final FrameSink goes;
    private final int most;
    private final Runnable polled;
    private final BitSet dismissed = new BitSet();

    /** For frames that come. */
    public WatchedPort(Port inner, FrameSink comes) {
        this(inner, comes, Integer.MAX_VALUE, () -> {});
    }

    /**
     * For frames that come.
     *
     * @param polled run after each poll
     */
    WatchedPort(Port inner, FrameSink comes, int most, Runnable polled) {
        this(inner, comes, (peer, meta, header, memory, payload, bytes) -> {}, most, polled);
    }

    /**
     * @param comes sees frames that come, with the rank they are from
     * @param goes sees frames that leave, with the rank they are for
     */
    WatchedPort(Port inner, FrameSink comes, FrameSink goes) {
        this(inner, comes, goes, Integer.MAX_VALUE, () -> {});
    }

    /**
     * @param most frames that a poll hands over
     */
    private WatchedPort(Port inner, FrameSink comes, FrameSink goes, int most, Runnable polled) {
        super(inner);
        this.comes = comes;
        this.goes = goes;
        this.most = most;
        this.polled = polled;
    }

    @Override
    public int maxPayload(int peer) {
        return below.maxPayload(peer);
    }

    @Override
    public Outlet outlet(int peer) {
        return new Way(below.outlet(peer), goes, peer);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        int frames = below.poll(both(sink), Math.min(limit, most));
        polled.run();
        return frames;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        int frames = below.pollAll(both(sink), limit);
        polled.run();
        return frames;
    }

    @Override
    public void dismiss(int peer) {
        dismissed.set(peer);
        below.dismiss(peer);
    }

    private FrameSink both(FrameSink sink) {
        return (peer, meta, header, memory, payload, bytes) -> {
            if (!dismissed.get(peer)) {
                comes.frame(peer, meta, header, memory, payload, bytes);
                sink.frame(peer, meta, header, memory, payload, bytes);
            }
        };
    }

    private record Way(Outlet inner, FrameSink goes, int peer) implements Outlet {
        @Override
        public MemorySegment memory() {
            return inner.memory();
        }

        @Override
        public long claim(int payloadBytes) {
            return inner.claim(payloadBytes);
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            goes.frame(peer, meta, header, inner.memory(), at, payloadBytes);
            inner.commit(at, payloadBytes, meta, header);
        }
    }
}
