package io.rankwire.collective;

/**
 * Broadcast of a large vector: its blocks are scattered down a binomial tree, then gathered by all on the circulant
 * graph. 2⌈log₂ p⌉ rounds, but each rank carries only about twice the vector.
 *
 * <pre>
 *   root [abcd] → [ab··] [cd··] → [a] [b] [c] [d] → all [abcd]
 * </pre>
 */
public final class ScatterAllgatherBroadcast {
    public static final String NAME = "scatter and allgather";

    private ScatterAllgatherBroadcast() {}

    public static Schedule of(int rank, int size, int root, long units) {
        Schedule.Builder steps = new Schedule.Builder();
        Blocks blocks = Blocks.cut(size, units);
        int place = (rank - root + size) % size;
        int mask = 1;
        while (mask < size && (place & mask) == 0) {
            mask <<= 1;
        }
        if (place != 0) {
            range(steps, false, (place - mask + root) % size, blocks, place, Math.min(place + mask, size));
        }
        for (mask >>= 1; mask > 0; mask >>= 1) {
            int child = place + mask;
            if (child < size) {
                range(steps, true, (child + root) % size, blocks, child, Math.min(child + mask, size));
            }
        }
        CirculantAllgather.add(steps, place, size, root, blocks);
        return steps.build(NAME);
    }

    private static void range(Schedule.Builder steps, boolean send, int peer, Blocks blocks, int from, int to) {
        long start = blocks.offset(from);
        long units = blocks.offset(to - 1) + blocks.units(to - 1) - start;
        if (send) {
            steps.send(peer, Schedule.OUTPUT, start, units);
        } else {
            steps.receive(peer, Schedule.OUTPUT, start, units);
        }
    }

    public static double cost(Cost cost, int size, long bytes) {
        return 2 * Cost.rounds(size) * cost.roundNs() + 2.0 * bytes * (size - 1) / size * cost.byteNs();
    }
}
