package io.rankwire.device.flow;

import io.rankwire.wire.FlowFrame;

/**
 * Sizes and times of the flow layer. All ranks of a job use the same one.
 *
 * @param peers most peers at a time that something is known of; frames of others are refused
 * @param window most frames under way to one peer
 * @param frames most small frames, and as many large ones, that are kept for all peers together: sent and not
 *     acknowledged, or come too early
 * @param firstTimeoutNs time to the first repetition while no round trip has been measured
 * @param minTimeoutNs least of it afterwards
 * @param maxTimeoutNs where it stops to double
 * @param tries repetitions without any answer after which a peer is dead
 * @param ackDelayNs how long an acknowledgement waits for a frame that takes it along
 * @param idleNs silence after which what is known of a peer is given up
 * @param streamFrames frames after which a new stream begins, so that numbers never come round
 * @param congestionControl whether frames under way to a peer are as many as the path carries, and spread over a round
 *     trip; else they are the window
 * @param receiveFrames frames of all peers together that the port below keeps until it is polled, half of which are
 *     divided among the peers that send; 0 if nothing is lost that way
 */
public record FlowConfig(
        int peers,
        int window,
        int frames,
        long firstTimeoutNs,
        long minTimeoutNs,
        long maxTimeoutNs,
        int tries,
        long ackDelayNs,
        long idleNs,
        int streamFrames,
        boolean congestionControl,
        int receiveFrames) {

    /** A tick of the clock that peers' states are kept by, as a power of two of nanoseconds. */
    static final int TICK_SHIFT = 8;
    /** No time may be longer, so that ticks can be compared although they come round. */
    private static final long MOST_NS = 1L << 28 + TICK_SHIFT;
    /** The number of frames behind the next expected one whose arrival an acknowledgement can report. */
    static final int MOST_WINDOW = 64 * FlowFrame.MOST_REPORT_WORDS;
    static final int MOST_TRIES = 62;
    /** Bytes that Linux puts beside those of a datagram before it takes the next power of two, and then adds. */
    private static final int DATAGRAM_INSIDE = 400;
    private static final int DATAGRAM_BESIDE = 256;
    /** Frames that are kept take no more than about twice so much memory. */
    private static final int MOST_FRAME_BYTES = 1 << 25;

    /** For a fabric of its own, which rarely loses a frame: a fixed window. */
    public static final FlowConfig DEFAULT = new FlowConfig(
            1 << 16, 64, 1024, 2_000_000, 100_000, 2_000_000_000, 20, 20_000, 10_000_000_000L,
            Integer.MAX_VALUE - 64);

    /**
     * For datagrams over a network that others use too. A peer that does not answer is lost after a minute and a half:
     * a process may be stopped, or compute without progress.
     */
    public static final FlowConfig DATAGRAMS = new FlowConfig(
            1 << 16, MOST_WINDOW, 4096, 5_000_000, 1_000_000, 2_000_000_000, 62, 50_000, 10_000_000_000L,
            Integer.MAX_VALUE - MOST_WINDOW, true, 92);

    public FlowConfig {
        require(peers > 1 && peers <= 1 << 24, "peers", peers);
        require(window > 0 && window <= MOST_WINDOW, "window", window);
        require(frames >= 8, "frames", frames);
        require(minTimeoutNs >= 4 << TICK_SHIFT, "minTimeoutNs", minTimeoutNs);
        require(firstTimeoutNs >= minTimeoutNs, "firstTimeoutNs", firstTimeoutNs);
        require(maxTimeoutNs >= firstTimeoutNs && maxTimeoutNs < MOST_NS, "maxTimeoutNs", maxTimeoutNs);
        require(tries > 0 && tries <= MOST_TRIES, "tries", tries);
        require(ackDelayNs >= 0 && ackDelayNs < MOST_NS, "ackDelayNs", ackDelayNs);
        require(idleNs >= minTimeoutNs && idleNs < MOST_NS, "idleNs", idleNs);
        require(streamFrames >= window && streamFrames <= Integer.MAX_VALUE - window, "streamFrames", streamFrames);
        require(receiveFrames >= 0, "receiveFrames", receiveFrames);
    }

    /** With a fixed window. */
    public FlowConfig(int peers, int window, int frames, long firstTimeoutNs, long minTimeoutNs, long maxTimeoutNs,
            int tries, long ackDelayNs, long idleNs, int streamFrames) {
        this(peers, window, frames, firstTimeoutNs, minTimeoutNs, maxTimeoutNs, tries, ackDelayNs, idleNs,
                streamFrames, false, 0);
    }

    /**
     * {@link #DATAGRAMS} for frames of up to this size: less of them, if they are long, and as many under way as the
     * socket of the receiver has room for.
     *
     * @param receiveBytes what the system keeps for a socket; it counts more for each datagram than its bytes
     */
    public static FlowConfig datagrams(int maxPayload, int receiveBytes) {
        int charged = Integer.highestOneBit(2 * (maxPayload + DATAGRAM_INSIDE) - 1) + DATAGRAM_BESIDE;
        return DATAGRAMS.withFrames(Math.clamp(MOST_FRAME_BYTES / maxPayload, 256, DATAGRAMS.frames))
                .withReceiveFrames(Math.max(1, receiveBytes / charged));
    }

    public FlowConfig withFrames(int most) {
        return new FlowConfig(peers, window, most, firstTimeoutNs, minTimeoutNs, maxTimeoutNs, tries, ackDelayNs,
                idleNs, streamFrames, congestionControl, receiveFrames);
    }

    public FlowConfig withReceiveFrames(int most) {
        return new FlowConfig(peers, window, frames, firstTimeoutNs, minTimeoutNs, maxTimeoutNs, tries, ackDelayNs,
                idleNs, streamFrames, congestionControl, most);
    }

    private static void require(boolean good, String name, long value) {
        if (!good) {
            throw new IllegalArgumentException(name + ": " + value);
        }
    }

    static int ticks(long ns) {
        return (int) Math.max(1, ns >>> TICK_SHIFT);
    }
}
