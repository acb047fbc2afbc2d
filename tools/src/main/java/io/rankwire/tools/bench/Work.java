package io.rankwire.tools.bench;

/** What can be measured. */
enum Work {
    LAT("lat", "us", "Half round trip", "Size", true),
    RATE("rate", "M/s", "Message rate, one pair, window 64", "Size", false),
    PRQ("prq", "us", "Half round trip of 8 bytes, other receives posted", "Depth", true),
    UEQ("ueq", "us", "Half round trip of 8 bytes, unexpected messages ahead", "Depth", true),
    START("start", "s", "Start, join, close and end of an empty job", "Job", true),
    ALLOC("alloc", "B/msg", "Heap allocated in the steady state, both ranks together", "Calls", true),
    FLOOR("floor", "ns", "Floors of this machine", "Floor", true);

    final String label;
    final String unit;
    final String title;
    final String rowName;
    final boolean lowerIsBetter;

    Work(String label, String unit, String title, String rowName, boolean lowerIsBetter) {
        this.label = label;
        this.unit = unit;
        this.title = title;
        this.rowName = rowName;
        this.lowerIsBetter = lowerIsBetter;
    }

    /** The work of that name, or null. */
    static Work named(String label) {
        for (Work work : values()) {
            if (work.label.equals(label)) {
                return work;
            }
        }
        return null;
    }

    /** Whether the peers' program has it too. */
    boolean hasPeers() {
        return this != ALLOC && this != FLOOR;
    }

    /** Below 1 when ours is better, in whichever direction better is. */
    double costRatio(double ours, double theirs) {
        return lowerIsBetter ? ours / theirs : theirs / ours;
    }
}
