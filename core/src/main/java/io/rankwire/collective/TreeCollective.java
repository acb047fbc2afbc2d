package io.rankwire.collective;

/**
 * Barrier, broadcast, reduce and allreduce on a combining tree, a network of its own whose switches combine what ranks
 * give: each rank gives its part and waits for the result. It takes a hop up and a hop down for each level of the tree,
 * and no rank or device on the way; long vectors go through it packet after packet.
 */
public final class TreeCollective {
    public static final String NAME = "combining tree";

    private TreeCollective() {}

    /**
     * @param from the buffer that a rank gives, or the one it takes if it gives nothing
     * @param to the buffer for the result, or the one it gives if it takes nothing
     */
    public static Schedule of(int from, int to, long units) {
        Schedule.Builder steps = new Schedule.Builder();
        steps.tree(from, to, units);
        return steps.build(NAME);
    }
}
