package io.rankwire.device.flow;

import static io.rankwire.device.flow.FramePool.check;
import static io.rankwire.device.flow.PeerTable.IN_ASKED;
import static io.rankwire.device.flow.PeerTable.IN_NONE;
import static io.rankwire.device.flow.PeerTable.IN_OPEN;
import static io.rankwire.device.flow.PeerTable.KNOWN;
import static io.rankwire.device.flow.PeerTable.NONE;

import io.rankwire.fabric.FrameSink;
import io.rankwire.memory.Words;
import io.rankwire.wire.FlowFrame;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The streams from peers. The frame that is wanted goes up at once, from where the fabric has it; later ones are held.
 *
 * <p>A frame of a stream of which nothing is known may be a new beginning, or a copy of one that was delivered ages ago
 * and forgotten. So the sender is asked, with a token that was never used before, whether that stream is alive; only
 * its answer opens the stream. A stream that follows another one which is still known needs no question: numbers of
 * streams only go up, so it cannot have been here before.
 */
final class InStreams {
    private final PeerTable peers;
    private final FramePool pool;
    private final FrameWriter writer;
    private final FlowConfig config;
    private final int ackDelay;
    private final ReceiveCredit credit;
    private final int patience;
    /** The last token given. */
    private int tokens;

    private FrameSink sink;
    private boolean ready = true;
    private int delivered;
    private long repeated;
    private long refused;

    InStreams(PeerTable peers, FramePool pool, FrameWriter writer, ReceiveCredit credit, FlowConfig config,
            int patience) {
        this.peers = peers;
        this.pool = pool;
        this.writer = writer;
        this.config = config;
        this.ackDelay = FlowConfig.ticks(config.ackDelayNs());
        this.credit = credit;
        this.patience = patience;
    }

    void begin(FrameSink to) {
        sink = to;
        delivered = 0;
    }

    /** Frames handed up since {@link #begin}. */
    int end() {
        sink = null;
        return delivered;
    }

    void ready(boolean now) {
        ready = now;
    }

    long repeated() {
        return repeated;
    }

    long refused() {
        return refused;
    }

    /**
     * A frame with payload has come.
     *
     * @param found the peer's place, or {@link PeerTable#NONE}
     */
    void data(int found, int rank, long stream, int sequence, MemorySegment memory, long at, int bytes) {
        if (!ready) {
            refuse(found, rank, stream);
            return;
        }
        int place = found != NONE ? found : open(rank, stream);
        if (place == NONE) {
            refuse(NONE, rank, stream);
            return;
        }
        int state = peers.in(place);
        long current = state == IN_NONE ? 0 : current(place);
        if (isOver(stream, current)) {
            repeated++;
            return;
        }
        if (state == IN_NONE || stream != current) {
            drop(place);
            peers.inStream[place] = Frame.low(stream);
            if (state == IN_OPEN) {
                accept(place);
            } else {
                peers.in(place, IN_ASKED);
                peers.inNext[place] = ++tokens;
            }
        }
        peers.clear(place, PeerTable.IDLING);
        credit.count(place);
        if (peers.in(place) == IN_ASKED) {
            hold(place, -1, sequence, memory, at, bytes);
            writer.control(rank, FlowFrame.ASK, 0, stream, peers.inNext[place], 0);
            peers.need(place, peers.tick + FlowConfig.ticks(config.idleNs()));
        } else {
            take(place, sequence, memory, at, bytes);
        }
    }

    /** Whether a stream ended before the current one began: the numbers of a sender's streams only grow. */
    private static boolean isOver(long stream, long current) {
        return stream < current;
    }

    private long current(int place) {
        return Frame.header(peers.incarnation[place], peers.inStream[place]);
    }

    private int open(int rank, long stream) {
        int place = peers.open(rank);
        if (place != NONE) {
            peers.incarnation[place] = Frame.high(stream);
        }
        return place;
    }

    private void accept(int place) {
        peers.in(place, IN_OPEN);
        peers.inNext[place] = 0;
        peers.set(place, KNOWN);
    }

    private void take(int place, int sequence, MemorySegment memory, long at, int bytes) {
        int wanted = peers.inNext[place];
        if (sequence < wanted) {
            repeated++;
            // The acknowledgement may be what was lost.
            acknowledge(place, 0);
        } else if (sequence == wanted) {
            deliver(place, memory, at, bytes);
            release(place);
            if (peers.owed(place) >= credit.ackEvery()) {
                acknowledge(place, 0);
            } else if (peers.owed(place) > 0) {
                peers.need(place, peers.tick + ackDelay);
            }
        } else {
            int last = peers.inLast[place];
            boolean follows = last != NONE && pool.sequence[last] + 1 == sequence;
            boolean held = hold(place, wanted, sequence, memory, at, bytes);
            refused += held ? 0 : 1;
            if (held && follows && config.congestionControl()) {
                early(place);
            } else {
                acknowledge(place, held ? 0 : FlowFrame.NOT_READY);
            }
        }
    }

    /** A frame has come too early, but behind one of which the sender knows: the report of it can wait as others do. */
    private void early(int place) {
        peers.owe(place);
        if (peers.owed(place) >= credit.ackEvery()) {
            acknowledge(place, 0);
        } else {
            peers.need(place, peers.tick + ackDelay);
        }
    }

