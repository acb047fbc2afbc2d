package io.rankwire.device.flow;

import static io.rankwire.device.flow.FramePool.check;
import static io.rankwire.device.flow.PeerTable.ACCEPTED;
import static io.rankwire.device.flow.PeerTable.KNOWN;
import static io.rankwire.device.flow.PeerTable.NONE;
import static io.rankwire.device.flow.PeerTable.OUT_CLOSING;
import static io.rankwire.device.flow.PeerTable.OUT_NONE;
import static io.rankwire.device.flow.PeerTable.OUT_OPEN;
import static io.rankwire.device.flow.PeerTable.REFUSED;
import static io.rankwire.device.flow.PeerTable.UNSENT;

import io.rankwire.memory.Words;
import io.rankwire.wire.FlowFrame;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The streams to peers. A frame stays in the pool until it is acknowledged. It is repeated when nothing was heard for
 * longer than a round trip takes, each time after twice the time, and once at once when three later ones have come.
 */
class OutStreams {
    /** So many frames go before the peer has answered to a new stream. */
    static final int FIRST_FLIGHT = 4;
    /** Most frames repeated at once after a first silence; after longer ones it is one. */
    private static final int BURST = 8;
    /** Later frames that must have come before one is missed. */
    static final int REORDER = 3;
    private static final int MOST_REFUSED_SHIFT = 6;

    final PeerTable peers;
    final FramePool pool;
    final FrameWriter writer;
    final FlowConfig config;
    private final int incarnation;
    private final int firstTimeout;
    private final int minTimeout;
    private final int maxTimeout;
    /** How soon to look again after the fabric had no room. */
    private final int patience;
    /** The last stream that was begun, to whichever peer. */
    private int streams;
    long resent;
    private int underWay;

    // what an acknowledgement brought
    private boolean news;
    private int sample;

    OutStreams(PeerTable peers, FramePool pool, FrameWriter writer, FlowConfig config, int incarnation) {
        this.peers = peers;
        this.pool = pool;
        this.writer = writer;
        this.config = config;
        this.incarnation = incarnation;
        this.firstTimeout = FlowConfig.ticks(config.firstTimeoutNs());
        this.minTimeout = FlowConfig.ticks(config.minTimeoutNs());
        this.maxTimeout = FlowConfig.ticks(config.maxTimeoutNs());
        this.patience = Math.max(1, minTimeout / 8);
    }

    int patience() {
        return patience;
    }

    long resent() {
        return resent;
    }

    int underWay() {
        return underWay;
    }

    final int first(int place) {
        return pool.next[peers.outLast[place]];
    }

    /** Frames to a peer that are not acknowledged. */
    final int underWay(int place) {
        return peers.outLast[place] == NONE ? 0 : peers.outNext[place] - pool.sequence[first(place)];
    }

    /** Whether a frame to a peer may be added. */
    boolean admits(int place) {
        if (peers.out(place) != OUT_OPEN) {
            return true;
        }
        int now = underWay(place);
        return now < config.window()
                && (now == 0 || peers.outNext[place] < config.streamFrames());
    }

    /**
     * Adds a frame that was {@link #admits admitted}, and is in the pool with its payload, to the stream; sends it if
     * nothing is before it.
     */
    void add(int place, int frame, int bytes, int meta, long header) {
        if (peers.out(place) != OUT_OPEN || peers.outNext[place] >= config.streamFrames()) {
            // A receiver that has seen the next stream forgets the one before, so nothing of it is under way.
            begin(place);
        }
        MemorySegment memory = pool.memory(frame);
        long at = pool.offset(frame);
        Words.store(memory, at + FlowFrame.STREAM, Frame.header(incarnation, peers.outStream[place]));
        Words.store(memory, at + FlowFrame.ACKED, 0);
        Words.store(memory, at + FlowFrame.ANSWER, FlowFrame.answer(0, meta, 0));
        Words.store(memory, at + FlowFrame.SACK, 0);
        Words.store(memory, at + FlowFrame.HEADER, header);
        pool.bytes[frame] = FlowFrame.LEAD + bytes;
        pool.sequence[frame] = peers.outNext[place]++;
        pool.sentAt[frame] = peers.tick;
        append(place, frame);
        if (peers.is(place, UNSENT | REFUSED) || !mayGo(place) || !transmit(place, frame)) {
            keep(place, frame);
        }
        peers.need(place, deadline(place));
    }

