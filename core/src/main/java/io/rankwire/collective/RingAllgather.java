package io.rankwire.collective;

/**
 * Allgather around a ring: each rank passes on the block that it got last. p − 1 rounds and p − 1 blocks; each rank may
 * have its own places for the blocks, since a block is always one message.
 *
 * <pre>
 *   0 → 1 → 2 → 3 → 0      round 1: own block, round 2: the left one's, …
 * </pre>
 */
public final class RingAllgather {
    private RingAllgather() {}

    public static Schedule of(int rank, int size, Blocks blocks, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        if (!inPlace) {
            steps.copy(Schedule.INPUT, 0, Schedule.OUTPUT, blocks.offset(rank), blocks.units(rank));
        }
        int right = (rank + 1) % size;
        int left = (rank - 1 + size) % size;
        for (int round = 0; round < size - 1; round++) {
            int out = (rank - round + size) % size;
            int in = (left - round + size) % size;
            steps.send(right, Schedule.OUTPUT, blocks.offset(out), blocks.units(out));
            steps.receive(left, Schedule.OUTPUT, blocks.offset(in), blocks.units(in));
        }
        return steps.build("ring");
    }

    public static double cost(Cost cost, int size, long totalBytes) {
        return (size - 1) * cost.roundNs() + totalBytes * (size - 1.0) / size * cost.byteNs();
    }
}
