package io.rankwire.collective;

/**
 * Reduce-scatter on a circulant graph, the mirror of {@link CirculantAllgather}: each rank sends away the further half
 * of the blocks it still works on and combines what comes into the nearer half. ⌈log₂ p⌉ rounds and p − 1 blocks for
 * every p, both the least possible. Ranks are combined in an order that turns with the block, so the operation must
 * commute.
 *
 * <pre>
 *   p = 4, rank 0:  blocks 2 3 → rank 2,  from rank 2: blocks 0 1
 *                   block  1   → rank 1,  from rank 3: block 0
 * </pre>
 */
public final class CirculantReduceScatter {
    public static final String NAME = "circulant";

    private CirculantReduceScatter() {}

    /** All ranks have the same blocks in their input; each gets its own at the beginning of its output. */
    public static Schedule of(int rank, int size, Blocks blocks, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int input = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        int held = inPlace || size == 1 ? Schedule.OUTPUT : size == 2 ? -1 : steps.temporary(blocks.total());
        if (held >= 0) {
            add(steps, rank, size, blocks, input, held);
            steps.copy(held, blocks.offset(rank), Schedule.OUTPUT, 0, blocks.units(rank));
        } else {
            int other = 1 - rank;
            steps.receiveCombine(other, Schedule.OUTPUT, 0, Schedule.INPUT, blocks.offset(rank), blocks.units(rank),
                    false);
            steps.send(other, Schedule.INPUT, blocks.offset(other), blocks.units(other));
        }
        return steps.build(NAME);
    }

    /**
     * Leaves this rank's block combined at its place in the target. Blocks are read from the input where nothing was
     * combined before, so the target needs no copy of it.
     */
    static void add(Schedule.Builder steps, int rank, int size, Blocks blocks, int input, int target) {
        if (size == 1) {
            steps.copy(input, 0, target, 0, blocks.total());
            return;
        }
        int[] skips = CirculantAllgather.skips(size);
        boolean[] combined = new boolean[size];
        for (int k = 1; k < skips.length; k++) {
            int keep = skips[k];
            int away = skips[k - 1] - keep;
            int to = (rank + keep) % size;
            int from = (rank - keep + size) % size;
            for (int i = 0; i < away; i++) {
                int block = (rank + keep + i) % size;
                int source = combined[block] ? target : input;
                steps.send(to, source, blocks.offset(block), blocks.units(block));
            }
            for (int i = 0; i < away; i++) {
                int block = (rank + i) % size;
                int local = combined[block] ? target : input;
                steps.receiveCombine(from, target, blocks.offset(block), local, blocks.offset(block),
                        blocks.units(block), false);
                combined[block] = true;
            }
        }
    }

    public static double cost(Cost cost, int size, long totalBytes) {
        return Cost.rounds(size) * cost.roundNs() + size * cost.messageNs()
                + totalBytes * (size - 1.0) / size * (cost.byteNs() + cost.combineNs());
    }
}
