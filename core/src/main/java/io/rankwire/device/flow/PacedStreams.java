package io.rankwire.device.flow;

import static io.rankwire.device.flow.FramePool.check;
import static io.rankwire.device.flow.PeerTable.ACCEPTED;
import static io.rankwire.device.flow.PeerTable.DOUBTFUL;
import static io.rankwire.device.flow.PeerTable.NONE;
import static io.rankwire.device.flow.PeerTable.OUT_OPEN;
import static io.rankwire.device.flow.PeerTable.REFUSED;
import static io.rankwire.device.flow.PeerTable.SILENT;
import static io.rankwire.device.flow.PeerTable.UNSENT;

import io.rankwire.wire.FlowFrame;
import java.util.Arrays;

/**
 * Streams over a network that others use too. {@link Congestion} says how many frames may be under way and when the
 * next may go. A frame is lost when one sent three frames later has come, or when one sent later has come and a round
 * trip is over; this holds for repetitions too. When nothing is heard, the first and the last frame are repeated, and
 * what the peer answers shows which others are lost.
 */
final class PacedStreams extends OutStreams {
    /** Most frames of a peer that wait to be sent a first time. */
    private static final int MOST_UNSENT = 64;
    /** Timeouts without a frame after which what is known of the path is out of date. */
    private static final int RESTART_TIMEOUTS = 4;

    private final Congestion congestion;
    /** Frames that were sent, and are neither known to have come nor to be lost. */
    private int[] flight = new int[0];
    /** Frames that are lost and were not repeated. */
    private int[] lost = new int[0];
    /** The first frame that was never sent, or {@link PeerTable#NONE}; all behind it were not sent either. */
    private int[] unsent = new int[0];
    /** The highest number that has come. */
    private int[] reached = new int[0];
    /** When the frame was sent that was sent last of those that have come. */
    private int[] newest = new int[0];
    /** When the peer last took a frame, or the wait for that began. */
    private int[] heard = new int[0];
    /** When the next frame counts as lost, for peers that are {@link PeerTable#DOUBTFUL}. */
    private int[] lostAt = new int[0];
    /** A number behind the last round trip that was beyond the timeout. */
    private int[] exceptional = new int[0];
    /** Frames that the last acknowledgement has reported first. */
    private int fresh;

    PacedStreams(PeerTable peers, FramePool pool, FrameWriter writer, FlowConfig config, int incarnation) {
        super(peers, pool, writer, config, incarnation);
        this.congestion = new Congestion(peers, config);
    }

    @Override
    boolean admits(int place) {
        return super.admits(place) && (peers.out(place) != OUT_OPEN
                || peers.outNext[place] - sent(place) < MOST_UNSENT);
    }

    /** The number of the next frame to be sent a first time. */
    private int sent(int place) {
        return unsent[place] == NONE ? peers.outNext[place] : pool.sequence[unsent[place]];
    }

    @Override
    void begin(int place) {
        super.begin(place);
        if (place >= flight.length) {
            int places = peers.peer.length;
            flight = Arrays.copyOf(flight, places);
            lost = Arrays.copyOf(lost, places);
            unsent = Arrays.copyOf(unsent, places);
            reached = Arrays.copyOf(reached, places);
            newest = Arrays.copyOf(newest, places);
            heard = Arrays.copyOf(heard, places);
            lostAt = Arrays.copyOf(lostAt, places);
            exceptional = Arrays.copyOf(exceptional, places);
        }
        congestion.begin(place);
        forget(place);
        reached[place] = -1;
        exceptional[place] = 0;
        newest[place] = peers.tick;
        heard[place] = peers.tick;
    }

    private void forget(int place) {
        flight[place] = 0;
        lost[place] = 0;
        unsent[place] = NONE;
        peers.clear(place, DOUBTFUL | SILENT);
    }

    @Override
    void add(int place, int frame, int bytes, int meta, long header) {
        if (peers.outLast[place] == NONE && peers.out(place) == OUT_OPEN) {
            int spans = (int) ((peers.tick - heard[place] & 0xFFFF_FFFFL) / (RESTART_TIMEOUTS * (long) timeout(place)));
            if (spans > 0) {
                congestion.restart(place, spans);
            }
            heard[place] = peers.tick;
        }
        super.add(place, frame, bytes, meta, header);
    }

    @Override
    boolean mayGo(int place) {
        return peers.is(place, ACCEPTED) ? flight[place] < congestion.allowed(place) && congestion.isTime(place)
                : flight[place] < FIRST_FLIGHT;
    }

    @Override
    void keep(int place, int frame) {
        super.keep(place, frame);
        unsent[place] = unsent[place] == NONE ? frame : unsent[place];
    }

