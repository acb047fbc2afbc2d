package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Operations on buffers of one rank. */
class CombineTest {
    @Test
    void shouldCombineElementsWhereTheyLie() {
        int[] values = {1, 2, 3, 4, 5};
        Op.SUM.combine(new int[] {10, 20, 30}, 1, values, 2, 2, Datatype.INT);
        assertArrayEquals(new int[] {1, 2, 23, 34, 5}, values);
        Datatype second = Datatype.vector(2, 1, 2, Datatype.INT);
        Op.PROD.combine(new int[] {2, 9, 3}, 0, values, 0, 1, second);
        assertArrayEquals(new int[] {2, 2, 69, 34, 5}, values);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(16);
            memory.set(ValueLayout.JAVA_DOUBLE, 8, 1.5);
            Op.MAX.combine(new double[] {2.5}, 0, memory, 8, 1, Datatype.DOUBLE);
            assertEquals(2.5, memory.get(ValueLayout.JAVA_DOUBLE, 8));
        }
    }

    @Test
    void shouldTakeTheFirstBufferForTheLeftOperand() {
        long[] values = {3};
        Op.ofLongs("minus", false, (left, right) -> left - right)
                .combine(new long[] {10}, 0, values, 0, 1, Datatype.LONG);
        assertArrayEquals(new long[] {7}, values);
    }

    @Test
    void shouldFindPlacesOfValuesOfAnyType() {
        Datatype[] values = {
            Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE
        };
        for (Datatype value : values) {
            Datatype pair = Datatype.struct(new int[] {1, 1}, new long[] {0, value.size()},
                    new Datatype[] {value, Datatype.INT});
            for (Op op : new Op[] {Op.MINLOC, Op.MAXLOC, Op.MAXLOC.reproducible()}) {
                boolean least = op == Op.MINLOC;
                byte[] one = pairs(value, 3, 7, 5, 9, 4, 2);
                byte[] other = pairs(value, 2, 8, 6, 1, 4, 1);
                op.combine(one, 0, other, 0, 3, pair);
                assertArrayEquals(least ? pairs(value, 2, 8, 5, 9, 4, 1) : pairs(value, 3, 7, 6, 1, 4, 1), other,
                        op + " of " + pair.signature());
            }
        }
    }

    /** Values and places, alternating and packed. */
    private static byte[] pairs(Datatype value, int... numbers) {
        byte[] bytes = new byte[(int) (value.size() + Integer.BYTES) * numbers.length / 2];
        int at = 0;
        for (int i = 0; i < numbers.length; i += 2) {
            int v = numbers[i];
            Object one = value == Datatype.BYTE ? new byte[] {(byte) v} : value == Datatype.SHORT
                    ? new short[] {(short) v} : value == Datatype.CHAR ? new char[] {(char) v}
                    : value == Datatype.LONG ? new long[] {v} : value == Datatype.FLOAT ? new float[] {v}
                    : new double[] {v};
            at = value.pack(one, 0, 1, bytes, at);
            at = Datatype.INT.pack(numbers, i + 1, 1, bytes, at);
        }
        return bytes;
    }

    @Test
    void shouldMultiplyComplexNumbers() {
        double[] doubles = {3, 4, 1, -1};
        Op.COMPLEX_PROD.combine(new double[] {1, 2, 0, 1}, 0, doubles, 0, 4, Datatype.DOUBLE);
        assertArrayEquals(new double[] {-5, 10, 1, 1}, doubles);
        float[] floats = {3, 4};
        Op.COMPLEX_PROD.combine(new float[] {1, 2}, 0, floats, 0, 1, Datatype.contiguous(2, Datatype.FLOAT));
        assertArrayEquals(new float[] {-5, 10}, floats);
        Worlds.assertFails(ErrorClass.TYPE,
                () -> Op.COMPLEX_PROD.combine(new int[2], 0, new int[2], 0, 2, Datatype.INT), "complex prod", "int");
    }

    @Test
    void shouldTellWhatCannotBeCombined() {
        Worlds.assertFails(ErrorClass.TYPE,
                () -> Op.BAND.combine(new float[1], 0, new float[1], 0, 1, Datatype.FLOAT), "band", "float");
        Worlds.assertFails(ErrorClass.COUNT,
                () -> Op.MINLOC.combine(new int[3], 0, new int[3], 0, 3, Datatype.INT), "minloc");
    }
}
