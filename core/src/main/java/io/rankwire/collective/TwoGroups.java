package io.rankwire.collective;

/**
 * Two groups, as a rank of one sees them: its own ranks are 0 to {@code near} − 1, those of the other follow. What both
 * hold cut into blocks goes across by overlaps, whatever the sizes of the groups: a + b − 1 messages at most a side.
 *
 * <pre>
 *   near, 2 ranks:   [  0   |   1  ]
 *                      ↓  ↓   ↓  ↓
 *   far, 3 ranks:    [ 0 |  1  | 2 ]
 * </pre>
 */
record TwoGroups(Schedule.Builder steps, int rank, int near, int far) {
    /** Writes the near part of a vector of the far side, given what each side holds of its own: target − shift. */
    void swap(Blocks nearHeld, Blocks farHeld, int held, int target, long units, long shift) {
        Blocks nearWanted = Blocks.cut(near, units);
        Blocks farWanted = Blocks.cut(far, units);
        for (int i = 0; i < far; i++) {
            int peer = (rank + i) % far;
            long at = Math.max(farHeld.offset(peer), nearWanted.offset(rank));
            steps.receive(near + peer, target, at - shift, overlap(farHeld, peer, nearWanted, rank));
        }
        for (int i = 0; i < far; i++) {
            int peer = (rank + i) % far;
            long at = Math.max(nearHeld.offset(rank), farWanted.offset(peer));
            steps.send(near + peer, held, at, overlap(nearHeld, rank, farWanted, peer));
        }
    }

    /** From parts of a vector at their places to blocks at the beginning of the target, within the near group. */
    void deal(Blocks parts, Blocks blocks, int held, int target) {
        for (int i = 1; i < near; i++) {
            int peer = (rank + i) % near;
            long at = Math.max(parts.offset(peer), blocks.offset(rank));
            steps.receive(peer, target, at - blocks.offset(rank), overlap(parts, peer, blocks, rank));
        }
        for (int i = 1; i < near; i++) {
            int peer = (rank + i) % near;
            long at = Math.max(parts.offset(rank), blocks.offset(peer));
            steps.send(peer, held, at, overlap(parts, rank, blocks, peer));
        }
        long at = Math.max(parts.offset(rank), blocks.offset(rank));
        steps.copy(held, at, target, at - blocks.offset(rank), overlap(parts, rank, blocks, rank));
    }

    private static long overlap(Blocks some, int i, Blocks others, int j) {
        long from = Math.max(some.offset(i), others.offset(j));
        long to = Math.min(some.offset(i) + some.units(i), others.offset(j) + others.units(j));
        return Math.max(0, to - from);
    }
}
