package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
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

    @Test
    void shouldReachBackBeforeASlice() {
        Jobs.run(1, ReachingBack.class);
    }

    public static final class ReachingBack implements Runnable {
        private static final int SIZE = 24;
        private static final int HALF = SIZE / 2;

        @Override
        public void run() {
            Datatype back = Datatype.createVector(3, 1, -2, MPI.SHORT);
            assertEquals(-4, back.getLb());
            ByteBuffer out = MPI.newByteBuffer(SIZE);
            ByteBuffer in = ByteBuffer.allocateDirect(SIZE);
            for (int i = 0; i < SIZE; i++) {
                out.put(i, (byte) i);
            }
            byte[] packed = new byte[6];
            assertEquals(6, MPI.COMM_SELF.pack(MPI.slice(out, HALF), 1, back, packed, 0));
            assertArrayEquals(new byte[] {12, 13, 8, 9, 4, 5}, packed);
            MPI.COMM_SELF.unpack(packed, 0, MPI.slice(in, HALF), 1, back);
            check(in);

            in.clear().put(new byte[SIZE]);
            Request sent = MPI.COMM_SELF.iSend(MPI.slice(MPI.slice(out, 4), HALF - 4), 1, back, 0, 1);
            MPI.COMM_SELF.recv(MPI.slice(in, HALF), 1, back, 0, 1);
            sent.waitFor();
            check(in);

            Datatype ints = Datatype.createVector(2, 1, -2, MPI.INT);
            IntBuffer three = MPI.newIntBuffer(3).put(0, 7).put(1, 8).put(2, 9);
            IntBuffer last = MPI.slice(three, 2);
            int[] two = new int[2];
            sent = MPI.COMM_SELF.iSend(last, 1, ints, 0, 2);
            MPI.COMM_SELF.recv(two, 2, MPI.INT, 0, 2);
            sent.waitFor();
            assertArrayEquals(new int[] {9, 7}, two);
            Jobs.assertFails(MPI.ERR_COUNT, () -> MPI.COMM_SELF.send(MPI.slice(three, 1), 1, ints, 0, 3),
                    "direct buffer of 12 bytes");
        }

        private static void check(ByteBuffer in) {
            for (int i = 0; i < SIZE; i++) {
                boolean moved = i == 4 || i == 5 || i == 8 || i == 9 || i == 12 || i == 13;
                assertEquals(moved ? i : 0, in.get(i), "byte " + i);
            }
        }
    }

    @Test
    void shouldForgetBuffersThatAreGone() {
        int most = 0;
        for (int i = 0; i < 200; i++) {
            MPI.newByteBuffer(1 << 20);
            System.gc();
            most = Math.max(most, DirectMemory.known());
            if (DirectMemory.known() < most) {
                return;
            }
        }
        throw new AssertionError(most + " buffers are remembered, and none is forgotten");
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