    /** Whether the last frame to a peer may be sent at once, if none before it waits. */
    boolean mayGo(int place) {
        return peers.is(place, ACCEPTED) || underWay(place) <= FIRST_FLIGHT;
    }

    /** The last frame to a peer was not sent. */
    void keep(int place, int frame) {
        peers.set(place, UNSENT);
    }

    void begin(int place) {
        streams++;
        peers.out(place, OUT_OPEN);
        peers.outStream[place] = streams;
        peers.outNext[place] = 0;
        peers.tries(place, 0);
        peers.shift(place, 0);
        peers.clear(place, ACCEPTED | REFUSED | UNSENT);
    }

    private void append(int place, int frame) {
        int last = peers.outLast[place];
        if (last == NONE) {
            pool.next[frame] = frame;
        } else {
            pool.next[frame] = pool.next[last];
            pool.next[last] = frame;
        }
        peers.outLast[place] = frame;
        underWay++;
    }

    private void removeFirst(int place) {
        int last = peers.outLast[place];
        int frame = pool.next[last];
        if (frame == last) {
            peers.outLast[place] = NONE;
        } else {
            pool.next[last] = pool.next[frame];
        }
        underWay--;
        pool.give(frame);
    }

    /** A frame the fabric has no room for counts as sent and lost when it is a repetition. */
    boolean transmit(int place, int frame) {
        boolean again = pool.sends(frame) > 0;
        boolean sent = writer.data(place, frame);
        if (sent || again) {
            pool.sent(frame, peers.tick);
            resent += again ? 1 : 0;
        }
        return sent;
    }

    /** Sends frames that were never sent, in order, as far as the fabric takes them. */
    void push(int place) {
        if (peers.is(place, REFUSED) || !peers.is(place, ACCEPTED)) {
            return;
        }
        int last = peers.outLast[place];
        if (last != NONE) {
            int frame = last;
            do {
                frame = pool.next[frame];
                if (pool.sends(frame) == 0 && !transmit(place, frame)) {
                    return;
                }
            } while (frame != last);
        }
        peers.clear(place, UNSENT);
    }

    /** When something must be done for the frames of a peer that are under way, if nothing is heard before. */
    int deadline(int place) {
        int first = first(place);
        int at = pool.sentAt[first] + timeout(place);
        boolean waitsForRoom = peers.is(place, UNSENT) && peers.is(place, ACCEPTED) && !peers.is(place, REFUSED)
                || pool.sends(first) == 0 && !peers.is(place, REFUSED);
        int soon = peers.tick + patience;
        if (waitsForRoom && soon - at < 0) {
            at = soon;
        }
        return at - peers.tick <= 0 ? peers.tick + 1 : at;
    }

    final int timeout(int place) {
        int trip = peers.roundTrip[place];
        long once = trip == 0 ? firstTimeout
                : Math.clamp((trip >>> 3) + Math.max(1L, peers.deviation[place]), minTimeout, maxTimeout);
        return (int) Math.min(once << peers.shift(place), maxTimeout);
    }

    void measured(int place, int ticks) {
        int sample = Math.clamp(ticks, 1, maxTimeout);
        int trip = peers.roundTrip[place];
        if (trip == 0) {
            peers.roundTrip[place] = sample << 3;
            peers.deviation[place] = sample << 1;
        } else {
            int error = sample - (trip >>> 3);
            peers.roundTrip[place] = Math.max(8, trip + error);
            peers.deviation[place] += Math.abs(error) - (peers.deviation[place] >>> 2);
        }
        peers.shift(place, 0);
    }

