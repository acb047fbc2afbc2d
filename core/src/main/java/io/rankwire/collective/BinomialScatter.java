package io.rankwire.collective;

/**
 * Scatter down a binomial tree: the root sends halves, and a rank that gets a part sends on half of it. ⌈log₂ p⌉
 * rounds; the mirror of {@link BinomialGather}.
 *
 * <pre>
 *   0 ────────────→ 4
 *   0 ────→ 2       4 ────→ 6
 *   0 → 1   2 → 3   4 → 5   6 → 7
 * </pre>
 */
public final class BinomialScatter {
    public static final String NAME = "binomial";

    private BinomialScatter() {}

    /** With {@code inPlace} the root keeps its own block where it is. */
    public static Schedule of(int rank, int size, int root, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int place = (rank - root + size) % size;
        int span = BinomialGather.span(place, size);
        int held = Schedule.INPUT;
        if (place == 0 && root != 0) {
            held = steps.temporary(size * units);
            long wrapped = size - root;
            steps.copy(Schedule.INPUT, root * units, held, 0, wrapped * units);
            steps.copy(Schedule.INPUT, 0, held, wrapped * units, root * units);
        } else if (place != 0) {
            held = span > 1 ? steps.temporary(span * units) : Schedule.OUTPUT;
            steps.receive((place - Integer.lowestOneBit(place) + root) % size, held, 0, span * units);
        }
        int mask = place == 0 ? Integer.highestOneBit(Math.max(1, size - 1)) : Integer.lowestOneBit(place) >> 1;
        for (; mask > 0; mask >>= 1) {
            int child = place + mask;
            if (child < size) {
                steps.send((child + root) % size, held, mask * units, BinomialGather.span(child, size) * units);
            }
        }
        if (!(place == 0 && inPlace)) {
            steps.copy(held, 0, Schedule.OUTPUT, 0, units);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return BinomialGather.cost(cost, size, blockBytes);
    }
}
