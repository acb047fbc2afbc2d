package io.rankwire.collective;

import io.rankwire.collective.Step.Part;

/**
 * Gather straight to the root, which receives every block where it belongs: one round, p − 1 messages for the root, no
 * byte carried twice. For large blocks, and for blocks of different lengths.
 *
 * <pre>
 *   1 ─┐
 *   2 ─┼→ 0
 *   3 ─┘
 * </pre>
 */
public final class LinearGather {
    public static final String NAME = "linear";

    private LinearGather() {}

    /**
     * @param into the places of all blocks at the root; other ranks need them not
     * @param own what this rank gives; null at a root where it is in its place already
     */
    public static Schedule of(int rank, int size, int root, Part[] into, Part own) {
        Schedule.Builder steps = new Schedule.Builder();
        if (rank != root) {
            steps.send(root, own);
            return steps.build(NAME);
        }
        for (int peer = 0; peer < size; peer++) {
            if (peer != root) {
                steps.receive(peer, into[peer]);
            }
        }
        if (own != null) {
            steps.copy(own, into[root]);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return cost.roundNs() + (size - 1.0) * (cost.messageNs() + blockBytes * cost.byteNs());
    }
}
