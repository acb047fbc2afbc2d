package io.rankwire.device.flow;

import java.util.Arrays;

/**
 * How many frames the path to a peer carries, and how fast they go: the congestion window and the pace, by place.
 *
 * <p>A window begins with slow start. Loss alone does not make it smaller: only loss while frames queue on the path,
 * which shows in the round trip against the least one seen, and loss of a large share of all frames. Such a window
 * becomes seven tenths and grows as one of TCP with that factor does; beyond what it was it grows faster and faster.
 * Frames are spread over the round trip.
 */
final class Congestion {
    /** Of a new stream, and after silence. */
    private static final int FIRST_WINDOW = 32;
    private static final int LEAST_WINDOW = 2;
    /** Frames that may be under way before the peer has said how many. */
    private static final int FIRST_CREDIT = 16;
    /** What a window is multiplied with when the path is congested: 0.7, in parts of {@link #ONE}. */
    private static final int CUT = 45_875;
    /** Frames that a window then grows in a round trip: 3 * (1 - 0.7) / (1 + 0.7), in parts of {@link #ONE}. */
    private static final int GENTLE = 34_695;
    /** In a round trip a window, or its part beyond the last peak, grows by itself divided by this. */
    private static final int PROBING = 16;
    private static final int SHIFT = 16;
    private static final int ONE = 1 << SHIFT;
    /** A share of lost frames that is congestion although no queue was seen: as an average, and in one round trip. */
    private static final int MOST_LOSS = ONE / 12;
    private static final int HEAVY_LOSS = ONE / 4;
    /** With so much loss a window grows by no more than a frame: only then streams come to be alike. */
    private static final int SOME_LOSS = ONE / 128;
    private static final int HEAVY_FRAMES = 4;
    /** A round trip may vary by so much without a queue. */
    private static final int VARIATION = FlowConfig.ticks(200_000);
    /** The least round trip is the least of this span and the one before. */
    private static final int BASE_SPAN = FlowConfig.ticks(5_000_000_000L);
    /** Frames that are due within this time go together, in sixteenths of ticks. */
    private static final int BURST = FlowConfig.ticks(16_000) << 4;
    private static final int UNKNOWN = Integer.MAX_VALUE;

    private final PeerTable peers;
    private final int mostWindow;
    /** Frames in parts of {@link #ONE}. */
    private int[] window = new int[0];
    /** Up to here a window grows by slow start. */
    private int[] threshold = new int[0];
    /** What the window was when the path was last congested. */
    private int[] peak = new int[0];
    /** Most frames that the peer lets be under way. */
    private int[] credit = new int[0];
    /** The least round trip of this span and of the one before, in ticks, and when this one began. */
    private int[] base = new int[0];
    private int[] baseBefore = new int[0];
    private int[] baseSince = new int[0];
    /** The least of this round and of the last one that has one. */
    private int[] least = new int[0];
    private int[] leastBefore = new int[0];
    /** A round ends when a frame with this number, sent after the round began, has come. */
    private int[] roundEnd = new int[0];
    private int[] roundCame = new int[0];
    private int[] roundLost = new int[0];
    /** The smoothed share of frames that are lost, in parts of {@link #ONE}. */
    private int[] loss = new int[0];
    /** No cut before a frame with this number has come: it was sent after the last one. */
    private int[] recovery = new int[0];
    /** When the next frame may go, in sixteenths of ticks. */
    private int[] sendAt = new int[0];

    Congestion(PeerTable peers, FlowConfig config) {
        this.peers = peers;
        this.mostWindow = config.window() << SHIFT;
    }

