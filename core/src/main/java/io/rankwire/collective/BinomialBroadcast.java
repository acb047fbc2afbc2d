package io.rankwire.collective;

/**
 * Broadcast down a binomial tree: a rank that has it gives it to the one half the rest away. ⌈log₂ p⌉ rounds, the whole
 * message in each: best while a message costs more to begin than to carry.
 *
 * <pre>
 *   0 ────────→ 4
 *   0 ──→ 2     4 ──→ 6
 *   0 → 1 2 → 3 4 → 5 6 → 7
 * </pre>
 */
public final class BinomialBroadcast {
    public static final String NAME = "binomial";

    private BinomialBroadcast() {}

    public static Schedule of(int rank, int size, int root, long units) {
        Schedule.Builder steps = new Schedule.Builder();
        add(steps, rank, size, root, Schedule.OUTPUT, units);
        return steps.build(NAME);
    }

    /** Broadcasts the beginning of a buffer. */
    static void add(Schedule.Builder steps, int rank, int size, int root, int buffer, long units) {
        int place = (rank - root + size) % size;
        int mask = 1;
        while (mask < size && (place & mask) == 0) {
            mask <<= 1;
        }
        if (place != 0) {
            steps.receive((place - mask + root) % size, buffer, 0, units);
        }
        for (mask >>= 1; mask > 0; mask >>= 1) {
            if (place + mask < size) {
                steps.send((place + mask + root) % size, buffer, 0, units);
            }
        }
    }

    public static double cost(Cost cost, int size, long bytes) {
        return Cost.rounds(size) * (cost.roundNs() + bytes * cost.byteNs());
    }
}
