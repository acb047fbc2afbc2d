package io.rankwire.collective;

/**
 * What messages cost, to choose between algorithms: a round is the time until a small message is there and has been
 * answered for, the others are for each byte.
 *
 * @param roundNs one message, one after another
 * @param messageNs one more message of the same rank in the same round
 * @param byteNs a byte from one rank to another
 * @param combineNs a byte combined with another
 * @param copyNs a byte copied within a rank
 * @param crossingNs a line written by one rank and read by another
 */
public record Cost(
        double roundNs, double messageNs, double byteNs, double combineNs, double copyNs, double crossingNs) {
    /** Longest vector that each rank combines for itself. */
    private static final int ONE_CROSSING = 1024;

    /** Ranks of one machine, each with a processor of its own. */
    public static final Cost NEAR = new Cost(150, 40, 0.15, 0.08, 0.05, 100);
    /** More ranks than processors: a round waits until the others have had theirs. */
    public static final Cost CROWDED = new Cost(4_000, 100, 0.2, 0.15, 0.1, 1_500);

    /** Everyone's bytes read by everyone from shared memory; what is combined takes a second crossing if it is long. */
    public static double lines(Cost cost, int size, long bytes, boolean combines) {
        double look = cost.crossingNs + (size - 2) * cost.messageNs;
        double copies = 2 * bytes * cost.copyNs;
        return combines && bytes > ONE_CROSSING
                ? 2 * look + copies + bytes * cost.combineNs
                : look + copies + (size - 1) * bytes * (combines ? cost.combineNs : cost.copyNs);
    }

    /** At least, of any algorithm with messages that has as few rounds as can be. */
    public static double messages(Cost cost, int size, long bytes, boolean combines) {
        return rounds(size) * (cost.roundNs + bytes * (cost.byteNs + (combines ? cost.combineNs : 0)));
    }

    /** Rounds of a tree or of doubling over so many ranks. */
    static int rounds(int size) {
        return 32 - Integer.numberOfLeadingZeros(size - 1);
    }
}
