package io.rankwire.collective;

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

    /** The root's blocks; other ranks need only their own length. */
    public static Schedule of(int rank, int size, int root, Blocks blocks, long own, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        if (rank != root) {
            steps.send(root, Schedule.INPUT, 0, own);
            return steps.build(NAME);
        }
        for (int peer = 0; peer < size; peer++) {
            if (peer != root) {
                steps.receive(peer, Schedule.OUTPUT, blocks.offset(peer), blocks.units(peer));
            }
        }
        if (!inPlace) {
            steps.copy(Schedule.INPUT, 0, Schedule.OUTPUT, blocks.offset(root), own);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return cost.roundNs() + (size - 1.0) * (cost.messageNs() + blockBytes * cost.byteNs());
    }
}
