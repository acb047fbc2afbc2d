package io.rankwire.collective;

/**
 * Barrier: in round k each rank signals the one 2^k to its right and waits for the one 2^k to its left. ⌈log₂ p⌉ rounds
 * for every p, no root.
 *
 * <pre>
 *   0 → 1 → 2 → 3 → 4 → 0      then
 *   0 → 2 → 4 → 1 → 3 → 0      then  0 → 4 → 3 → 2 → 1 → 0
 * </pre>
 */
public final class DisseminationBarrier {
    private DisseminationBarrier() {}

    public static Schedule of(int rank, int size) {
        Schedule.Builder steps = new Schedule.Builder();
        add(steps, rank, size);
        return steps.build("dissemination");
    }

    static void add(Schedule.Builder steps, int rank, int size) {
        for (int far = 1; far < size; far *= 2) {
            steps.signal((rank + far) % size);
            steps.hear((rank - far + size) % size);
        }
    }

    public static double cost(Cost cost, int size) {
        return Cost.rounds(size) * cost.roundNs();
    }
}
