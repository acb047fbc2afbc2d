package io.rankwire.collective;

/**
 * Scatter straight from the root: p − 1 messages from where the blocks lie, no byte carried twice. For large blocks,
 * and for blocks of different lengths.
 *
 * <pre>
 *      ┌→ 1
 *   0 ─┼→ 2
 *      └→ 3
 * </pre>
 */
public final class LinearScatter {
    public static final String NAME = "linear";

    private LinearScatter() {}

    /** The root's blocks; other ranks need only their own length. */
    public static Schedule of(int rank, int size, int root, Blocks blocks, long own, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        if (rank != root) {
            steps.receive(root, Schedule.OUTPUT, 0, own);
            return steps.build(NAME);
        }
        for (int far = 1; far < size; far++) {
            int peer = (root + far) % size;
            steps.send(peer, Schedule.INPUT, blocks.offset(peer), blocks.units(peer));
        }
        if (!inPlace) {
            steps.copy(Schedule.INPUT, blocks.offset(root), Schedule.OUTPUT, 0, own);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return LinearGather.cost(cost, size, blockBytes);
    }
}
