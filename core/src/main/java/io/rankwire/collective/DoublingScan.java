package io.rankwire.collective;

/**
 * Prefix sums by doubling: in round k each rank sends what it has to the one 2^k to its right and combines what comes
 * from the left to the left of its own. ⌈log₂ p⌉ rounds for every p; ranks stay in order.
 *
 * <pre>
 *   0   1    2     3
 *   0   01   12    23       after round 1
 *   0   01   012   0123     after round 2
 * </pre>
 */
public final class DoublingScan {
    public static final String NAME = "doubling";

    private DoublingScan() {}

    /** Each rank gets the ranks up to and with itself. */
    public static Schedule inclusive(int rank, int size, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int held = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        for (int far = 1; far < size; far *= 2) {
            if (rank + far < size) {
                steps.send(rank + far, held, 0, units);
            }
            if (rank - far >= 0) {
                boolean last = rank - 2 * far < 0;
                int target = last && held != Schedule.OUTPUT ? Schedule.OUTPUT : steps.temporary(units);
                steps.receiveCombine(rank - far, target, 0, held, 0, units, true);
                held = target;
            }
        }
        steps.copy(held, 0, Schedule.OUTPUT, 0, units);
        return steps.build(NAME);
    }

    /** Each rank gets the ranks before itself; rank 0 gets nothing. */
    public static Schedule exclusive(int rank, int size, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int held = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        int before = -1;
        for (int far = 1; far < size; far *= 2) {
            if (rank + far < size) {
                steps.send(rank + far, held, 0, units);
            }
            if (rank - far < 0) {
                continue;
            }
            int got = steps.temporary(units);
            steps.receive(rank - far, got, 0, units);
            if (rank + 2 * far < size) {
                int next = steps.temporary(units);
                steps.copy(held, 0, next, 0, units);
                steps.combine(next, 0, got, 0, units, true);
                held = next;
            }
            if (before < 0) {
                before = got;
            } else {
                steps.combine(before, 0, got, 0, units, true);
            }
        }
        if (before >= 0) {
            steps.copy(before, 0, Schedule.OUTPUT, 0, units);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long bytes) {
        return Cost.rounds(size) * (cost.roundNs() + bytes * (cost.byteNs() + cost.combineNs()));
    }
}
