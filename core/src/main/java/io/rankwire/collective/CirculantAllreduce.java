package io.rankwire.collective;

/**
 * Allreduce of a large vector: reduce-scatter and allgather, both on the circulant graph. 2⌈log₂ p⌉ rounds, and each
 * rank sends twice the vector less two blocks, the least possible for every p. The operation must commute.
 *
 * <pre>
 *   [abcd] × 4 → [A] [B] [C] [D] → [ABCD] × 4
 * </pre>
 */
public final class CirculantAllreduce {
    public static final String NAME = "reduce-scatter and allgather";

    private CirculantAllreduce() {}

    public static Schedule of(int rank, int size, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        Blocks blocks = Blocks.cut(size, units);
        int input = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        CirculantReduceScatter.add(steps, rank, size, blocks, input, Schedule.OUTPUT);
        CirculantAllgather.add(steps, rank, size, 0, blocks);
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long bytes) {
        return CirculantReduceScatter.cost(cost, size, bytes) + CirculantAllgather.cost(cost, size, bytes);
    }
}
