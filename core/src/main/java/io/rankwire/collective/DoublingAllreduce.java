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
        int held = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        int power = Integer.highestOneBit(size);
        int extra = size - power;
        if (rank < 2 * extra && rank % 2 == 0) {
            steps.send(rank + 1, held, 0, units);
            steps.receive(rank + 1, Schedule.OUTPUT, 0, units);
            return steps.build(NAME);
        }
        if (rank < 2 * extra) {
            steps.receiveCombine(rank - 1, Schedule.OUTPUT, 0, held, 0, units, true);
            held = Schedule.OUTPUT;
        }
        int place = rank < 2 * extra ? rank / 2 : rank - extra;
        int[] spare = {-1, -1};
        int round = 0;
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
            steps.send(peer, held, 0, units);
            steps.receiveCombine(peer, target, 0, held, 0, units, other < place);
            held = target;
        }
        steps.copy(held, 0, Schedule.OUTPUT, 0, units);
        if (rank < 2 * extra) {
            steps.send(rank - 1, Schedule.OUTPUT, 0, units);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long bytes) {
        int rounds = Cost.rounds(size) + (Integer.bitCount(size) == 1 ? 0 : 1);
        return rounds * (cost.roundNs() + bytes * (cost.byteNs() + cost.combineNs()));
    }
}
