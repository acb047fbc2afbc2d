package io.rankwire.device.transfer;

/**
 * How many bytes of a large message are pushed before the receiver has answered. The right number is what the way
 * to the peer takes in during one round trip: two latencies times the bandwidth. It is measured as just that: the bytes
 * pushed when the answer comes. An answer that finds the quota used up says only that the number is larger.
 */
final class EarlyQuota {
    private final long least;
    private final long most;
    private long bytes;

    EarlyQuota(long least, long most) {
        this.least = least;
        this.most = Math.max(least, most);
        this.bytes = this.most;
    }

    long bytes() {
        return bytes;
    }

    /** Records the bytes of a message that were pushed when its answer came. */
    void answered(long pushed, long ofMessage) {
        if (pushed >= bytes) {
            bytes = Math.min(most, 2 * bytes);
        } else if (pushed < ofMessage) {
            bytes = Math.max(least, bytes + (pushed - bytes) / 4);
        }
    }
}
