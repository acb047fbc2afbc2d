package io.rankwire.collective;

/**
 * Allgather on a circulant graph: each rank doubles what it has, taking from the right the blocks that follow its own.
 * ⌈log₂ p⌉ rounds and p − 1 blocks for every p and for blocks of any length; blocks stay where they belong, so a run of
 * them that wraps around is two messages. All ranks must have the blocks at the same places.
 *
 * <pre>
 *   p = 5, rank 0 has     a····   takes b from 1
 *                         ab···   takes c from 2   (blocks 2)
 *                         abc··   takes d, e from 3 (blocks 3, 4)
 * </pre>
 */
public final class CirculantAllgather {
    public static final String NAME = "circulant";

    private CirculantAllgather() {}

    public static Schedule of(int rank, int size, Blocks blocks, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        if (!inPlace) {
            steps.copy(Schedule.INPUT, 0, Schedule.OUTPUT, blocks.offset(rank), blocks.units(rank));
        }
        add(steps, rank, size, 0, blocks);
        return steps.build(NAME);
    }

    /** Gathers the blocks of the output, of which this rank has that of its place; ranks are shifted by the root. */
    static void add(Schedule.Builder steps, int place, int size, int root, Blocks blocks) {
        int[] skips = skips(size);
        for (int k = skips.length - 1; k > 0; k--) {
            int have = skips[k];
            int more = skips[k - 1] - have;
            int from = (place + have) % size;
            int to = (place - have + size) % size;
            run(blocks, place, more, size, (at, units) -> steps.send((to + root) % size, Schedule.OUTPUT, at, units));
            run(blocks, from, more, size, (at, units) ->
                    steps.receive((from + root) % size, Schedule.OUTPUT, at, units));
        }
    }

    /** How many blocks a rank has before each round, from all of them down to one. */
    static int[] skips(int size) {
        int[] skips = new int[Cost.rounds(size) + 1];
        int left = size;
        for (int k = 0; k < skips.length; k++) {
            skips[k] = left;
            left = left + 1 >> 1;
        }
        return skips;
    }

    /** Takes a run of blocks as one range, or as two when it wraps around. */
    static void run(Blocks blocks, int first, int count, int size, Range range) {
        int start = first % size;
        int upToEnd = Math.min(count, size - start);
        piece(blocks, start, upToEnd, range);
        piece(blocks, 0, count - upToEnd, range);
    }

    private static void piece(Blocks blocks, int first, int count, Range range) {
        long at = 0;
        long units = 0;
        for (int i = first; i < first + count; i++) {
            if (blocks.units(i) == 0) {
                continue;
            }
            if (units > 0 && blocks.offset(i) != at + units) {
                range.take(at, units);
                units = 0;
            }
            if (units == 0) {
                at = blocks.offset(i);
            }
            units += blocks.units(i);
        }
        if (units > 0) {
            range.take(at, units);
        }
    }

    /** A range of a buffer. */
    interface Range {
        void take(long at, long units);
    }

    public static double cost(Cost cost, int size, long totalBytes) {
        return Cost.rounds(size) * (cost.roundNs() + cost.messageNs())
                + totalBytes * (size - 1.0) / size * cost.byteNs();
    }
}
