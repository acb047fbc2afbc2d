package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ReductionsTest {
    private static final int RANKS = 4;

    /** mpiJava: arrays with offsets. */
    public static final class Offsets implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int me = all.Rank();
            long[] mine = {9, me, 2 * me};
            long[] sums = new long[3];
            all.Reduce(mine, 1, sums, 1, 2, MPI.LONG, MPI.SUM, 3);
            assertArrayEquals(me == 3 ? new long[] {0, 6, 12} : new long[3], sums);
            all.Allreduce(mine, 1, sums, 0, 2, MPI.LONG, MPI.MAX);
            assertArrayEquals(new long[] {3, 6}, new long[] {sums[0], sums[1]});
            all.Scan(mine, 1, sums, 1, 2, MPI.LONG, MPI.SUM);
            assertEquals(me * (me + 1) / 2, sums[1]);
            int[] row = {-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
            int[] part = new int[5];
            all.Reduce_scatter(row, 1, part, 1, new int[] {1, 2, 3, 4}, MPI.INT, MPI.SUM);
            int first = me * (me + 1) / 2 + 1;
            assertEquals(4 * first, part[1]);
            assertEquals(4 * (first + me), part[me + 1]);
            int[] pairs = {7 - me, me, 5, me};
            int[] least = new int[4];
            all.Allreduce(pairs, 0, least, 0, 2, MPI.INT2, MPI.MINLOC);
            assertArrayEquals(new int[] {4, 3, 5, 0}, least);
            boolean[] flags = {me != 2, me == 2};
            boolean[] both = new boolean[2];
            all.Allreduce(flags, 0, both, 0, 2, MPI.BOOLEAN, MPI.LAND);
            assertArrayEquals(new boolean[2], both);
        }
    }

    @Test
    void shouldCombineArraysFromOffsets() {
        Jobs.run(RANKS, Offsets.class);
    }

    /** Open MPI: direct buffers, at once and later, in place. */
    public static final class Direct implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            DoubleBuffer values = MPI.newDoubleBuffer(2).put(0, me).put(1, 1);
            all.iAllReduce(values, 2, MPI.DOUBLE, MPI.SUM).waitFor();
            assertEquals(6, values.get(0));
            all.reduce(values, 2, MPI.DOUBLE, MPI.SUM, 2);
            assertEquals(me == 2 ? 16 : 4, values.get(1));
            IntBuffer row = MPI.newIntBuffer(RANKS);
            for (int i = 0; i < RANKS; i++) {
                row.put(i, i);
            }
            IntBuffer one = MPI.newIntBuffer(1);
            all.reduceScatterBlock(row, one, 1, MPI.INT, MPI.SUM);
            assertEquals(4 * me, one.get(0));
            all.iReduceScatter(row, new int[] {1, 1, 1, 1}, MPI.INT, MPI.PROD).waitFor();
            assertEquals(me * me * me * me, row.get(0));
            IntBuffer before = MPI.newIntBuffer(1).put(0, -1);
            all.exScan(one.put(0, me), before, 1, MPI.INT, MPI.SUM);
            assertEquals(me == 0 ? -1 : me * (me - 1) / 2, before.get(0));
            all.iScan(one, 1, MPI.INT, MPI.SUM).waitFor();
            assertEquals(me * (me + 1) / 2, one.get(0));
            Comm.reduceLocal(MPI.newIntBuffer(1).put(0, 5), before.put(0, 3), 1, MPI.INT, MPI.PROD);
            assertEquals(15, before.get(0));
            short[] local = {1, 2};
            Comm.reduceLocal(new short[] {3, 1}, local, 1, MPI.SHORT2, MPI.MAXLOC);
            assertArrayEquals(new short[] {3, 1}, local);
        }
    }

    @Test
    void shouldCombineDirectBuffers() {
        Jobs.run(RANKS, Direct.class);
    }

    /** Pairs of two types, and complex numbers. */
    public static final class Pairs implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            for (Datatype value : new Datatype[] {MPI.SHORT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE}) {
                int bytes = value.getByteSize();
                int place = Math.max(bytes, 4);
                Datatype pair = Datatype.createStruct(
                        new int[] {1, 1}, new int[] {0, place}, new Datatype[] {value, MPI.INT});
                ByteBuffer mine = ByteBuffer.allocateDirect(place + 4).order(ByteOrder.nativeOrder());
                ByteBuffer most = ByteBuffer.allocateDirect(place + 4).order(ByteOrder.nativeOrder());
                put(mine, value, me == 1 || me == 2 ? 30 : -5);
                mine.putInt(place, me);
                all.allReduce(mine, most, 1, pair, MPI.MAXLOC);
                assertEquals(1, most.getInt(place), value.toString());
                all.iAllReduce(mine, most, 1, pair, MPI.MINLOC).waitFor();
                assertEquals(0, most.getInt(place), value.toString());
            }
            float[] turn = {0, 1};
            float[] turned = new float[2];
            all.allReduce(turn, turned, 1, MPI.FLOAT_COMPLEX, MPI.PROD);
            assertArrayEquals(new float[] {1, 0}, turned, 0f);
            double[] power = new double[2];
            all.scan(new double[] {0, 1}, power, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
            assertEquals(new int[] {0, -1, 0, 1}[me], power[0], 0);
        }

        private static void put(ByteBuffer buffer, Datatype type, int value) {
            if (type == MPI.SHORT) {
                buffer.putShort(0, (short) value);
            } else if (type == MPI.LONG) {
                buffer.putLong(0, value);
            } else if (type == MPI.FLOAT) {
                buffer.putFloat(0, value);
            } else {
                buffer.putDouble(0, value);
            }
        }
    }

    @Test
    void shouldFindPlacesAndMultiplyComplexNumbers() {
        Jobs.run(RANKS, Pairs.class);
    }

    /** Two by two matrices: what comes first matters. */
    public static final class Own implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            int[] mine = {1, me + 1, me, 1};
            int[] expected = {1, 0, 0, 1};
            int[] upTo = null;
            for (int i = 0; i < RANKS; i++) {
                expected = product(expected, 0, new int[] {1, i + 1, i, 1}, 0);
                upTo = i == me ? expected : upTo;
            }
            Datatype matrix = Datatype.createContiguous(4, MPI.INT);
            Op classic = new Op(new User_function() {
                @Override
                public void Call(Object in, int inAt, Object inOut, int at, int count, Datatype type) {
                    for (int i = 0; i < count; i++) {
                        int[] both = product((int[]) in, inAt + 4 * i, (int[]) inOut, at + 4 * i);
                        System.arraycopy(both, 0, inOut, at + 4 * i, 4);
                    }
                }
            }, false);
            int[] out = new int[5];
            all.Allreduce(mine, 0, out, 1, 1, matrix, classic);
            assertArrayEquals(expected, Arrays.copyOfRange(out, 1, 5));
            Op memory = new Op(new UserFunction() {
                @Override
                public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                    int[] left = new int[4];
                    int[] right = new int[4];
                    in.asIntBuffer().get(left);
                    inOut.asIntBuffer().get(right);
                    inOut.asIntBuffer().put(product(left, 0, right, 0));
                }
            }, false);
            int[] got = new int[4];
            all.scan(mine, got, 1, matrix, memory);
            assertArrayEquals(upTo, got);
            Op arrays = new Op(new UserFunction() {
                @Override
                public void call(Object in, Object inOut, int count, Datatype type) {
                    for (int i = 0; i < count; i++) {
                        ((int[]) inOut)[i] += ((int[]) in)[i] + 1;
                    }
                }
            }, true);
            for (int i = 0; i < 3; i++) {
                int[] sum = new int[1];
                all.reduce(new int[] {me}, sum, 1, MPI.INT, arrays, 0);
                assertEquals(me == 0 ? 9 : 0, sum[0]);
            }
            classic.Free();
            Jobs.assertFails(MPI.ERR_OP, () -> all.allReduce(got, 4, MPI.INT, classic));
        }

        private static int[] product(int[] a, int i, int[] b, int j) {
            return new int[] {a[i] * b[j] + a[i + 1] * b[j + 2], a[i] * b[j + 1] + a[i + 1] * b[j + 3],
                a[i + 2] * b[j] + a[i + 3] * b[j + 2], a[i + 2] * b[j + 1] + a[i + 3] * b[j + 3]};
        }
    }

    @Test
    void shouldCombineByFunctionsOfTheProgram() {
        Jobs.run(RANKS, Own.class);
    }
}
