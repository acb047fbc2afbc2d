package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.collective.Cost;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Measures a {@link Cost}: a program of two ranks, or of more pairs, whose loops are those of the model's words. All
 * ranks do the same things at the same time, a little of each in turn, so that all meet the same machine and other work
 * on it spoils some turns and not one measure. Where each rank has a processor, other load only ever adds time, so a
 * quick turn counts; where they have not, waiting for others is what is measured, and a typical one does. On a machine
 * so busy that there are few turns nothing is written. The argument is the file that rank 0 writes the result to.
 */
final class CostRank {
    /** Costs that this program runs with: by them calls of no bytes go by messages, and small ones in shared memory. */
    static final String COSTS = new Cost(100, 1, 1000, 0.01, 0.01, 5000).text();

    private static final long WARM_UP_NS = 900_000_000L;
    private static final long MEASURE_NS = 700_000_000L;
    private static final int CALLS = 100;
    private static final int WINDOW = 16;
    private static final int WINDOWS = 10;
    private static final int LARGE = 128 << 10;
    private static final int LARGE_TIMES = 4;
    private static final int TAG = 1;

    private final Communicator all;
    private final int partner;
    private final boolean leads;
    private final byte[] small = new byte[8];
    private final byte[] large = new byte[LARGE];
    private final byte[] other = new byte[LARGE];
    private final double[] one = new double[1];
    private final double[] two = new double[1];
    private final double[] vector = new double[LARGE / 8];
    private final double[] sum = new double[LARGE / 8];

    private final Turns turns;

    private enum Measure {
        ROUND, CROSSING, ONE, MANY, EXCHANGE, REDUCE, COPY
    }

    private CostRank(Communicator all) {
        this.all = all;
        partner = all.rank() ^ 1;
        leads = partner > all.rank();
        turns = new Turns(all, Measure.values().length, WARM_UP_NS, MEASURE_NS);
    }

    public static void main(String[] args) throws IOException {
        try (World world = World.join()) {
            CostRank rank = new CostRank(world.communicator());
            rank.turns.run(rank::timeAll);
            if (rank.all.rank() == 0 && rank.turns.areEnough()) {
                rank.turns.write(Path.of(args[0]), rank.cost().plausible().text(), Measure.ROUND.ordinal());
            }
        }
    }

    private void timeAll() {
        for (Measure each : Measure.values()) {
            all.barrier();
            long start = System.nanoTime();
            int times = run(each);
            turns.took(each.ordinal(), (double) (System.nanoTime() - start) / times);
        }
    }

    private int run(Measure measure) {
        switch (measure) {
            case ROUND -> {
                for (int i = 0; i < CALLS; i++) {
                    all.barrier();
                }
                return CALLS;
            }
            case CROSSING -> {
                for (int i = 0; i < CALLS; i++) {
                    all.allreduce(one, two, Op.SUM);
                }
                return CALLS;
            }
            case ONE, MANY -> {
                for (int i = 0; i < WINDOWS; i++) {
                    windowed(measure == Measure.ONE ? 1 : WINDOW);
                }
                return WINDOWS;
            }
            case EXCHANGE -> {
                for (int i = 0; i < LARGE_TIMES; i++) {
                    Request sent = all.isend(large, partner, TAG);
                    all.receive(other, partner, TAG);
                    sent.await();
                }
                return LARGE_TIMES;
            }
            case REDUCE -> {
                for (int i = 0; i < LARGE_TIMES; i++) {
                    all.allreduce(vector, sum, Op.SUM);
                }
                return LARGE_TIMES;
            }
            case COPY -> {
                for (int i = 0; i < LARGE_TIMES; i++) {
                    System.arraycopy(large, 0, other, 0, LARGE);
                }
                return LARGE_TIMES;
            }
            default -> throw new AssertionError(measure);
        }
    }

    /** This number of messages one way, and one back. */
    private void windowed(int messages) {
        for (int i = 0; i < messages; i++) {
            if (leads) {
                all.send(small, partner, TAG);
            } else {
                all.receive(small, partner, TAG);
            }
        }
        if (leads) {
            all.receive(small, partner, TAG);
        } else {
            all.send(small, partner, TAG);
        }
    }

    private double ns(Measure measure) {
        return all.size() > Runtime.getRuntime().availableProcessors() ? turns.typical(measure.ordinal())
                : turns.quick(measure.ordinal());
    }

    private Cost cost() {
        int rounds = 32 - Integer.numberOfLeadingZeros(all.size() - 1);
        double round = ns(Measure.ROUND) / rounds;
        double message = (ns(Measure.MANY) - ns(Measure.ONE)) / (WINDOW - 1);
        double crossing = ns(Measure.CROSSING) - (all.size() - 2) * message;
        double exchange = (ns(Measure.EXCHANGE) - round) / LARGE;
        double reduce = ns(Measure.REDUCE) - round;
        return new Cost(round, message, exchange, reduce / LARGE - exchange, ns(Measure.COPY) / LARGE, crossing);
    }
}
