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
    private final ReceiveCredit credit;
    private final int incarnation;
    /** Whether the port notices itself that a frame was changed. */
    private final boolean checked;
    private final int mostWords;
    private final Arrivals arrivals = new Arrivals();

    FrameWriter(Port port, PeerTable peers, FramePool pool, ReceiveCredit credit, int incarnation) {
        this.port = port;
        this.peers = peers;
        this.pool = pool;
        this.credit = credit;
        this.incarnation = incarnation;
        this.checked = port.isChecked();
        this.mostWords = Math.clamp((port.traits().maxPayload() - FlowFrame.SACK) / 8, 1, FlowFrame.MOST_REPORT_WORDS);
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
            gather(place, 1);
            acknowledge(place, memory, at, meta, 0, 1);
        }
        finish(outlet, rank, at, bytes, FlowFrame.DATA, pool.sequence[frame]);
        return true;
    }

    /** Acknowledges what has come from a peer; false if the fabric has no room. */
    boolean acknowledgement(int place, int flags) {
        assert peers.in(place) == IN_OPEN;
        gather(place, mostWords);
        int words = arrivals.words();
        int bytes = FlowFrame.SACK + 8 * words;
        Outlet outlet = port.outlet(peers.peer[place]);
        long at = outlet.claim(bytes);
        if (at < 0) {
            return false;
        }
        Words.storeUnaligned(outlet.memory(), at + FlowFrame.STREAM, Frame.header(incarnation, 0));
        acknowledge(place, outlet.memory(), at, 0, flags, words);
        finish(outlet, peers.peer[place], at, bytes, FlowFrame.ACK, 0);
        return true;
    }

    private void acknowledge(int place, MemorySegment memory, long at, int meta, int flags, int words) {
        long acked = Frame.header(peers.incarnation[place], peers.inStream[place]);
        int wanted = peers.inNext[place];
        Words.storeUnaligned(memory, at + FlowFrame.ACKED, acked);
        Words.storeUnaligned(memory, at + FlowFrame.ANSWER, FlowFrame.answer(wanted, meta, flags | credit.flags()));
        arrivals.store(memory, at + FlowFrame.SACK, words);
        int last = peers.inLast[place];
        // If there is more to report than DATA has room for, it still has to be reported.
        if (last == NONE || words == mostWords || pool.sequence[last] - wanted <= Long.SIZE * words) {
            peers.settle(place);
        }
    }

    /** Collects which of the next frames have come, for a report of at most this many words. */
    private void gather(int place, int words) {
        arrivals.clear();
        int last = peers.inLast[place];
        if (last == NONE) {
            return;
        }
        int wanted = peers.inNext[place];
        int frame = last;
        do {
            frame = pool.next[frame];
            int bit = pool.sequence[frame] - wanted - 1;
            if (bit >= Long.SIZE * words) {
                return;
            }
            // The frame wanted may be on the list when the device sends while it is handed the one before.
            if (bit >= 0) {
                arrivals.add(bit);
            }
        } while (frame != last);
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
        int sum = checked ? 0 : FlowFrame.sum(port.self(), rank, kind, sequence, outlet.memory(), at, bytes);
        outlet.commit(at, bytes, kind, Frame.header(sum, sequence));
    }
}
