package io.rankwire.device.transfer;

/**
 * How many bytes of a large message are pushed before the receiver has answered. The right number is what the way
 * to the peer takes in during one round trip: two latencies times the bandwidth. It is measured as just that: the bytes
 * pushed when the answer comes. An answer that finds the quota used up says only that the number is larger. Nothing
 * else bounds it here: the receiver's credit does, which covers every byte that is pushed.
 */
final class EarlyQuota {
    /** More than credit could ever cover. */
    private static final long MOST = 1L << 40;

    private final long least;
    private long bytes;

    /**
     * @param first the quota before anything was measured
     */
    EarlyQuota(long least, long first) {
        this.least = least;
        this.bytes = Math.max(least, first);
    }

    long bytes() {
        return bytes;
    }

    /** Records the bytes of a message that were pushed when its answer came. */
    void answered(long pushed, long ofMessage) {
        if (pushed >= bytes) {
            bytes = Math.min(MOST, 2 * bytes);
        } else if (pushed < ofMessage) {
            bytes = Math.max(least, bytes + (pushed - bytes) / 4);
        }
    }
}
