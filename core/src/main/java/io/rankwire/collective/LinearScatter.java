package io.rankwire.collective;

import io.rankwire.collective.Step.Part;

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

    /**
     * @param from all blocks at the root; other ranks need them not
     * @param own where this rank takes its block; null at a root that leaves it where it is
     */
    public static Schedule of(int rank, int size, int root, Part[] from, Part own) {
        Schedule.Builder steps = new Schedule.Builder();
        if (rank != root) {
            steps.receive(root, own);
            return steps.build(NAME);
        }
        for (int far = 1; far < size; far++) {
            int peer = (root + far) % size;
            steps.send(peer, from[peer]);
        }
        if (own != null) {
            steps.copy(from[root], own);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return LinearGather.cost(cost, size, blockBytes);
    }
}
