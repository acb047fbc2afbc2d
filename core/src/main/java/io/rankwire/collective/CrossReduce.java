package io.rankwire.collective;

/**
 * Reduce of one group's vectors to a rank of another. Up a binomial tree to the group's first rank, in rank order, and
 * from there across: ⌈log₂ p⌉ + 1 rounds, the whole vector in each. Or, for large vectors and an operation that
 * commutes, by a reduce-scatter whose blocks all go across: no rank carries more than about two vectors.
 *
 * <pre>
 *   01 ← 1    23 ← 3      0123 ←── 23      0123 ──→ root'
 * </pre>
 */
public final class CrossReduce {
    public static final String TREE = "binomial, then across";
    public static final String SCATTER = "reduce-scatter, then across";

    private CrossReduce() {}

    /** What the root does; its own group's other ranks do nothing. Near ranks come first in the numbers of ranks. */
    public static Schedule root(int near, int far, long units, boolean tree) {
        Schedule.Builder steps = new Schedule.Builder();
        Blocks held = held(far, units, tree);
        for (int peer = 0; peer < far; peer++) {
            steps.receive(near + peer, Schedule.OUTPUT, held.offset(peer), held.units(peer));
        }
        return steps.build(name(tree));
    }

    /** What a rank of the group does whose vectors are reduced. */
    public static Schedule of(int rank, int near, int root, long units, boolean tree) {
        Schedule.Builder steps = new Schedule.Builder();
        int buffer = add(steps, rank, near, units, tree);
        Blocks held = held(near, units, tree);
        steps.send(near + root, buffer, held.offset(rank), held.units(rank));
        return steps.build(name(tree));
    }

    /** What each rank of a group holds of the reduced vector once {@link #add} is done. */
    static Blocks held(int size, long units, boolean tree) {
        long[] first = new long[size];
        first[0] = units;
        return tree ? Blocks.row(first) : Blocks.cut(size, units);
    }

    /** Reduces within the group; the buffer that holds this rank's share, at its place. */
    static int add(Schedule.Builder steps, int rank, int size, long units, boolean tree) {
        if (tree || size == 1) {
            return BinomialReduce.add(steps, rank, size, 0, units, Schedule.INPUT, -1);
        }
        int held = steps.temporary(units);
        CirculantReduceScatter.add(steps, rank, size, Blocks.cut(size, units), Schedule.INPUT, held);
        return held;
    }

    private static String name(boolean tree) {
        return tree ? TREE : SCATTER;
    }

    /** For a group of {@code size} ranks, as is {@link #scatterCost}. */
    public static double treeCost(Cost cost, int size, long bytes) {
        return BinomialReduce.cost(cost, size, bytes) + bytes * cost.byteNs();
    }

    public static double scatterCost(Cost cost, int size, long bytes) {
        return CirculantReduceScatter.cost(cost, size, bytes) + LinearGather.cost(cost, size + 1, bytes / size);
    }
}
