package io.rankwire.collective;

/**
 * What messages cost, to choose between algorithms: a round is the time until a small message is there and has been
 * answered for, the others are for each byte. {@code rankwire} measures them on the machine it was built on; all ranks
 * of a job have the same, so that they choose alike.
 *
 * @param roundNs one message, one after another
 * @param messageNs one more message of the same rank in the same round
 * @param byteNs a byte from one rank to another, while one comes back
 * @param combineNs a byte combined with another
 * @param copyNs a byte copied within a rank
 * @param crossingNs a line written by one rank and read by another
 */
public record Cost(
        double roundNs, double messageNs, double byteNs, double combineNs, double copyNs, double crossingNs) {
    /** Longest vector that each rank combines for itself. */
    private static final int ONE_CROSSING = 1024;

    /** Ranks of one machine, each with a processor of its own: where nothing was measured. */
    public static final Cost NEAR = new Cost(150, 40, 0.12, 0.03, 0.03, 100);
    /** More ranks than processors: a round waits until the others have had theirs. */
    public static final Cost CROWDED = new Cost(4_000, 150, 0.2, 0.05, 0.05, 1_500);

    /** Ranks on two hosts, over a stream of a network that was not measured; hosts share no lines. */
    public static final Cost NETWORK = new Cost(5_000, 500, 0.3, 0.08, 0.05, 5_000);

    private static final int FIELDS = 6;
    private static final double PS = 1000;
    private static final int MOST_DIGITS = 12;
    /** In picoseconds: no machine is faster or slower than these, however busy. */
    private static final long[] LEAST = {10_000, 1_000, 2, 2, 2, 5_000};
    private static final long[] MOST = {
        50_000_000_000L, 5_000_000_000L, 1_000_000, 1_000_000, 1_000_000, 50_000_000_000L
    };

    /** Six whole numbers of picoseconds, in the order of the record: as ranks get them and files hold them. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (double ns : fields()) {
            text.append(text.isEmpty() ? "" : " ").append(Math.round(ns * PS));
        }
        return text.toString();
    }

    /** What {@link #text} wrote; null when it is damaged or says what no machine can be like. */
    public static Cost parse(String text) {
        double[] fields = new double[FIELDS];
        int at = 0;
        for (int i = 0; i < FIELDS; i++) {
            int end = i < FIELDS - 1 ? text.indexOf(' ', at) : text.length();
            long ps = end < 0 ? -1 : number(text, at, end);
            if (ps < LEAST[i] || ps > MOST[i]) {
                return null;
            }
            fields[i] = ps / PS;
            at = end + 1;
        }
        return of(fields);
    }

    private static long number(String text, int from, int to) {
        if (from == to || to - from > MOST_DIGITS) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    /** As near as can be to this and plausible: small differences of measured times may come out below zero. */
    public Cost plausible() {
        double[] fields = fields();
        for (int i = 0; i < FIELDS; i++) {
            fields[i] = Math.clamp(fields[i], LEAST[i] / PS, MOST[i] / PS);
        }
        return of(fields);
    }

    /** From costs of ranks with a processor each to those of more ranks than processors, as the estimates differ. */
    public Cost crowded() {
        double[] fields = fields();
        double[] near = NEAR.fields();
        double[] crowded = CROWDED.fields();
        for (int i = 0; i < FIELDS; i++) {
            fields[i] *= crowded[i] / near[i];
        }
        return of(fields).plausible();
    }

    /** The same while a number of ranks share one link. */
    public Cost shared(int ranks) {
        return new Cost(roundNs, messageNs, byteNs * ranks, combineNs, copyNs, crossingNs);
    }

    private double[] fields() {
        return new double[] {roundNs, messageNs, byteNs, combineNs, copyNs, crossingNs};
    }

    private static Cost of(double[] fields) {
        return new Cost(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]);
    }

    /** For people. */
    public String describe() {
        return "round " + time(roundNs) + ", message " + time(messageNs) + ", crossing " + time(crossingNs) + ", KiB "
                + time(1024 * byteNs) + ", combined " + time(1024 * combineNs) + ", copied " + time(1024 * copyNs);
    }

    /** Three digits and a unit. */
    public static String time(double ns) {
        return ns < 999.5 ? digits(ns) + " ns" : ns < 999.5e3 ? digits(ns / 1e3) + " µs" : digits(ns / 1e6) + " ms";
    }

    private static String digits(double value) {
        if (value >= 99.95) {
            return Long.toString(Math.round(value));
        }
        int scale = value >= 9.995 ? 10 : 100;
        long scaled = Math.round(value * scale);
        String fraction = Long.toString(scale + scaled % scale).substring(1);
        return scaled / scale + "." + fraction;
    }

    /**
     * Returns the time of a call in which ranks exchange data through shared memory. Each rank combines one part of a
     * long vector, and the ranks meet a second time to read the parts.
     *
     * @param gives bytes that a rank writes at most
     * @param takes bytes that a rank reads at most
     * @param piece bytes that a rank writes at a time
     */
    public static double lines(Cost cost, int size, long gives, long takes, long piece, boolean combines) {
        double look = cost.crossingNs + (size - 2) * cost.messageNs;
        long meetings = gives <= piece ? 1 : (gives + piece - 1) / piece;
        if (combines && gives > ONE_CROSSING && size > 2) {
            double others = gives * (size - 1.0) / size;
            return 2 * meetings * look + (gives + others) * cost.copyNs + others * cost.combineNs;
        }
        return meetings * look + gives * cost.copyNs + takes * (combines ? cost.combineNs : cost.copyNs);
    }

    /** Rounds of a tree or of doubling over {@code size} ranks. */
    static int rounds(int size) {
        return 32 - Integer.numberOfLeadingZeros(size - 1);
    }
}
