package io.rankwire.device.flow;

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
        int streamFrames) {

    /** A tick of the clock that peers' states are kept by, as a power of two of nanoseconds. */
    static final int TICK_SHIFT = 8;
    /** No time may be longer, so that ticks can be compared although they come round. */
    private static final long MOST_NS = 1L << 28 + TICK_SHIFT;
    /** The number of frames behind the next expected one whose arrival an acknowledgement reports. */
    static final int MOST_WINDOW = 64;
    static final int MOST_TRIES = 62;

    public static final FlowConfig DEFAULT = new FlowConfig(
            1 << 16, MOST_WINDOW, 1024, 2_000_000, 100_000, 2_000_000_000, 20, 20_000, 10_000_000_000L,
            Integer.MAX_VALUE - MOST_WINDOW);

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
        require(streamFrames >= window, "streamFrames", streamFrames);
    }

    public FlowConfig withFrames(int most) {
        return new FlowConfig(peers, window, most, firstTimeoutNs, minTimeoutNs, maxTimeoutNs, tries, ackDelayNs,
                idleNs, streamFrames);
    }

    public FlowConfig withTries(int most) {
        return new FlowConfig(peers, window, frames, firstTimeoutNs, minTimeoutNs, maxTimeoutNs, most, ackDelayNs,
                idleNs, streamFrames);
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
