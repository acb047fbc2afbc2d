package io.rankwire.collective;

import java.util.Arrays;

/**
 * The combined vectors of each of two groups, scattered over the other. The groups know the length of the whole, and
 * each its own blocks alone: so even parts go across, and each group deals out its own, if its blocks are not such
 * parts already. Within the sending group by reduce-scatter, or in rank order to its first rank.
 *
 * <pre>
 *   [ab] [ab]  →  [A] [B]  ⇄  [A'] [B']  →  by blocks
 * </pre>
 */
public final class CrossReduceScatter {
    public static final String SCATTER = "reduce-scatter, across";
    public static final String ORDERED = "reduced in rank order, across";

    private CrossReduceScatter() {}

    /** Blocks of the near group, whose ranks are 0 to {@code near} − 1; far ones follow. */
    public static Schedule of(int rank, int near, int far, Blocks blocks, boolean commutes) {
        Schedule.Builder steps = new Schedule.Builder();
        TwoGroups across = new TwoGroups(steps, rank, near, far);
        long units = blocks.total();
        boolean tree = !commutes;
        int held = CrossReduce.add(steps, rank, near, units, tree);
        Blocks nearHeld = CrossReduce.held(near, units, tree);
        Blocks farHeld = CrossReduce.held(far, units, tree);
        Blocks parts = Blocks.cut(near, units);
        if (Arrays.equals(parts.units(), blocks.units())) {
            across.swap(nearHeld, farHeld, held, Schedule.OUTPUT, units, parts.offset(rank));
        } else {
            int got = steps.temporary(units);
            across.swap(nearHeld, farHeld, held, got, units, 0);
            across.deal(parts, blocks, got, Schedule.OUTPUT);
        }
        return steps.build(commutes ? SCATTER : ORDERED);
    }
}