    @Override
    boolean transmit(int place, int frame) {
        if (!writer.data(place, frame)) {
            return false;
        }
        boolean again = pool.sends(frame) > 0;
        pool.rushed(frame, pool.isLost(frame));
        if (pool.isLost(frame)) {
            pool.lost(frame, false);
            lost[place]--;
            flight[place]++;
        } else if (!again) {
            flight[place]++;
        }
        resent += again ? 1 : 0;
        pool.sent(frame, peers.tick);
        congestion.went(place);
        return true;
    }

    /** Sends lost frames, then those that were never sent, as far as the window, the pace and the fabric allow. */
    @Override
    void push(int place) {
        if (peers.is(place, REFUSED) || !peers.is(place, ACCEPTED)) {
            return;
        }
        if (repeatLost(place) && sendUnsent(place)) {
            peers.clear(place, UNSENT);
        }
    }

    private boolean repeatLost(int place) {
        int last = peers.outLast[place];
        int frame = last;
        while (lost[place] > 0) {
            frame = pool.next[frame];
            if (pool.isLost(frame) && !(mayGo(place) && transmit(place, frame))) {
                return false;
            }
            assert frame != last || lost[place] == 0;
        }
        return true;
    }

    private boolean sendUnsent(int place) {
        while (unsent[place] != NONE) {
            int frame = unsent[place];
            if (!mayGo(place) || !transmit(place, frame)) {
                return false;
            }
            unsent[place] = frame == peers.outLast[place] ? NONE : pool.next[frame];
        }
        return true;
    }

    @Override
    int deadline(int place) {
        int at = silentSince(place) + timeout(place);
        if (peers.is(place, DOUBTFUL)) {
            at = earlier(at, lostAt[place]);
        }
        if (peers.is(place, UNSENT) && !peers.is(place, REFUSED)) {
            if (!peers.is(place, ACCEPTED) ? pool.sends(first(place)) == 0 : mayGo(place)) {
                at = earlier(at, peers.tick + patience());
            } else if (peers.is(place, ACCEPTED) && flight[place] < congestion.allowed(place)) {
                at = earlier(at, congestion.nextTime(place));
            }
        }
        return at - peers.tick <= 0 ? peers.tick + 1 : at;
    }

    private static int earlier(int a, int b) {
        return a - b < 0 ? a : b;
    }

    @Override
    void waitAnew(int place) {
        heard[place] = peers.tick;
    }

    private int silentSince(int place) {
        int sentAt = pool.sentAt[first(place)];
        return sentAt - heard[place] < 0 ? heard[place] : sentAt;
    }

    /** A round trip beyond the timeout, as of a peer that was stopped, counts once a window, and for not much more. */
    @Override
    void measured(int place, int ticks) {
        int most = peers.roundTrip[place] == 0 ? ticks : 2 * Math.max(timeout(place) >>> peers.shift(place), 1);
        if (ticks <= most) {
            super.measured(place, ticks);
            congestion.measured(place, Math.max(1, ticks));
        } else if (reached[place] >= exceptional[place]) {
            exceptional[place] = sent(place);
            super.measured(place, most);
        }
    }

    @Override
    void acknowledged(int place, int stream, int wanted, Arrivals come, int flags) {
        if (peers.out(place) != OUT_OPEN || stream != peers.outStream[place] || wanted > sent(place)) {
            return;
        }
        fresh = 0;
        congestion.credit(place, FlowFrame.credit(flags));
        super.acknowledged(place, stream, wanted, come, flags);
        peers.clear(place, SILENT);
    }

    @Override
    void note(int place, int frame) {
        if (!pool.isSacked(frame)) {
            fresh++;
            if (pool.isLost(frame)) {
                pool.lost(frame, false);
                lost[place]--;
            } else {
                flight[place]--;
            }
            reached[place] = Math.max(reached[place], pool.sequence[frame]);
            int sentAt = pool.sentAt[frame];
            // An answer after a repetition may be to the frame that was sent before: surely so if it comes sooner than
            // a round trip, and often if the frame was not lost but a probe.
            boolean certain = pool.sends(frame) == 1
                    || pool.isRushed(frame) && peers.tick - sentAt >= congestion.leastRoundTrip(place);
            if (certain && sentAt - newest[place] > 0) {
                newest[place] = sentAt;
            }
        }
        super.note(place, frame);
    }

    @Override
    void progressed(int place) {
        super.progressed(place);
        peers.shift(place, 0);
        heard[place] = peers.tick;
        boolean limited = 2 * (flight[place] + fresh) >= congestion.window(place);
        congestion.delivered(place, fresh, limited, reached[place], sent(place));
    }

