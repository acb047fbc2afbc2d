package io.rankwire.collective;

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

    /** The blocks to send lie in the input, those to receive in the output. */
    public static Schedule of(int rank, int size, Blocks out, Blocks in) {
        Schedule.Builder steps = new Schedule.Builder();
        for (int far = 1; far < size; far++) {
            int to = (rank + far) % size;
            int from = (rank - far + size) % size;
            steps.receive(from, Schedule.OUTPUT, in.offset(from), in.units(from));
            steps.send(to, Schedule.INPUT, out.offset(to), out.units(to));
        }
        steps.copy(Schedule.INPUT, out.offset(rank), Schedule.OUTPUT, in.offset(rank), out.units(rank));
        return steps.build(NAME);
    }

    /** As {@link #of}, from the output to itself: what is to be sent is set aside first. */
    public static Schedule inPlace(int rank, int size, Blocks blocks) {
        Schedule.Builder steps = new Schedule.Builder();
        for (int far = 1; far < size; far++) {
            int to = (rank + far) % size;
            int aside = steps.temporary(blocks.units(to));
            steps.copy(Schedule.OUTPUT, blocks.offset(to), aside, 0, blocks.units(to));
            steps.send(to, aside, 0, blocks.units(to));
        }
        for (int far = 1; far < size; far++) {
            int from = (rank - far + size) % size;
            steps.receive(from, Schedule.OUTPUT, blocks.offset(from), blocks.units(from));
        }
        return steps.build("pairwise, set aside");
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return cost.roundNs() + (size - 1.0) * (cost.messageNs() + blockBytes * cost.byteNs());
    }
}
