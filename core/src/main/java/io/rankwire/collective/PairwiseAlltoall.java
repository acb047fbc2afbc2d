package io.rankwire.collective;

import io.rankwire.collective.Step.Part;

/**
 * Alltoall straight from where each block lies to where it goes: in round k, rank r sends to r + k and receives from
 * r − k, so that no rank is sent to by all at once. p − 1 messages, no byte carried twice; a few rounds are under way
 * together.
 *
 * <pre>
 *   round 1:  0 → 1 → 2 → 3 → 0      round 2:  0 ↔ 2, 1 ↔ 3
 * </pre>
 */
public final class PairwiseAlltoall {
    public static final String NAME = "pairwise";

    private PairwiseAlltoall() {}

    /** One block to each rank, and a place for one from each. */
    public static Schedule of(int rank, int size, Part[] out, Part[] in) {
        Schedule.Builder steps = new Schedule.Builder();
        for (int far = 1; far < size; far++) {
            int to = (rank + far) % size;
            int from = (rank - far + size) % size;
            steps.receive(from, in[from]);
            steps.send(to, out[to]);
        }
        steps.copy(out[rank], in[rank]);
        return steps.build(NAME);
    }

    /** As {@link #of}, from the places to themselves: what is to be sent is set aside first. */
    public static Schedule inPlace(int rank, int size, Part[] places) {
        Schedule.Builder steps = new Schedule.Builder();
        for (int far = 1; far < size; far++) {
            int to = (rank + far) % size;
            Part aside = new Part(steps.temporary(places[to].units()), 0, places[to].units());
            steps.copy(places[to], aside);
            steps.send(to, aside);
        }
        for (int far = 1; far < size; far++) {
            int from = (rank - far + size) % size;
            steps.receive(from, places[from]);
        }
        return steps.build("pairwise, set aside");
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return cost.roundNs() + (size - 1.0) * (cost.messageNs() + blockBytes * cost.byteNs());
    }
}
