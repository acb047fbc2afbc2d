package io.rankwire.sim;

/**
 * What the operating system takes of a host: once a period it stops the program for a while. When, is drawn for each
 * rank, or once for all if they are synchronised. Nothing is kept: the work's end is computed.
 *
 * @param periodPs from one stop to the next; 0: there are none
 * @param lengthPs how long each lasts, less than the period
 */
public record Noise(long periodPs, long lengthPs, boolean synchronised, long seed) {
    public static final Noise NONE = new Noise(0, 0, true, 0);

    public Noise {
        if (periodPs < 0 || lengthPs < 0 || periodPs > 0 && lengthPs >= periodPs) {
            throw new IllegalArgumentException("noise: " + lengthPs + " ps every " + periodPs + " ps");
        }
    }

    /** When a stop begins at the rank; the others are whole periods away. */
    public long phase(int rank) {
        long mixed = (seed ^ 0x9E3779B97F4A7C15L) + (synchronised ? 0 : (rank + 1) * 0xD1342543DE82EF95L);
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return Long.remainderUnsigned(mixed ^ mixed >>> 31, periodPs);
    }

    /** When the rank's host is done with so much work, begun then at the earliest. */
    public long end(int rank, long from, long work) {
        if (periodPs == 0) {
            return from + work;
        }
        long since = Math.floorMod(from - phase(rank), periodPs);
        long start = from;
        if (since < lengthPs) {
            start += lengthPs - since;
            since = lengthPs;
        }
        long rest = work - (periodPs - since);
        return rest <= 0 ? start + work : start + work + (1 + (rest - 1) / (periodPs - lengthPs)) * lengthPs;
    }

    @Override
    public String toString() {
        return periodPs == 0 ? "no noise" : "noise of " + Picoseconds.text(lengthPs) + " every "
                + Picoseconds.text(periodPs) + ", " + (synchronised ? "synchronised" : "each rank its own")
                + ", seed " + seed;
    }
}
