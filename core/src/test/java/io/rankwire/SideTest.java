package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.runtime.collective.Side.Block;
import io.rankwire.type.TypedBuffer;
import org.junit.jupiter.api.Test;

final class SideTest {
    private final double[] array = new double[40];

    @Test
    void shouldUseTheBufferItselfWhenItIsContiguous() {
        Datatype three = Datatype.contiguous(3, Datatype.DOUBLE);
        Block block = Block.of(array, 2, 24, 4, Datatype.layout(three), true);
        assertSame(array, block.base());
        assertEquals(40, block.at());
        assertEquals(96, block.bytes());
        Datatype late = Datatype.hindexed(new int[] {2}, new long[] {16}, Datatype.DOUBLE);
        assertSame(array, Block.of(array, 0, 8, 1, Datatype.layout(late), true).base());
        assertEquals(24, Block.of(array, 0, 8, 1, Datatype.layout(late), true).at());
    }

    @Test
    void shouldWrapTheBufferWhenItIsNotContiguous() {
        Datatype column = Datatype.vector(5, 1, 2, Datatype.DOUBLE);
        Block block = Block.of(array, 2, 8, 1, Datatype.layout(column), true);
        assertInstanceOf(TypedBuffer.class, block.base());
        assertEquals(0, block.at());
        assertEquals(40, block.bytes());
        assertTrue(block.matches(Block.of(array, 0, 5, false)));
        assertFalse(block.matches(Block.of(new long[5], 0, 5, false)));
        assertFalse(block.matches(Block.of(array, 0, 4, false)));
    }

    @Test
    void shouldAcceptAnyOffsetWhenItIsEmpty() {
        assertEquals(0, Block.of(array, 0, Long.MAX_VALUE, 0, Datatype.layout(Datatype.vector(5, 1, 2,
                Datatype.DOUBLE)), true).bytes());
    }
}
