package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are not numbers: all operations order them in the same way in minima and maxima, in every call. */
@Timeout(300)
final class NotANumberTest {
    private static final Datatype PAIR = Datatype.struct(
            new int[] {1, 1}, new long[] {0, 8}, new Datatype[] {Datatype.DOUBLE, Datatype.INT});

    /** Element i of rank r is r, but NaN on ranks 1 and 2 where i is a multiple of 3, and a zero where i is 1. */
    private static double value(int rank, int i) {
        return i % 3 == 0 && (rank == 1 || rank == 2) ? Double.NaN : i == 1 ? rank == 1 ? -0.0 : 0.0 : rank;
    }

    private static double expected(boolean least, int ranks, int i) {
        double value = value(0, i);
        for (int rank = 1; rank < ranks; rank++) {
            value = least ? Math.min(value, value(rank, i)) : Math.max(value, value(rank, i));
        }
        return value;
    }

    private static int place(boolean least, int ranks, int i) {
        double wanted = expected(least, ranks, i);
        for (int rank = 0; rank < ranks; rank++) {
            if (Double.compare(value(rank, i), wanted) == 0) {
                return rank;
            }
        }
        throw new AssertionError(wanted);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldGiveTheSameLeastAndGreatestWithAndWithoutPlaces(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (int count : new int[] {1, 7, 100, 20_000}) {
                for (boolean least : new boolean[] {true, false}) {
                    for (boolean reproducible : new boolean[] {false, true}) {
                        check(all, count, least, reproducible);
                    }
                }
            }
        });
    }

    private static void check(Communicator all, int count, boolean least, boolean reproducible) {
        double[] mine = new double[count];
        float[] floats = new float[count];
        double[] pairs = new double[2 * count];
        float[] floatPairs = new float[2 * count];
        for (int i = 0; i < count; i++) {
            mine[i] = value(all.rank(), i);
            floats[i] = (float) mine[i];
            pairs[2 * i] = mine[i];
            pairs[2 * i + 1] = all.rank();
            floatPairs[2 * i] = floats[i];
            floatPairs[2 * i + 1] = all.rank();
        }
        Op plain = least ? Op.MIN : Op.MAX;
        Op located = least ? Op.MINLOC : Op.MAXLOC;
        Op values = reproducible ? plain.reproducible() : plain;
        Op places = reproducible ? located.reproducible() : located;
        double[] found = new double[count];
        float[] foundFloats = new float[count];
        double[] foundPairs = new double[2 * count];
        float[] foundFloatPairs = new float[2 * count];
        all.allreduce(mine, found, values);
        all.iallreduce(floats, foundFloats, values).await();
        all.allreduce(pairs, foundPairs, places);
        all.iallreduce(floatPairs, foundFloatPairs, places).await();
        byte[] packed = packed(pairs);
        byte[] foundPacked = new byte[packed.length];
        all.allreduce(packed, 0, count, PAIR, foundPacked, 0, count, PAIR, places);
        double[] expected = new double[2 * count];
        for (int i = 0; i < count; i++) {
            double value = expected(least, all.size(), i);
            expected[2 * i] = value;
            expected[2 * i + 1] = place(least, all.size(), i);
            String about = places + " of " + count + " at " + i;
            assertEquals(value, found[i], about);
            assertEquals((float) value, foundFloats[i], about);
            assertEquals(value, foundPairs[2 * i], about);
            assertEquals(expected[2 * i + 1], foundPairs[2 * i + 1], about);
            assertEquals((float) value, foundFloatPairs[2 * i], about);
            assertEquals((float) expected[2 * i + 1], foundFloatPairs[2 * i + 1], about);
        }
        assertEquals(Arrays.hashCode(packed(expected)), Arrays.hashCode(foundPacked), places + " of " + count);
    }

    private static byte[] packed(double[] pairs) {
        byte[] bytes = new byte[pairs.length / 2 * 12];
        for (int i = 0; i < pairs.length; i += 2) {
            int at = Datatype.DOUBLE.pack(pairs, i, 1, bytes, i / 2 * 12);
            Datatype.INT.pack(new int[] {(int) pairs[i + 1]}, 0, 1, bytes, at);
        }
        return bytes;
    }

    @Test
    void shouldGiveTheSameInWindows() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.window(new double[] {1, Double.NaN, 3}, 8);
            window.fence();
            if (all.rank() == 0) {
                window.accumulate(new double[] {Double.NaN, 0, 2}, 1, 0, Op.MIN);
            }
            window.fence();
            double[] got = new double[3];
            window.get(got, 1, 0);
            window.fence();
            assertEquals("[NaN, NaN, 2.0]", Arrays.toString(got));
            window.free();
        });
    }
}
