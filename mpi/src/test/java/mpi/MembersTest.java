package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

/** Public fields and methods that programs for MPJ Express use beside the calls of mpiJava. */
class MembersTest {
    @Test
    void shouldCountInFieldsOfAStatusWhatWasReceived() {
        Jobs.run(1, Counts.class);
    }

    public static final class Counts implements Runnable {
        @Override
        public void run() {
            Intracomm self = MPI.COMM_SELF;
            double[] ten = new double[10];
            Request sent = self.Isend(ten, 0, 6, MPI.DOUBLE, 0, 1);
            check(self.Probe(0, 1), 6, 6, 48);
            check(self.Recv(ten, 0, 10, MPI.DOUBLE, 0, 1), 6, 6, 48);
            sent.Wait();

            Datatype pair = Datatype.Contiguous(2, MPI.DOUBLE);
            sent = self.Isend(ten, 0, 6, MPI.DOUBLE, 0, 2);
            check(self.Irecv(ten, 0, 5, pair, 0, 2).Wait(), 3, 6, 48);
            sent.Wait();
            sent = self.Isend(ten, 0, 5, MPI.DOUBLE, 0, 3);
            Prequest again = self.Recv_init(ten, 0, 5, pair, 0, 3);
            again.Start();
            Status half = again.Wait();
            check(half, MPI.UNDEFINED, 5, 40);
            check(new Status(half), MPI.UNDEFINED, 5, 40);
            assertEquals(5, new Status(half).Get_elements(pair));
            sent.Wait();

            check(self.Sendrecv(new int[3], 0, 3, MPI.INT, 0, 4, new int[3], 0, 3, MPI.INT, 0, 4), 3, 3, 12);
            check(new Status(), 0, 0, 0);
            check(MPI.REQUEST_NULL.Wait(), 0, 0, 0);
            objects(self);
        }

        private static void objects(Intracomm self) {
            Object[] words = {"one", "two"};
            Request sent = self.Isend(words, 0, 2, MPI.OBJECT, 0, 5);
            Status seen = self.Probe(0, 5);
            assertEquals(MPI.UNDEFINED, seen.count, "not known before somebody asks");
            assertEquals(2, seen.Get_count(MPI.OBJECT));
            assertEquals(2, seen.count);
            Object[] got = new Object[2];
            Status status = self.Recv(got, 0, 2, MPI.OBJECT, 0, 5);
            assertEquals(2, status.count);
            assertEquals(2, status.numEls);
            assertArrayEquals(words, got);
            sent.Wait();
        }

        private static void check(Status status, int count, int elements, int bytes) {
            assertEquals(count, status.count);
            assertEquals(elements, status.numEls);
            assertEquals(bytes, status.countInBytes);
        }
    }

    @Test
    void shouldHaveTheGroupsOfCommunicatorsInFields() {
        Jobs.run(2, Groups.class);
    }

    public static final class Groups implements Runnable {
        @Override
        public void run() {
            assertEquals(2, MPI.COMM_WORLD.group.Size());
            assertEquals(MPI.COMM_WORLD.Rank(), MPI.COMM_WORLD.group.Rank());
            assertEquals(MPI.IDENT, Group.Compare(MPI.COMM_WORLD.Group(), MPI.COMM_WORLD.group));
            Intracomm half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.Rank(), 0);
            assertEquals(1, half.group.Size());
            Intercomm between = MPI.COMM_WORLD.Create_intercomm(half, 0, 1 - MPI.COMM_WORLD.Rank(), 3);
            assertEquals(MPI.IDENT, Group.Compare(between.Remote_group(), between.group));
            assertEquals(Group.EMPTY, MPI.GROUP_EMPTY.code);
            assertEquals(-1, half.group.code);
            assertNotEquals(Group.EMPTY, MPI.GROUP_NULL.code);
            half.Free();
            assertEquals(1, half.group.Size(), "a group outlives its communicator");
        }
    }

    @Test
    void shouldNumberTypesAndOperationsAsMpiJavaDoes() {
        Datatype[] types = {MPI.NULL, MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT,
            MPI.DOUBLE, MPI.PACKED, MPI.LB, MPI.UB, MPI.OBJECT};
        for (int i = 0; i < types.length; i++) {
            assertEquals(i, types[i].baseType, types[i].getName());
            assertEquals(i, types[i].getType());
        }
        assertEquals(MPI.FLOAT.baseType, Datatype.Vector(2, 1, 3, MPI.FLOAT).baseType);
        Op[] ops = {MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD, MPI.LAND, MPI.BAND, MPI.LOR, MPI.BOR, MPI.LXOR, MPI.BXOR,
            MPI.MAXLOC, MPI.MINLOC};
        for (int i = 0; i < ops.length; i++) {
            assertEquals(i + 1, ops[i].opCode);
        }
    }

    @Test
    void shouldReduceByAnOperationWithACode() {
        Jobs.run(2, Coded.class);
    }

    public static final class Coded implements Runnable {
        @Override
        public void run() {
            Op difference = new Op(new Larger(), true, 77);
            assertEquals(77, difference.opCode);
            assertEquals(-1, new Op(new Larger(), true).opCode);
            int[] mine = {MPI.COMM_WORLD.Rank() + 5};
            int[] most = new int[1];
            MPI.COMM_WORLD.Allreduce(mine, 0, most, 0, 1, MPI.INT, difference);
            assertEquals(6, most[0]);
            finish(difference);
        }

        /** Calls of the methods are calls, and do nothing. */
        @SuppressWarnings("removal")
        private static void finish(Op op) {
            op.finalize();
            Request request = MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, MPI.PROC_NULL, 0);
            request.finalize();
            assertEquals(MPI.PROC_NULL, request.Wait().source);
            Datatype two = Datatype.Contiguous(2, MPI.INT);
            two.finalize();
            assertEquals(2, two.Size());
            Group all = MPI.COMM_WORLD.Group();
            all.finalize();
            assertEquals(2, all.Size());
            assertSame(false, MPI.isOldSelected);
            assertNull(MPI.COMM_NULL);
        }
    }

    /** The larger one of two. */
    public static final class Larger extends User_function {
        @Override
        public void Call(Object in, int inAt, Object inOut, int inOutAt, int count, Datatype type) {
            int[] from = (int[]) in;
            int[] to = (int[]) inOut;
            for (int i = 0; i < count; i++) {
                to[inOutAt + i] = Math.max(from[inAt + i], to[inOutAt + i]);
            }
        }
    }
}
