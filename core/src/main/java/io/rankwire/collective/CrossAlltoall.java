package io.rankwire.collective;

import io.rankwire.collective.Step.Part;

/**
 * Alltoall between two groups: each rank sends its block for every rank of the other group straight to where it goes,
 * beginning with the one opposite, so that no rank is sent to by all at once. One round, as many messages a rank as the
 * other group has ranks, no byte carried twice. With the same block for all it is the allgather.
 *
 * <pre>
 *   0 ─┬─ 0'
 *   1 ─┼─ 1'
 *      └─ 2'
 * </pre>
 */
public final class CrossAlltoall {
    public static final String NAME = "pairwise across";

    private CrossAlltoall() {}

    /** Near ranks are 0 to {@code near} − 1, far ones follow; blocks are one for each of the far ones. */
    public static Schedule of(int rank, int near, int far, Part[] out, Part[] in) {
        Schedule.Builder steps = new Schedule.Builder();
        for (int i = 0; i < far; i++) {
            int from = (rank + i) % far;
            steps.receive(near + from, in[from]);
        }
        for (int i = 0; i < far; i++) {
            int to = (rank + i) % far;
            steps.send(near + to, out[to]);
        }
        return steps.build(NAME);
    }
}
