package io.rankwire.collective;

/**
 * Reduce of a large vector: reduce-scatter on the circulant graph, then each rank sends its block to the root. The
 * operation must commute.
 *
 * <pre>
 *   [abcd] × 4 → [A] [B] [C] [D] → root [ABCD]
 * </pre>
 */
public final class CirculantReduce {
    public static final String NAME = "reduce-scatter and gather";

    private CirculantReduce() {}

    public static Schedule of(int rank, int size, int root, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        Blocks blocks = Blocks.cut(size, units);
        int input = inPlace && rank == root ? Schedule.OUTPUT : Schedule.INPUT;
        int held = rank == root ? Schedule.OUTPUT : steps.temporary(units);
        CirculantReduceScatter.add(steps, rank, size, blocks, input, held);
        if (rank != root) {
            steps.send(root, held, blocks.offset(rank), blocks.units(rank));
        } else {
            for (int peer = 0; peer < size; peer++) {
                if (peer != root) {
                    steps.receive(peer, Schedule.OUTPUT, blocks.offset(peer), blocks.units(peer));
                }
            }
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long bytes) {
        return CirculantReduceScatter.cost(cost, size, bytes) + LinearGather.cost(cost, size, bytes / size);
    }
}