    /** A stream to a peer begins. */
    void begin(int place) {
        if (place >= window.length) {
            grow(peers.peer.length);
        }
        window[place] = Math.min(mostWindow, FIRST_WINDOW << SHIFT);
        threshold[place] = mostWindow;
        peak[place] = 0;
        credit[place] = FIRST_CREDIT;
        base[place] = UNKNOWN;
        baseBefore[place] = UNKNOWN;
        baseSince[place] = peers.tick;
        least[place] = UNKNOWN;
        leastBefore[place] = UNKNOWN;
        roundEnd[place] = 0;
        roundCame[place] = 0;
        roundLost[place] = 0;
        loss[place] = 0;
        recovery[place] = 0;
        sendAt[place] = now();
    }

    private void grow(int places) {
        window = Arrays.copyOf(window, places);
        threshold = Arrays.copyOf(threshold, places);
        peak = Arrays.copyOf(peak, places);
        credit = Arrays.copyOf(credit, places);
        base = Arrays.copyOf(base, places);
        baseBefore = Arrays.copyOf(baseBefore, places);
        baseSince = Arrays.copyOf(baseSince, places);
        least = Arrays.copyOf(least, places);
        leastBefore = Arrays.copyOf(leastBefore, places);
        roundEnd = Arrays.copyOf(roundEnd, places);
        roundCame = Arrays.copyOf(roundCame, places);
        roundLost = Arrays.copyOf(roundLost, places);
        loss = Arrays.copyOf(loss, places);
        recovery = Arrays.copyOf(recovery, places);
        sendAt = Arrays.copyOf(sendAt, places);
    }

    /**
     * Nothing was under way for long: what is known of the path and of the peer's room may be out of date.
     *
     * @param spans how many times the silence lasted as long as makes it long; the window is halved for each
     */
    void restart(int place, int spans) {
        threshold[place] = Math.max(threshold[place], window[place]);
        window[place] = Math.max(Math.min(window[place], FIRST_WINDOW << SHIFT),
                window[place] >> Math.min(spans, SHIFT));
        credit[place] = Math.min(credit[place], FIRST_CREDIT);
        sendAt[place] = now();
    }

    /** The number of frames that the peer lets be under way; 0 if it has not reported one. */
    void credit(int place, int frames) {
        credit[place] = frames == 0 ? UNKNOWN : frames;
    }

    /** Frames that the path carries. */
    int window(int place) {
        return window[place] >>> SHIFT;
    }

    /** Frames that may be under way. */
    int allowed(int place) {
        return Math.min(window(place), credit[place]);
    }

    /** The least round trip in ticks. */
    int leastRoundTrip(int place) {
        return Math.min(base[place], baseBefore[place]);
    }

    /** A round trip took this many ticks. */
    void measured(int place, int ticks) {
        if (peers.tick - baseSince[place] > BASE_SPAN) {
            baseBefore[place] = base[place];
            base[place] = ticks;
            baseSince[place] = peers.tick;
        }
        base[place] = Math.min(base[place], ticks);
        least[place] = Math.min(least[place], ticks);
        if (window[place] < threshold[place] && queue(place) > Math.max(leastRoundTrip(place) >>> 2, VARIATION)) {
            threshold[place] = window[place];
        }
    }

    /** By how much round trips are longer now than the least one, in ticks. */
    private int queue(int place) {
        int now = least[place] != UNKNOWN ? least[place] : leastBefore[place];
        return now == UNKNOWN ? 0 : now - leastRoundTrip(place);
    }

    /** By how much they may be without a queue on the path. */
    private int tolerance(int place) {
        return Math.max(Math.max(leastRoundTrip(place) >>> 2, VARIATION), peers.deviation[place] >>> 1);
    }

    private boolean isQueued(int place) {
        return queue(place) > tolerance(place) / 2;
    }

    /**
     * The peer has taken frames.
     *
     * @param limited whether the window was what kept more from being under way
     * @param reached the highest number that has come
     * @param sent the number of the next frame to be sent a first time
     */
    void delivered(int place, int frames, boolean limited, int reached, int sent) {
        roundCame[place] += frames;
        if (limited) {
            widen(place, frames);
        }
        if (reached >= roundEnd[place]) {
            endRound(place, reached, sent);
        }
    }

