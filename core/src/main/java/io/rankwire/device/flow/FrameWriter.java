package io.rankwire.device.flow;

import static io.rankwire.device.flow.PeerTable.IN_OPEN;
import static io.rankwire.device.flow.PeerTable.NONE;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.memory.Words;
import io.rankwire.wire.FlowFrame;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/** Writes frames of the flow layer to the fabric below. Every frame carries what there is to acknowledge. */
final class FrameWriter {
    private final Port port;
    private final PeerTable peers;
    private final FramePool pool;
    private final int incarnation;

    FrameWriter(Port port, PeerTable peers, FramePool pool, int incarnation) {
        this.port = port;
        this.peers = peers;
        this.pool = pool;
        this.incarnation = incarnation;
    }

    /** Sends a kept frame; false if the fabric has no room. */
    boolean data(int place, int frame) {
        int rank = peers.peer[place];
        Outlet outlet = port.outlet(rank);
        int bytes = pool.bytes[frame];
        long at = outlet.claim(bytes);
        if (at < 0) {
            return false;
        }
        MemorySegment memory = outlet.memory();
        long kept = pool.offset(frame);
        MemorySegment.copy(pool.memory(frame), kept, memory, at, bytes);
        if (peers.in(place) == IN_OPEN) {
            int meta = FlowFrame.carriedMeta(Words.load(pool.memory(frame), kept + FlowFrame.ANSWER));
            acknowledge(place, memory, at, meta, 0);
        }
        finish(outlet, rank, at, bytes, FlowFrame.DATA, pool.sequence[frame]);
        return true;
    }

    /** Acknowledges what has come from a peer; false if the fabric has no room. */
    boolean acknowledgement(int place, int flags) {
        assert peers.in(place) == IN_OPEN;
        Outlet outlet = port.outlet(peers.peer[place]);
        long at = outlet.claim(FlowFrame.CONTROL_BYTES);
        if (at < 0) {
            return false;
        }
        Words.storeUnaligned(outlet.memory(), at + FlowFrame.STREAM, Frame.header(incarnation, 0));
        acknowledge(place, outlet.memory(), at, 0, flags);
        finish(outlet, peers.peer[place], at, FlowFrame.CONTROL_BYTES, FlowFrame.ACK, 0);
        return true;
    }

    private void acknowledge(int place, MemorySegment memory, long at, int meta, int flags) {
        long acked = Frame.header(peers.incarnation[place], peers.inStream[place]);
        Words.storeUnaligned(memory, at + FlowFrame.ACKED, acked);
        Words.storeUnaligned(memory, at + FlowFrame.ANSWER, FlowFrame.answer(peers.inNext[place], meta, flags));
        Words.storeUnaligned(memory, at + FlowFrame.SACK, sack(place));
        peers.settle(place);
    }

    private long sack(int place) {
        int last = peers.inLast[place];
        if (last == NONE) {
            return 0;
        }
        long bits = 0;
        int frame = last;
        do {
            frame = pool.next[frame];
            int bit = pool.sequence[frame] - peers.inNext[place] - 1;
            // The frame wanted may be on the list when the device sends while it is handed the one before.
            bits |= bit < 0 ? 0 : 1L << bit;
        } while (frame != last);
        return bits;
    }

    /**
     * Sends a frame that carries nothing; false if the fabric has no room. It may go to a peer of which nothing is
     * known.
     *
     * @param stream of this rank, or 0
     * @param acked a stream of the peer with its incarnation, or 0
     */
    boolean control(int rank, int kind, int stream, long acked, int answer, int flags) {
        Outlet outlet = port.outlet(rank);
        long at = outlet.claim(FlowFrame.CONTROL_BYTES);
        if (at < 0) {
            return false;
        }
        MemorySegment memory = outlet.memory();
        Words.storeUnaligned(memory, at + FlowFrame.STREAM, Frame.header(incarnation, stream));
        Words.storeUnaligned(memory, at + FlowFrame.ACKED, acked);
        Words.storeUnaligned(memory, at + FlowFrame.ANSWER, FlowFrame.answer(answer, 0, flags));
        Words.storeUnaligned(memory, at + FlowFrame.SACK, 0);
        finish(outlet, rank, at, FlowFrame.CONTROL_BYTES, kind, 0);
        return true;
    }

    private void finish(Outlet outlet, int rank, long at, int bytes, int kind, int sequence) {
        int sum = FlowFrame.sum(port.self(), rank, kind, sequence, outlet.memory(), at, bytes);
        outlet.commit(at, bytes, kind, Frame.header(sum, sequence));
    }
}
