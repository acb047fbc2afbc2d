package io.rankwire.sim;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortLayer;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The port of a modelled device over a layer that puts frames in order. Matching begins behind that layer, so messages
 * are held back here until the matcher units have found their receives. Where there is no such layer, {@link SimFabric}
 * holds them back.
 */
final class MatchedPort extends PortLayer implements FrameSink {
    private final SimFabric fabric;
    private final SimPort port;
    private final FrameQueue matched;
    private final BitSet dismissed = new BitSet();
    private FrameSink device;
    private int handed;

    MatchedPort(Port layer, SimFabric fabric, SimPort port) {
        super(layer);
        this.fabric = fabric;
        this.port = port;
        this.matched = new FrameQueue(fabric.frames);
    }

    /** The units are done with a frame. */
    void matched(int frame) {
        matched.add(frame);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        int before = begin(sink, limit);
        below.poll(this, limit);
        return before + handed;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        int before = begin(sink, limit);
        below.pollAll(this, limit);
        return before + handed;
    }

    /** Hands over what the units are done with; returns how much that was. */
    private int begin(FrameSink sink, int limit) {
        device = sink;
        handed = 0;
        while (handed < limit && !matched.isEmpty()) {
            port.take();
            hand(matched.take());
        }
        int done = handed + port.showMet();
        handed = 0;
        return done;
    }

    @Override
    public void frame(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        MatchTimer timer = port.timer();
        if (timer == null) {
            handed++;
            device.frame(from, meta, header, memory, payload, payloadBytes);
            return;
        }
        Frames frames = fabric.frames;
        int frame = frames.take(payloadBytes);
        frames.fill(frame, from, self(), meta, header, payloadBytes);
        MemorySegment.copy(memory, payload, frames.memory(frame), frames.offset(frame), payloadBytes);
        if (fabric.holdsForMatch(frame, timer)) {
            port.hold();
        } else if (!matched.isEmpty()) {
            // There were more than the limit of a poll; frames of the same source may be among them.
            port.hold();
            matched.add(frame);
        } else {
            hand(frame);
        }
    }

    private void hand(int frame) {
        if (dismissed.get(fabric.frames.from(frame))) {
            fabric.frames.give(frame);
        } else {
            handed++;
            port.hand(frame, device);
        }
    }

    @Override
    public void dismiss(int peer) {
        dismissed.set(peer);
        below.dismiss(peer);
    }

    @Override
    public boolean mayHaveFrames() {
        return !matched.isEmpty() || below.mayHaveFrames();
    }
}
