package io.rankwire.collective;

/**
 * Reduce-scatter for an operation that does not commute: reduced in rank order to rank 0, which sends each block away.
 * ⌈log₂ p⌉ + 1 rounds.
 */
public final class OrderedReduceScatter {
    public static final String NAME = "reduced in rank order, then scattered";

    private OrderedReduceScatter() {}

    public static Schedule of(int rank, int size, Blocks blocks, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int input = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        int held = BinomialReduce.add(steps, rank, size, 0, blocks.total(), input, -1);
        if (rank == 0) {
            for (int peer = 1; peer < size; peer++) {
                steps.send(peer, held, blocks.offset(peer), blocks.units(peer));
            }
            steps.copy(held, blocks.offset(0), Schedule.OUTPUT, 0, blocks.units(0));
        } else {
            steps.receive(0, Schedule.OUTPUT, 0, blocks.units(rank));
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long totalBytes) {
        return BinomialReduce.cost(cost, size, totalBytes) + LinearScatter.cost(cost, size, totalBytes / size);
    }
}
