package io.rankwire.device.flow;

import io.rankwire.wire.FlowFrame;
import java.util.Arrays;

/**
 * How many frames each sender may have under way to this rank, so that all of them together fit into what the port
 * below keeps. Half of that is divided among the peers that have sent a frame in this or the last span of some
 * milliseconds. The other half is for those that begin.
 */
final class ReceiveCredit {
    /** A sender has at least so much. */
    private static final int LEAST = 2;
    /** Length of a span as a power of two of ticks, about four milliseconds. */
    private static final int SPAN_SHIFT = 14;
    private static final int MOST_ACK_EVERY = 16;

    private final PeerTable peers;
    private final int frames;
    private final int mostAckEvery;
    /** By place: the last span in which a frame came from there. */
    private int[] heard = new int[0];
    private int span;
    private int active;
    private int activeBefore;
    private int share;

    ReceiveCredit(PeerTable peers, FlowConfig config) {
        this.peers = peers;
        this.frames = (config.receiveFrames() + 1) / 2;
        int quarter = Math.max(1, config.window() / 4);
        this.mostAckEvery = config.congestionControl() ? Math.min(MOST_ACK_EVERY, quarter) : quarter;
        this.share = frames;
    }

    /** A frame has come from a peer. */
    void count(int place) {
        if (frames == 0) {
            return;
        }
        int now = peers.tick >>> SPAN_SHIFT;
        if (now != span) {
            activeBefore = now == span + 1 ? active : 0;
            active = 0;
            span = now;
            divide();
        }
        if (place >= heard.length) {
            heard = Arrays.copyOf(heard, peers.peer.length);
        }
        // A place that was never used has the number of no span.
        if (heard[place] != ~now) {
            heard[place] = ~now;
            active++;
            divide();
        }
    }

    private void divide() {
        share = Math.max(LEAST, frames / Math.max(1, Math.max(active, activeBefore)));
    }

    /** The flags of an acknowledgement. */
    int flags() {
        return FlowFrame.creditFlags(share);
    }

    /** Frames of a peer that are acknowledged together at the latest. */
    int ackEvery() {
        return frames == 0 ? mostAckEvery : Math.clamp(share / 4, 1, mostAckEvery);
    }

    long bytes() {
        return 4L * heard.length;
    }
}
