package io.rankwire.launch;

/**
 * How long a program waits for ranks that it runs inside itself.
 *
 * @param timeoutNs the time for all of it; 0 for ever
 * @param stall what happens when they make no progress
 * @param leaves whether ranks that do not end, once they should, are left behind: else the caller waits for them
 */
public record Patience(long timeoutNs, StallRule stall, boolean leaves) {
    /** What a job that has taken too long ends with, as {@code timeout} of the system does. */
    public static final int TIMEOUT_STATUS = 124;
    /** What ranks may take to end once they should. */
    static final long GRACE_NS = 5_000_000_000L;

    private static final double NS_PER_S = 1e9;

    /** As the system properties say, and without a limit. */
    static Patience endless() {
        return new Patience(0, StallRule.ofProperties(), false);
    }

    /** As the system properties say, but for what is given; 0 where nothing is. */
    public static Patience of(long timeoutNs, long stallNs) {
        StallRule rule = stallNs == 0 ? StallRule.ofProperties() : new StallRule(stallNs, true);
        return new Patience(timeoutNs, rule, true);
    }

    boolean isOver(long passedNs) {
        return timeoutNs > 0 && passedNs >= timeoutNs;
    }

    /** The first line of a report. */
    public String heading() {
        double seconds = timeoutNs / NS_PER_S;
        return "the ranks did not end within "
                + (seconds == Math.rint(seconds) ? String.valueOf((long) seconds) : String.valueOf(seconds)) + " s";
    }
}
