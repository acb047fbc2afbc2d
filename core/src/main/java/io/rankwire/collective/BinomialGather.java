package io.rankwire.collective;

/**
 * Gather up a binomial tree: blocks are collected on the way, so the root receives ⌈log₂ p⌉ messages instead of p − 1.
 * Best for small blocks; inner ranks carry blocks of others.
 *
 * <pre>
 *   0 ← 1   2 ← 3   4 ← 5   6 ← 7
 *   0 ←──── 2       4 ←──── 6
 *   0 ←──────────── 4
 * </pre>
 */
public final class BinomialGather {
    public static final String NAME = "binomial";

    private BinomialGather() {}

    /** With {@code inPlace} the root's own block lies in the output already. */
    public static Schedule of(int rank, int size, int root, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int place = (rank - root + size) % size;
        int span = span(place, size);
        boolean direct = root == 0 && place == 0;
        int collected = direct ? Schedule.OUTPUT : Schedule.INPUT;
        if (!direct && span > 1) {
            collected = steps.temporary(span * units);
            if (!(place == 0 && inPlace)) {
                steps.copy(Schedule.INPUT, 0, collected, 0, units);
            }
        } else if (direct && !inPlace) {
            steps.copy(Schedule.INPUT, 0, collected, 0, units);
        }
        int mask = 1;
        for (; mask < size && (place & mask) == 0; mask <<= 1) {
            int child = place + mask;
            if (child < size) {
                steps.receive((child + root) % size, collected, mask * units, span(child, size) * units);
            }
        }
        if (place != 0) {
            steps.send((place - mask + root) % size, collected, 0, span * units);
        } else if (!direct) {
            long wrapped = size - root;
            steps.copy(collected, wrapped * units, Schedule.OUTPUT, 0, root * units);
            long own = inPlace ? units : 0;
            steps.copy(collected, own, Schedule.OUTPUT, root * units + own, wrapped * units - own);
        }
        return steps.build(NAME);
    }

    /** Blocks in the subtree below a place, its own among them. */
    static int span(int place, int size) {
        int mask = place == 0 ? size : Integer.lowestOneBit(place);
        return Math.min(mask, size - place);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return Cost.rounds(size) * cost.roundNs() + blockBytes * (size - 1.0) * (cost.byteNs() + cost.copyNs());
    }
}