    /** Finds frames that are lost; {@link #push} repeats them. */
    @Override
    void rush(int place, int wanted, Arrivals come) {
        peers.clear(place, DOUBTFUL);
        int first = first(place);
        if (reached[place] < pool.sequence[first] && newest[place] - pool.sentAt[first] <= 0) {
            return;
        }
        int late = (peers.roundTrip[place] >>> 3) + (peers.roundTrip[place] >>> 6) + patience();
        int found = 0;
        int last = peers.outLast[place];
        int frame = last;
        do {
            frame = pool.next[frame];
            if (pool.sends(frame) == 0) {
                break;
            }
            if (!pool.isSacked(frame) && !pool.isLost(frame)) {
                boolean once = pool.sends(frame) == 1;
                int behind = reached[place] - pool.sequence[frame];
                boolean overtaken = once && behind > 0 || newest[place] - pool.sentAt[frame] > 0;
                if (once && behind >= REORDER || overtaken && peers.tick - pool.sentAt[frame] >= late) {
                    lose(place, frame);
                    found++;
                } else if (overtaken) {
                    doubt(place, pool.sentAt[frame] + late);
                } else if (once && behind < 0) {
                    break;
                }
            }
        } while (frame != last);
        if (found > 0 && peers.is(place, SILENT)) {
            congestion.silent(place, sent(place));
        } else if (found > 0) {
            congestion.lost(place, found, reached[place], sent(place));
        }
    }

    private void lose(int place, int frame) {
        pool.lost(frame, true);
        flight[place]--;
        lost[place]++;
        peers.set(place, UNSENT);
    }

    private void doubt(int place, int at) {
        lostAt[place] = peers.is(place, DOUBTFUL) ? earlier(at, lostAt[place]) : at;
        peers.set(place, DOUBTFUL);
    }

    @Override
    boolean framesDue(int place) {
        if (peers.is(place, DOUBTFUL) && lostAt[place] - peers.tick <= 0) {
            rush(place, 0, null);
        }
        if (peers.is(place, UNSENT)) {
            push(place);
        }
        if (peers.tick - silentSince(place) >= timeout(place)) {
            int tries = peers.tries(place) + 1;
            if (tries > config.tries()) {
                return false;
            }
            peers.tries(place, Math.min(tries, FlowConfig.MOST_TRIES));
            probe(place);
            if (tries == 2) {
                peers.set(place, SILENT);
            }
            peers.shift(place, peers.shift(place) + 1);
            waitAnew(place);
        } else if (pool.sends(first(place)) == 0 && !peers.is(place, REFUSED)) {
            sendFirst(place);
        }
        peers.need(place, deadline(place));
        return true;
    }

    private void sendFirst(int place) {
        int first = first(place);
        if (transmit(place, first) && unsent[place] == first) {
            unsent[place] = first == peers.outLast[place] ? NONE : pool.next[first];
        }
    }

    /** Repeats the first frame, whether or not it is known to have come, and the last one or one that is new. */
    private void probe(int place) {
        sendFirst(place);
        if (peers.is(place, REFUSED) || !peers.is(place, ACCEPTED)) {
            return;
        }
        int other = unsent[place] != NONE ? unsent[place] : peers.outLast[place];
        if (other == first(place) || pool.isSacked(other) || !transmit(place, other)) {
            return;
        }
        if (other == unsent[place]) {
            unsent[place] = other == peers.outLast[place] ? NONE : pool.next[other];
        }
    }

    @Override
    int drop(int place) {
        int dropped = super.drop(place);
        if (place < flight.length) {
            forget(place);
        }
        return dropped;
    }

    @Override
    long bytes() {
        return 4L * 8 * flight.length + congestion.bytes();
    }

    @Override
    int checkInvariants(int place) {
        int found = super.checkInvariants(place);
        if (peers.out(place) != OUT_OPEN) {
            return found;
        }
        int flying = 0;
        int missing = 0;
        int waiting = NONE;
        for (int i = 0, frame = found == 0 ? NONE : first(place); i < found; i++, frame = pool.next[frame]) {
            boolean sent = pool.sends(frame) > 0;
            check(sent || !pool.isSacked(frame) && !pool.isLost(frame), "something is known of a frame not sent");
            check(!sent || waiting == NONE, "a frame was sent before an earlier one");
            check(!(pool.isLost(frame) && pool.isSacked(frame)), "a frame has come and is lost");
            missing += pool.isLost(frame) ? 1 : 0;
            flying += sent && !pool.isLost(frame) && !pool.isSacked(frame) ? 1 : 0;
            waiting = waiting == NONE && !sent ? frame : waiting;
        }
        check(flying == flight[place], flying + " frames under way to a peer, counted " + flight[place]);
        check(missing == lost[place], missing + " frames lost, counted " + lost[place]);
        check(waiting == unsent[place], "the first frame that was not sent is another");
        check(missing == 0 && waiting == NONE || peers.is(place, UNSENT), "a frame waits and is not marked");
        return found;
    }
}