    /** The peer reports what has come. */
    void acknowledged(int place, int stream, int wanted, Arrivals come, int flags) {
        if (peers.out(place) != OUT_OPEN || stream != peers.outStream[place] || wanted < 0
                || wanted > peers.outNext[place]) {
            return;
        }
        peers.set(place, KNOWN | ACCEPTED);
        news = false;
        sample = NONE;
        while (peers.outLast[place] != NONE && pool.sequence[first(place)] < wanted) {
            note(place, first(place));
            removeFirst(place);
        }
        if (!come.isEmpty() && peers.outLast[place] != NONE) {
            mark(place, wanted, come);
        }
        if (sample != NONE) {
            measured(place, sample);
        }
        if (news) {
            progressed(place);
        }
        if (peers.outLast[place] == NONE) {
            peers.clear(place, REFUSED | UNSENT);
            return;
        }
        if ((flags & FlowFrame.NOT_READY) != 0) {
            refused(place);
        } else {
            peers.clear(place, REFUSED);
            rush(place, wanted, come);
            if (peers.is(place, UNSENT)) {
                push(place);
            }
        }
        peers.need(place, deadline(place));
    }

    /** The peer has this frame, which gives the time of a round trip if it was sent only once. */
    void note(int place, int frame) {
        if (!pool.isSacked(frame)) {
            news = true;
            if (pool.sends(frame) == 1) {
                sample = peers.tick - pool.sentAt[frame];
            }
        }
    }

    /** The peer has taken frames of which this rank did not know it. */
    void progressed(int place) {
        peers.tries(place, 0);
    }

    /** Marks frames that came before one that is missing. */
    private void mark(int place, int wanted, Arrivals come) {
        int last = peers.outLast[place];
        int frame = last;
        int bit;
        do {
            frame = pool.next[frame];
            bit = pool.sequence[frame] - wanted - 1;
            if (come.has(bit) && pool.sends(frame) > 0) {
                note(place, frame);
                pool.sack(frame);
            }
        } while (frame != last && bit < come.end());
    }

    /** Repeats what is missing before frames that have come, once. */
    void rush(int place, int wanted, Arrivals come) {
        long sack = come.first();
        int last = peers.outLast[place];
        int frame = last;
        do {
            frame = pool.next[frame];
            int bit = pool.sequence[frame] - wanted - 1;
            if (bit + 1 >= Long.SIZE) {
                return;
            }
            long later = bit < 0 ? sack : sack & -2L << bit;
            if (Long.bitCount(later) < REORDER) {
                return;
            }
            if (!pool.isSacked(frame) && !pool.isRushed(frame) && pool.sends(frame) > 0) {
                pool.rushed(frame, true);
                transmit(place, frame);
            }
        } while (frame != last);
    }

    private void refused(int place) {
        peers.set(place, REFUSED);
        // A peer that refuses is alive.
        peers.tries(place, 0);
        peers.shift(place, Math.min(peers.shift(place) + 1, MOST_REFUSED_SHIFT));
        waitAnew(place);
    }

    /** The time to the next repetition begins now. */
    void waitAnew(int place) {
        pool.sentAt[first(place)] = peers.tick;
    }

    /**
     * A peer asks whether a stream is alive. If it is not the open one to this peer, it is over.
     *
     * @param found the peer's place, or {@link PeerTable#NONE}
     */
    void asked(int found, int rank, long stream, int token) {
        if (found == NONE || peers.out(found) != OUT_OPEN
                || stream != Frame.header(incarnation, peers.outStream[found])) {
            // The number of a stream from before the last start may be in use again, so the answer names no stream.
            int over = Frame.high(stream) == incarnation ? Frame.low(stream) : 0;
            writer.control(rank, FlowFrame.CLOSE, over, 0, 0, 0);
            return;
        }
        if (!peers.is(found, ACCEPTED)) {
            // Only the first question is a sign of life: others may be copies from long ago.
            peers.set(found, KNOWN | ACCEPTED);
            peers.tries(found, 0);
        }
        writer.control(rank, FlowFrame.CONFIRM, Frame.low(stream), Frame.header(peers.incarnation[found], 0), token, 0);
        if (peers.is(found, UNSENT) && peers.outLast[found] != NONE) {
            push(found);
        }
    }

    /** The peer has answered a CLOSE: it has forgotten the stream. */
    void closed(int place, int stream) {
        if (peers.out(place) == OUT_CLOSING && stream == peers.outStream[place]) {
            peers.out(place, OUT_NONE);
        }
    }

