package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.rankwire.memory.Rand;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Floating-point sums have the same bits in each run, in any order of arrival. */
@Timeout(300)
class ReproducibleTest {
    private static final int RUNS = 6;
    private static final int[] LENGTHS = {1, 37, 6_000};

    /** Values of very different magnitude, so that each order of summing gives different bits. */
    private static double[] vector(int rank, int length) {
        Rand rand = new Rand(rank + 1);
        double[] vector = new double[length];
        for (int i = 0; i < length; i++) {
            vector[i] = Math.scalb(rand.nextLong() / (double) Long.MAX_VALUE, rand.between(-30, 30));
        }
        return vector;
    }

    private static void dawdle(Rand rand) {
        if (rand.chance(1, 2)) {
            LockSupport.parkNanos(rand.below(1_500_000));
        }
    }

    /** The results of all reductions of one length on this rank, in order. */
    private static double[] reductions(Communicator all, int length, Op op, Rand rand) {
        int size = all.size();
        double[] mine = vector(all.rank(), length * size);
        double[] sum = new double[length];
        double[] atRoot = new double[length];
        double[] block = new double[length];
        double[] prefix = new double[length];
        dawdle(rand);
        Request early = all.iallreduce(mine, 0, sum, 0, length, op);
        dawdle(rand);
        all.reduce(mine, 0, atRoot, 0, length, op, size / 2);
        dawdle(rand);
        all.reduceScatterBlock(mine, block, op);
        all.scan(mine, 0, prefix, 0, length, op);
        dawdle(rand);
        early.await();
        double[] results = Arrays.copyOf(sum, 4 * length);
        System.arraycopy(atRoot, 0, results, length, length);
        System.arraycopy(block, 0, results, 2 * length, length);
        System.arraycopy(prefix, 0, results, 3 * length, length);
        return results;
    }

    private static long[] bits(double[] numbers) {
        return Arrays.stream(numbers).mapToLong(Double::doubleToRawLongBits).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9})
    void shouldGiveTheSameBitsWhoeverIsLate(int ranks) {
        long[][][] first = new long[ranks][][];
        for (int run = 0; run < RUNS; run++) {
            int seed = run;
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                Rand rand = new Rand(1000L * seed + all.rank());
                long[][] seen = new long[2 * LENGTHS.length][];
                for (int i = 0; i < LENGTHS.length; i++) {
                    seen[2 * i] = bits(reductions(all, LENGTHS[i], Op.SUM, rand));
                    seen[2 * i + 1] = bits(reductions(all, LENGTHS[i], Op.SUM.reproducible(), rand));
                }
                if (seed == 0) {
                    first[all.rank()] = seen;
                }
                for (int i = 0; i < seen.length; i++) {
                    assertArrayEquals(first[all.rank()][i], seen[i], "run " + seed + ", rank " + all.rank());
                }
            });
        }
        for (int i = 0; i < LENGTHS.length; i++) {
            for (int rank = 1; rank < ranks; rank++) {
                for (int form = 2 * i; form < 2 * i + 2; form++) {
                    assertArrayEquals(Arrays.copyOf(first[0][form], LENGTHS[i]),
                            Arrays.copyOf(first[rank][form], LENGTHS[i]), "allreduce at rank 0 and " + rank);
                }
            }
        }
    }

    /** A short vector and a long one use different algorithms, unless the operation is reproducible. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8})
    void shouldGiveTheSameBitsForAnyLengthAndRoot(int ranks) {
        int length = 50_000;
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Op op = Op.SUM.reproducible();
            double[] mine = vector(all.rank(), length);
            double[] whole = new double[length];
            all.allreduce(mine, whole, op);
            for (int at : new int[] {0, 1, 777, length - 1}) {
                double[] one = new double[1];
                all.allreduce(mine, at, one, 0, 1, op);
                assertEquals(Double.doubleToRawLongBits(whole[at]), Double.doubleToRawLongBits(one[0]), "place " + at);
            }
            double[][] roots = new double[ranks][length];
            for (int root = 0; root < ranks; root++) {
                all.reduce(mine, 0, roots[root], 0, root % 2 == 0 ? length : 1, op, root);
                all.broadcast(roots[root], root);
            }
            for (int root = 1; root < ranks; root++) {
                assertEquals(Double.doubleToRawLongBits(roots[0][0]), Double.doubleToRawLongBits(roots[root][0]));
            }
        });
    }

    @Test
    void shouldStayOneOperation() {
        assertEquals(Op.SUM.reproducible(), Op.SUM.reproducible());
        assertEquals(Op.SUM.reproducible(), Op.SUM.reproducible().reproducible());
        assertEquals("sum, reproducible", Op.SUM.reproducible().toString());
        assertFalse(Op.operator(Op.SUM.reproducible()).nameHash() == Op.operator(Op.SUM).nameHash());
        assertFalse(Op.operator(Op.MAXLOC.reproducible()).nameHash() == Op.operator(Op.MAXLOC).nameHash());
    }

    /** Tests the check itself: the order of summing changes the sums of these vectors. */
    @Test
    void shouldSeeAnotherOrder() {
        double[] forward = new double[1000];
        double[] backward = new double[1000];
        for (int rank = 0; rank < 5; rank++) {
            double[] next = vector(rank, 1000);
            double[] last = vector(4 - rank, 1000);
            for (int i = 0; i < 1000; i++) {
                forward[i] += next[i];
                backward[i] += last[i];
            }
        }
        assertFalse(Arrays.equals(forward, backward));
    }
}
