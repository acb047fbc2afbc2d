package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DatatypeTest {
    @Test
    void shouldCountInElementsOfTheBaseType() {
        Datatype row = Datatype.createContiguous(3, MPI.DOUBLE);
        assertEquals(3, row.getExtent());
        assertEquals(3, row.Size());
        Datatype vector = Datatype.Vector(2, 1, 4, MPI.INT);
        assertEquals(5, vector.Extent());
        assertEquals(2, vector.getSize());
        assertEquals(0, vector.Lb());
        assertEquals(5, vector.Ub());
        assertEquals(4 + 1, Datatype.Hvector(2, 1, 4, MPI.INT).Extent(), "mpiJava counts elements");
        assertEquals(4 + 1, Datatype.createHVector(2, 1, 16, MPI.INT).getExtent(), "Open MPI counts bytes");
        int[] lengths = {1, 2};
        assertEquals(7, Datatype.Hindexed(lengths, new int[] {0, 5}, MPI.LONG).Ub());
        assertEquals(7, Datatype.createHIndexed(lengths, new int[] {0, 40}, MPI.LONG).getExtent());
        assertEquals(6, Datatype.createResized(MPI.SHORT, -2, 12).getExtent());
        assertEquals(-1, Datatype.createResized(MPI.SHORT, -2, 12).getLb());
    }

    @Test
    void shouldCountPairsAsEachDialectDoes() {
        assertEquals(2, MPI.INT2.Extent());
        assertEquals(8, MPI.INT2.getExtent());
        assertEquals(2, MPI.DOUBLE_COMPLEX.getSize());
    }

    @Test
    void shouldMakeStructsOfBothDialects() {
        Datatype[] types = {MPI.LB, MPI.INT, Datatype.Contiguous(2, MPI.INT), MPI.UB};
        Datatype struct = Datatype.Struct(new int[] {1, 2, 1, 1}, new int[] {-1, 1, 5, 9}, types);
        assertEquals(-1, struct.Lb());
        assertEquals(9, struct.Ub());
        assertEquals(4, struct.Size());
        Datatype bytes = Datatype.createStruct(
                new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {MPI.INT, MPI.DOUBLE});
        assertEquals(16, bytes.getExtent());
        assertEquals(12, bytes.getSize());
        Jobs.assertFails(MPI.ERR_TYPE, () -> Datatype.Struct(new int[] {1, 1}, new int[] {0, 1},
                new Datatype[] {MPI.INT, MPI.LONG}), "base");
    }

    @Test
    void shouldLiveAndEnd() {
        Datatype type = Datatype.createVector(2, 2, 3, MPI.BYTE);
        type.setName("mine");
        int keyval = Datatype.createKeyval();
        type.setAttr(keyval, 5);
        Datatype copy = type.clone();
        assertEquals("mine", copy.getName());
        assertEquals(5, copy.getAttr(keyval));
        type.free();
        assertTrue(type.isNull());
        Jobs.assertFails(MPI.ERR_TYPE, type::getExtent, "freed");
        assertEquals(5, copy.Extent());
        Jobs.assertFails(MPI.ERR_TYPE, MPI.INT::free, "predefined");
        assertTrue(MPI.DATATYPE_NULL.isNull());
    }

    /** Functions of the program's own, called as core calls them. */
    @Test
    void shouldShowUserFunctionsTheGapsOfALayout() {
        Datatype type = Datatype.Vector(2, 1, 2, MPI.INT);
        Op op = new Op(new User_function() {
            @Override
            public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype of) {
                int[] in = (int[]) invec;
                int[] inOut = (int[]) inoutvec;
                for (int i = 0; i < count; i++) {
                    int at = i * of.Extent();
                    inOut[inoutoffset + at] += in[inoffset + at];
                    inOut[inoutoffset + at + 2] *= in[inoffset + at + 2];
                }
            }
        }, true);
        int[] array = new int[6];
        op.apply(new int[] {1, 0, 2, 3, 0, 4}, array, 0, type);
        assertArrayEquals(new int[6], array);
        int[] inOut = {10, 7, 20, 30, 7, 40};
        op.apply(new int[] {1, 0, 2, 3, 0, 4}, inOut, 2, type);
        assertArrayEquals(new int[] {11, 7, 40, 33, 7, 160}, inOut);
    }
}
