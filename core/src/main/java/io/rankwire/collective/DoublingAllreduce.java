package io.rankwire.collective;

/**
 * Allreduce by recursive doubling: neighbours exchange and combine, then pairs of pairs, and so on; left goes left, so
 * ranks stay in order. Where p is no power of two, the first ranks pair up beforehand and get the result at the
 * end. ⌊log₂ p⌋ rounds, and two more if p is no power of two; the whole vector in each.
 *
 * <pre>
 *   0 ↔ 1   2 ↔ 3
 *   01 ↔ 23         (each with its like)
 * </pre>
 */
public final class DoublingAllreduce {
    public static final String NAME = "recursive doubling";

    private DoublingAllreduce() {}

    public static Schedule of(int rank, int size, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        add(steps, rank, size, 0, units, inPlace ? Schedule.OUTPUT : Schedule.INPUT);
        return steps.build(NAME);
    }

    /** Combines a part of a vector, which begins at the same place in the output and in what this rank holds. */
    static void add(Schedule.Builder steps, int rank, int size, long at, long units, int first) {
        int held = first;
        int power = Integer.highestOneBit(size);
        int extra = size - power;
        if (rank < 2 * extra && rank % 2 == 0) {
            steps.send(rank + 1, held, at, units);
            steps.receive(rank + 1, Schedule.OUTPUT, at, units);
            return;
        }
        if (rank < 2 * extra) {
            steps.receiveCombine(rank - 1, Schedule.OUTPUT, at, held, at, units, true);
            held = Schedule.OUTPUT;
        }
        int place = rank < 2 * extra ? rank / 2 : rank - extra;
        int[] spare = {-1, -1};
        int round = 0;
        long heldAt = at;
        for (int mask = 1; mask < power; mask *= 2, round++) {
            int other = place ^ mask;
            int peer = other < extra ? 2 * other + 1 : other + extra;
            boolean last = 2 * mask == power;
            // The peer may still be sent what is here when its own comes, so that goes to another buffer.
            int target = last && held != Schedule.OUTPUT ? Schedule.OUTPUT : spare[round & 1];
            if (target < 0) {
                target = steps.temporary(units);
                spare[round & 1] = target;
            }
            long targetAt = target == Schedule.OUTPUT ? at : 0;
            steps.send(peer, held, heldAt, units);
            steps.receiveCombine(peer, target, targetAt, held, heldAt, units, other < place);
            held = target;
            heldAt = targetAt;
        }
        steps.copy(held, heldAt, Schedule.OUTPUT, at, units);
        if (rank < 2 * extra) {
            steps.send(rank - 1, Schedule.OUTPUT, at, units);
        }
    }

    public static double cost(Cost cost, int size, long bytes) {
        int rounds = Cost.rounds(size) + (Integer.bitCount(size) == 1 ? 0 : 1);
        return rounds * (cost.roundNs() + bytes * (cost.byteNs() + cost.combineNs()));
    }
}