    /** Nothing was sent for long: sends CLOSE, so that the peer may forget the stream. */
    void close(int place) {
        assert peers.out(place) == OUT_OPEN && peers.outLast[place] == NONE;
        peers.out(place, OUT_CLOSING);
        peers.tries(place, 0);
        sendClose(place);
    }

    private void sendClose(int place) {
        peers.outNext[place] = peers.tick;
        writer.control(peers.peer[place], FlowFrame.CLOSE, peers.outStream[place], 0, 0, 0);
        peers.need(place, peers.tick + timeout(place));
    }

    /** A deadline has come while the stream is being closed. */
    void closingDue(int place) {
        int at = peers.outNext[place] + timeout(place);
        if (at - peers.tick > 0) {
            peers.need(place, at);
        } else if (peers.tries(place) == config.tries()) {
            peers.out(place, OUT_NONE);
        } else {
            peers.tries(place, peers.tries(place) + 1);
            peers.shift(place, peers.shift(place) + 1);
            sendClose(place);
        }
    }

    /** A deadline has come while frames are under way; false if the peer is dead. */
    boolean framesDue(int place) {
        if (peers.is(place, UNSENT)) {
            push(place);
        }
        int first = first(place);
        int timeout = timeout(place);
        if (peers.tick - pool.sentAt[first] >= timeout) {
            int tries = peers.tries(place) + 1;
            if (tries > config.tries()) {
                return false;
            }
            peers.tries(place, Math.min(tries, FlowConfig.MOST_TRIES));
            repeat(place, timeout, tries == 1 && !peers.is(place, REFUSED) ? BURST : 1);
            peers.shift(place, peers.shift(place) + 1);
            // Also when the fabric had no room for it: the next try is due after the timeout.
            pool.sentAt[first] = peers.tick;
        } else if (pool.sends(first) == 0 && !peers.is(place, REFUSED)) {
            transmit(place, first);
        }
        peers.need(place, deadline(place));
        return true;
    }

    /**
     * The first frame goes even if it is known to have come: the answer that acknowledges it was lost, and only a
     * repetition brings another answer.
     */
    private void repeat(int place, int timeout, int most) {
        int left = most;
        int last = peers.outLast[place];
        int frame = last;
        do {
            frame = pool.next[frame];
            boolean overdue = peers.tick - pool.sentAt[frame] >= timeout;
            if (left == most || overdue && !pool.isSacked(frame) && pool.sends(frame) > 0) {
                transmit(place, frame);
                left--;
            }
        } while (frame != last && left > 0);
    }

    /** How long nothing was heard of a peer that has just run out of tries. */
    long silentNs(int place) {
        long ticks = 0;
        int tries = peers.tries(place);
        int first = Math.max(0, peers.shift(place) - tries);
        for (int i = 0; i <= tries; i++) {
            peers.shift(place, first + i);
            ticks += timeout(place);
        }
        return ticks << FlowConfig.TICK_SHIFT;
    }

    /** Forgets the stream and its frames; how many there were. */
    int drop(int place) {
        int lost = underWay(place);
        while (peers.outLast[place] != NONE) {
            removeFirst(place);
        }
        peers.out(place, OUT_NONE);
        peers.clear(place, ACCEPTED | REFUSED | UNSENT);
        return lost;
    }

    /** Bytes of what is known of peers, beside the table. */
    long bytes() {
        return 0;
    }

    /** Returns the frames found on the list of a peer. */
    int checkInvariants(int place) {
        int last = peers.outLast[place];
        if (last == NONE) {
            return 0;
        }
        check(peers.out(place) == OUT_OPEN, "frames of a stream that is not open");
        int found = 0;
        int frame = last;
        int expected = pool.sequence[first(place)];
        do {
            frame = pool.next[frame];
            check(pool.sequence[frame] == expected + found, "a gap among frames under way");
            found++;
            check(found <= config.window(), "more frames under way than the window");
            check(pool.sends(frame) > 0 || peers.is(place, UNSENT), "a frame was not sent and is not marked");
        } while (frame != last);
        check(expected + found == peers.outNext[place], "the last frame is not the last");
        check(expected + found <= config.streamFrames(), "numbers come round");
        return found;
    }
}