    private void widen(int place, int frames) {
        int now = window[place];
        int more;
        if (now < threshold[place] || peak[place] == 0 && !isQueued(place)) {
            // A late host ends slow start as a queue does. It goes on when that is over.
            more = ONE;
        } else if (now < peak[place]) {
            more = GENTLE / (now >>> SHIFT);
        } else if (loss[place] > SOME_LOSS) {
            more = ONE / (now >>> SHIFT);
        } else if (peak[place] == 0 || !isQueued(place)) {
            more = Math.max(ONE / (now >>> SHIFT), ONE / PROBING);
        } else {
            more = (GENTLE + (now - peak[place]) / PROBING) / (now >>> SHIFT);
        }
        window[place] = (int) Math.min(mostWindow, now + (long) frames * more);
    }

    private void endRound(int place, int reached, int sent) {
        int lost = roundLost[place];
        int frames = lost + roundCame[place];
        int share = (int) (((long) lost << SHIFT) / frames);
        // A round of few frames says little.
        loss[place] += (share - loss[place]) * Math.min(frames, 32) >> 8;
        if (least[place] != UNKNOWN) {
            leastBefore[place] = least[place];
            least[place] = UNKNOWN;
        }
        roundCame[place] = 0;
        roundLost[place] = 0;
        roundEnd[place] = sent;
        boolean heavy = share > HEAVY_LOSS && lost >= HEAVY_FRAMES;
        if ((heavy || loss[place] > MOST_LOSS) && reached >= recovery[place]) {
            loss[place] /= 2;
            cut(place, sent);
        }
    }

    /** Frames were found lost; the parameters are those of {@link #delivered}. */
    void lost(int place, int frames, int reached, int sent) {
        roundLost[place] += frames;
        if (reached >= recovery[place] && queue(place) > tolerance(place)) {
            cut(place, sent);
        }
    }

    private void cut(int place, int sent) {
        peak[place] = window[place];
        threshold[place] = (int) Math.max(LEAST_WINDOW << SHIFT, (long) window[place] * CUT >> SHIFT);
        window[place] = threshold[place];
        recovery[place] = sent;
    }

    /** Frames were lost, and the peer was silent for two timeouts: begins again. */
    void silent(int place, int sent) {
        cut(place, sent);
        window[place] = LEAST_WINDOW << SHIFT;
    }

    private int now() {
        return peers.tick << 4;
    }

    /**
     * The time from one frame to the next, in sixteenths of ticks: a little less than the window asks for. The round
     * trip is the least of the last ones: all of them wait in a queue, but only some for a host that is late.
     */
    private int interval(int place) {
        int fresh = Math.min(least[place], leastBefore[place]);
        int trip = Math.min(peers.roundTrip[place], fresh == UNKNOWN ? UNKNOWN : fresh << 3) << 1;
        int frames = allowed(place);
        return window[place] < threshold[place] ? trip / (2 * frames) : (int) (4L * trip / (5 * frames));
    }

    private int ahead(int place) {
        int ahead = sendAt[place] - now();
        // A time that far ahead is one from long ago: such numbers come round.
        return ahead > peers.roundTrip[place] << 1 ? 0 : ahead;
    }

    /** Whether the pace lets a frame go now. */
    boolean isTime(int place) {
        return ahead(place) <= 0;
    }

    /** A frame went. If the port was polled late, others may make up for the time, up to half of a window. */
    void went(int place) {
        int interval = interval(place);
        long late = Math.min((long) peers.pause << 4, (long) interval * allowed(place) / 2);
        int burst = (int) Math.max(late, Math.max(BURST, 2 * interval));
        sendAt[place] = now() + Math.max(ahead(place), -burst) + interval;
    }

    /** The tick at which the pace lets a frame go, or some together. */
    int nextTime(int place) {
        return peers.tick + Math.max(1, Math.max(0, ahead(place)) + BURST / 2 >> 4);
    }

    long bytes() {
        return 4L * 15 * window.length;
    }
}
