package io.rankwire.collective;

/**
 * Reduce up a binomial tree: in round k, what the rank 2^k to the right has is combined to the right of what is here.
 * ⌈log₂ p⌉ rounds, the whole vector in each. An operation that does not commute goes up to rank 0, where ranks are in
 * order, and from there to the root.
 *
 * <pre>
 *   01 ← 1    23 ← 3      0123 ←── 23
 * </pre>
 */
public final class BinomialReduce {
    public static final String NAME = "binomial";

    private BinomialReduce() {}

    public static Schedule of(int rank, int size, int root, long units, boolean commutes, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int input = inPlace && rank == root ? Schedule.OUTPUT : Schedule.INPUT;
        int top = commutes ? root : 0;
        int result = rank == root ? Schedule.OUTPUT : -1;
        int held = add(steps, rank, size, top, units, input, result);
        if (top != root) {
            if (rank == top) {
                steps.send(root, held, 0, units);
            } else if (rank == root) {
                steps.receive(top, Schedule.OUTPUT, 0, units);
            }
        } else if (rank == root) {
            steps.copy(held, 0, Schedule.OUTPUT, 0, units);
        }
        return steps.build(commutes ? NAME : "binomial, in rank order");
    }

    /** Reduces to the top; the buffer that holds what this rank has combined: the result, if it is the top. */
    static int add(Schedule.Builder steps, int rank, int size, int top, long units, int input, int result) {
        int place = (rank - top + size) % size;
        int held = input;
        int mask = 1;
        for (; mask < size && (place & mask) == 0; mask <<= 1) {
            int child = place + mask;
            if (child < size) {
                int target = held != input ? held : result >= 0 && top == rank ? result : steps.temporary(units);
                steps.receiveCombine((child + top) % size, target, 0, held, 0, units, false);
                held = target;
            }
        }
        if (place != 0) {
            steps.send((place - mask + top) % size, held, 0, units);
        }
        return held;
    }

    public static double cost(Cost cost, int size, long bytes) {
        return Cost.rounds(size) * (cost.roundNs() + bytes * (cost.byteNs() + cost.combineNs()));
    }
}
