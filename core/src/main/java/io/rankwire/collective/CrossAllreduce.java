package io.rankwire.collective;

/**
 * Each of two groups gets the combined vectors of the other. Up a binomial tree in each group, across between the two
 * first ranks, and down again: 2⌈log₂ p⌉ + 1 rounds, the whole vector in each. Or, for large vectors and an operation
 * that commutes: reduce-scatter, blocks across, allgather; no rank carries more than about three vectors.
 *
 * <pre>
 *   0 ← 1   0 ⇄ 0'   0 → 1            [ab] [ab]   →   [A] [B]  ⇄  [A'] [B']   →   [A'B'] [A'B']
 * </pre>
 */
public final class CrossAllreduce {
    public static final String TREE = "binomial, across, binomial";
    public static final String SCATTER = "reduce-scatter, across, allgather";

    private CrossAllreduce() {}

    /** Near ranks are 0 to {@code near} − 1, far ones follow. */
    public static Schedule of(int rank, int near, int far, long units, boolean tree) {
        Schedule.Builder steps = new Schedule.Builder();
        int held = CrossReduce.add(steps, rank, near, units, tree);
        if (tree) {
            if (rank == 0) {
                steps.receive(near, Schedule.OUTPUT, 0, units);
                steps.send(near, held, 0, units);
            }
            BinomialBroadcast.add(steps, rank, near, 0, Schedule.OUTPUT, units);
            return steps.build(TREE);
        }
        new TwoGroups(steps, rank, near, far).swap(CrossReduce.held(near, units, false),
                CrossReduce.held(far, units, false), held, Schedule.OUTPUT, units, 0);
        CirculantAllgather.add(steps, rank, near, 0, Blocks.cut(near, units));
        return steps.build(SCATTER);
    }

    /** The same for both groups. */
    public static double treeCost(Cost cost, int near, int far, long bytes) {
        return 2 * BinomialReduce.cost(cost, Math.max(near, far), bytes);
    }

    public static double scatterCost(Cost cost, int near, int far, long bytes) {
        return CirculantAllreduce.cost(cost, Math.max(near, far), bytes);
    }
}
