package io.rankwire.tools.bench;

/** What a value counts, and which way is better. */
enum Measure {
    TIME("us", true),
    SECONDS("s", true),
    MILLIS("ms", true),
    RATIO("ratio", true),
    RATE("M/s", false),
    BANDWIDTH("MB/s", false),
    HEAP("B/msg", true),
    HIDDEN("%", false),
    FLOOR("ns", true);

    /** Shares nearer to all than this count as equal. */
    private static final double HIDDEN_GRAIN = 1;

    final String unit;
    final boolean lowerIsBetter;

    Measure(String unit, boolean lowerIsBetter) {
        this.unit = unit;
        this.lowerIsBetter = lowerIsBetter;
    }

    /**
     * Below 1 when ours is better, in whichever direction better is. A share that is hidden costs what is not hidden:
     * 95 against 90 is half the cost.
     */
    double costRatio(double ours, double theirs) {
        if (this == HIDDEN) {
            return open(ours) / open(theirs);
        }
        return lowerIsBetter ? ours / theirs : theirs / ours;
    }

    private static double open(double hidden) {
        return Math.max(HIDDEN_GRAIN, 100 - hidden);
    }
}
