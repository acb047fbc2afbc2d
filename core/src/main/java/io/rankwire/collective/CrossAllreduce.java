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
            return steps.build("binomial, across, binomial");
        }
        new Crossing(steps, rank, near, far).swap(CrossReduce.held(near, units, false),
                CrossReduce.held(far, units, false), held, Schedule.OUTPUT, units, 0);
        CirculantAllgather.add(steps, rank, near, 0, Blocks.cut(near, units));
        return steps.build("reduce-scatter, across, allgather");
    }

    /** Whether the tree is the cheaper way; the answer is the same for both groups. */
    public static boolean treePays(Cost cost, int near, int far, long bytes) {
        int size = Math.max(near, far);
        return 2 * BinomialReduce.cost(cost, size, bytes) <= CirculantAllreduce.cost(cost, size, bytes);
    }
}
