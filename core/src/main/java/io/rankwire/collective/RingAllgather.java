package io.rankwire.collective;

import io.rankwire.collective.Step.Part;

/**
 * Allgather around a ring: each rank passes on the block that it got last. p − 1 rounds and p − 1 blocks; each rank may
 * have its own places for the blocks, since a block is always one message.
 *
 * <pre>
 *   0 → 1 → 2 → 3 → 0      round 1: own block, round 2: the left one's, …
 * </pre>
 */
public final class RingAllgather {
    public static final String NAME = "ring";

    private RingAllgather() {}

    /**
     * @param into the places of all blocks
     * @param own what this rank gives; null if it is in its place already
     */
    public static Schedule of(int rank, int size, Part[] into, Part own) {
        Schedule.Builder steps = new Schedule.Builder();
        if (own != null) {
            steps.copy(own, into[rank]);
        }
        int right = (rank + 1) % size;
        int left = (rank - 1 + size) % size;
        for (int round = 0; round < size - 1; round++) {
            int out = (rank - round + size) % size;
            int in = (left - round + size) % size;
            steps.send(right, into[out]);
            steps.receive(left, into[in]);
        }
        return steps.build(NAME);
    }
}