    /** The state is good before each call upwards: the device may send from inside. */
    private void deliver(int place, MemorySegment memory, long at, int bytes) {
        peers.inNext[place]++;
        peers.owe(place);
        delivered++;
        int meta = FlowFrame.carriedMeta(Words.loadUnaligned(memory, at + FlowFrame.ANSWER));
        long header = Words.loadUnaligned(memory, at + FlowFrame.HEADER);
        sink.frame(peers.peer[place], meta, header, memory, at + FlowFrame.LEAD, bytes - FlowFrame.LEAD);
    }

    /** Hands up held frames that are wanted now. */
    private void release(int place) {
        int last;
        while ((last = peers.inLast[place]) != NONE) {
            int frame = pool.next[last];
            if (pool.sequence[frame] != peers.inNext[place]) {
                return;
            }
            if (frame == last) {
                peers.inLast[place] = NONE;
            } else {
                pool.next[last] = pool.next[frame];
            }
            try {
                deliver(place, pool.memory(frame), pool.offset(frame), pool.bytes[frame]);
            } finally {
                pool.give(frame);
            }
        }
    }

    /** Keeps a frame for later; false if there is no room. */
    private boolean hold(int place, int wanted, int sequence, MemorySegment memory, long at, int bytes) {
        if (sequence - Math.max(wanted, 0) >= config.window()) {
            return false;
        }
        int before = peers.inLast[place];
        if (before != NONE && sequence <= pool.sequence[before]) {
            int last = before;
            while (pool.sequence[pool.next[before]] < sequence) {
                before = pool.next[before];
                assert before != last;
            }
            if (pool.sequence[pool.next[before]] == sequence) {
                repeated++;
                return true;
            }
        }
        int frame = pool.takeToHold(bytes);
        if (frame == NONE) {
            return false;
        }
        MemorySegment.copy(memory, at, pool.memory(frame), pool.offset(frame), bytes);
        pool.bytes[frame] = bytes;
        pool.sequence[frame] = sequence;
        link(place, before, frame);
        return true;
    }

    private void link(int place, int before, int frame) {
        if (before == NONE) {
            pool.next[frame] = frame;
            peers.inLast[place] = frame;
            return;
        }
        pool.next[frame] = pool.next[before];
        pool.next[before] = frame;
        int last = peers.inLast[place];
        if (before == last && pool.sequence[frame] > pool.sequence[last]) {
            peers.inLast[place] = frame;
        }
    }

    private void acknowledge(int place, int flags) {
        if (!writer.acknowledgement(place, flags)) {
            peers.owe(place);
            peers.need(place, peers.tick + patience);
        }
    }

    /** Sends what is owed; its deadline has come. */
    void acknowledgementDue(int place) {
        if (peers.owed(place) > 0) {
            acknowledge(place, 0);
        }
    }

    private void refuse(int place, int rank, long stream) {
        refused++;
        if (place != NONE && peers.in(place) == IN_OPEN && current(place) == stream) {
            acknowledge(place, FlowFrame.NOT_READY);
        } else if (place == NONE || peers.in(place) == IN_NONE || !isOver(stream, current(place))) {
            writer.control(rank, FlowFrame.ACK, 0, stream, 0, FlowFrame.NOT_READY);
        }
    }

    /** Asks the sender of an open stream that was silent for long, a bounded number of times; false after the last. */
    boolean ask(int place, int most) {
        if (peers.tries(place) == most) {
            return false;
        }
        peers.tries(place, peers.tries(place) + 1);
        writer.control(peers.peer[place], FlowFrame.ASK, 0, current(place), 0, 0);
        return true;
    }

    /** The sender says that a stream is alive. */
    void confirmed(int place, long stream, int token) {
        if (peers.in(place) == IN_ASKED && current(place) == stream && token == peers.inNext[place]) {
            accept(place);
            release(place);
            acknowledge(place, 0);
        }
    }

    /** The sender closes a stream. It always gets an answer, also about a stream that is not known here. */
    void closed(int place, int rank, long stream) {
        if (place != NONE && peers.in(place) != IN_NONE && current(place) <= stream) {
            drop(place);
        }
        writer.control(rank, FlowFrame.CLOSED, 0, stream, 0, 0);
    }

    /** Forgets the stream and what was held of it. */
    void drop(int place) {
        int last = peers.inLast[place];
        if (last != NONE) {
            int frame = pool.next[last];
            while (frame != last) {
                int next = pool.next[frame];
                pool.give(frame);
                frame = next;
            }
            pool.give(last);
            peers.inLast[place] = NONE;
        }
        peers.settle(place);
        peers.in(place, IN_NONE);
    }

    /** Returns the frames found on the list of a peer. */
    int checkInvariants(int place) {
        int last = peers.inLast[place];
        if (last == NONE) {
            return 0;
        }
        check(peers.in(place) != IN_NONE, "frames held of no stream");
        int found = 0;
        int frame = last;
        int before = peers.in(place) == IN_OPEN ? peers.inNext[place] : -1;
        int first = Math.max(before, 0);
        do {
            frame = pool.next[frame];
            check(pool.sequence[frame] > before, "a held frame is wanted, or out of order");
            before = pool.sequence[frame];
            found++;
        } while (frame != last);
        check(before - first < config.window(), "frames held beyond the window");
        return found;
    }
}
