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
    void shouldTellWhatCannotBeCombined() {
        Ranks.assertFails(ErrorClass.TYPE,
                () -> Op.BAND.combine(new float[1], 0, new float[1], 0, 1, Datatype.FLOAT), "band", "float");
        Ranks.assertFails(ErrorClass.COUNT,
                () -> Op.MINLOC.combine(new int[3], 0, new int[3], 0, 3, Datatype.INT), "minloc");
    }
}
