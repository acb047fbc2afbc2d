package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class MessagesTest {
    /** Every base type from an offset to another. */
    public static final class Arrays implements Runnable {
        @Override
        public void run() {
            exchange(new byte[] {0, 1, 2, 3}, new byte[4], MPI.BYTE);
            exchange(new char[] {'a', 'b', 'c', 'd'}, new char[4], MPI.CHAR);
            exchange(new short[] {0, 1, 2, 3}, new short[4], MPI.SHORT);
            exchange(new boolean[] {false, true, false, true}, new boolean[4], MPI.BOOLEAN);
            exchange(new int[] {0, 1, 2, 3}, new int[4], MPI.INT);
            exchange(new long[] {0, 1, 2, 3}, new long[4], MPI.LONG);
            exchange(new float[] {0, 1, 2, 3}, new float[4], MPI.FLOAT);
            exchange(new double[] {0, 1, 2, 3}, new double[4], MPI.DOUBLE);
        }

        private static void exchange(Object from, Object to, Datatype type) {
            Comm all = MPI.COMM_WORLD;
            if (all.Rank() == 0) {
                all.Send(from, 1, 2, type, 1, 7);
                all.send(from, 4, type, 1, 8);
                return;
            }
            Status status = all.Recv(to, 2, 2, type, 0, MPI.ANY_TAG);
            assertEquals(0, status.source);
            assertEquals(7, status.tag);
            assertEquals(2, status.Get_count(type));
            assertEquals(java.lang.reflect.Array.get(from, 1), java.lang.reflect.Array.get(to, 2));
            assertEquals(java.lang.reflect.Array.get(from, 2), java.lang.reflect.Array.get(to, 3));
            assertEquals(4, all.recv(to, 4, type, MPI.ANY_SOURCE, 8).getCount(type));
            assertEquals(java.lang.reflect.Array.get(from, 3), java.lang.reflect.Array.get(to, 3));
        }
    }

    @Test
    void shouldMoveArraysOfEveryBaseType() {
        Jobs.run(2, Arrays.class);
    }

    /** Direct buffers, buffers over arrays, and parts of both. */
    public static final class Buffers implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            IntBuffer direct = MPI.newIntBuffer(4);
            direct.put(0, 1).put(1, 2).put(2, 3).put(3, 4).position(2);
            int[] array = {5, 6, 7, 8};
            DoubleBuffer doubles = MPI.newDoubleBuffer(2).put(0, 0.5).put(1, 1.5);
            if (all.getRank() == 0) {
                all.send(direct, 4, MPI.INT, 1, 1);
                all.send(MPI.slice(direct, 1), 2, MPI.INT, 1, 1);
                all.send(MPI.slice(array, 3), 1, MPI.INT, 1, 1);
                all.send(doubles, 2, MPI.DOUBLE, 1, 1);
                all.send(ByteBuffer.wrap(new byte[] {9, 10}), 2, MPI.BYTE, 1, 1);
                return;
            }
            int[] got = new int[4];
            all.recv(got, 4, MPI.INT, 0, 1);
            assertArrayEquals(new int[] {1, 2, 3, 4}, got, "the position of a buffer does not count");
            IntBuffer into = MPI.newIntBuffer(3);
            all.recv(MPI.slice(into, 1), 2, MPI.INT, 0, 1);
            assertEquals(2, into.get(1));
            assertEquals(3, into.get(2));
            all.recv(MPI.slice(got, 2), 1, MPI.INT, 0, 1);
            assertArrayEquals(new int[] {1, 2, 8, 4}, got);
            double[] two = new double[2];
            all.recv(two, 2, MPI.DOUBLE, 0, 1);
            assertArrayEquals(new double[] {0.5, 1.5}, two);
            ByteBuffer heap = ByteBuffer.allocate(2);
            all.recv(heap, 2, MPI.BYTE, 0, 1);
            assertEquals(10, heap.get(1));
        }
    }

    @Test
    void shouldTakeBuffersOfNioFromTheirFirstElement() {
        Jobs.run(2, Buffers.class);
    }

    /** All modes, waiting and not. */
    public static final class Modes implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int[] data = {42};
            IntBuffer direct = MPI.newIntBuffer(1).put(0, 42);
            if (all.Rank() == 1) {
                int[] got = new int[16];
                Request[] receives = new Request[16];
                for (int tag = 0; tag < receives.length; tag++) {
                    receives[tag] = all.Irecv(got, tag, 1, MPI.INT, 0, tag);
                }
                all.Barrier();
                Request.Waitall(receives);
                for (int value : got) {
                    assertEquals(42, value);
                }
                return;
            }
            all.Barrier();
            all.Send(data, 0, 1, MPI.INT, 1, 0);
            all.Bsend(data, 0, 1, MPI.INT, 1, 1);
            all.Ssend(data, 0, 1, MPI.INT, 1, 2);
            all.Rsend(data, 0, 1, MPI.INT, 1, 3);
            all.send(data, 1, MPI.INT, 1, 4);
            all.bSend(data, 1, MPI.INT, 1, 5);
            all.sSend(data, 1, MPI.INT, 1, 6);
            all.rSend(data, 1, MPI.INT, 1, 7);
            Request[] sends = {
                all.Isend(data, 0, 1, MPI.INT, 1, 8), all.Ibsend(data, 0, 1, MPI.INT, 1, 9),
                all.Issend(data, 0, 1, MPI.INT, 1, 10), all.Irsend(data, 0, 1, MPI.INT, 1, 11),
                all.iSend(direct, 1, MPI.INT, 1, 12), all.ibSend(direct, 1, MPI.INT, 1, 13),
                all.isSend(direct, 1, MPI.INT, 1, 14), all.irSend(direct, 1, MPI.INT, 1, 15),
            };
            Request.waitAll(sends);
            for (Request send : sends) {
                assertTrue(send.isNull());
            }
        }
    }

    @Test
    void shouldSendInEveryMode() {
        Jobs.run(2, Modes.class);
    }

    /** Both at once, and in place. */
    public static final class Exchanges implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            double[] mine = {all.Rank()};
            double[] got = new double[2];
            Status status = all.Sendrecv(mine, 0, 1, MPI.DOUBLE, Jobs.next(), 3, got, 1, 1, MPI.DOUBLE,
                    Jobs.previous(), 3);
            assertEquals(Jobs.previous(), status.source);
            assertEquals(Jobs.previous(), got[1]);
            all.sendRecv(mine, 1, MPI.DOUBLE, Jobs.next(), 3, got, 1, MPI.DOUBLE, Jobs.previous(), 3);
            assertEquals(Jobs.previous(), got[0]);
            all.Sendrecv_replace(mine, 0, 1, MPI.DOUBLE, Jobs.next(), 4, Jobs.previous(), 4);
            assertEquals(Jobs.previous(), mine[0]);
            IntBuffer direct = MPI.newIntBuffer(1).put(0, all.Rank());
            all.sendRecvReplace(direct, 1, MPI.INT, Jobs.next(), 4, Jobs.previous(), 4);
            assertEquals(Jobs.previous(), direct.get(0));
            Status none = all.recv(mine, 1, MPI.DOUBLE, MPI.PROC_NULL, 5);
            assertEquals(MPI.PROC_NULL, none.getSource());
            assertEquals(0, none.getCount(MPI.DOUBLE));
        }
    }

    @Test
    void shouldSendAndReceiveAtOnce() {
        Jobs.run(3, Exchanges.class);
    }

    /** Looking before receiving. */
    public static final class Probes implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            if (all.Rank() == 0) {
                all.Send(new int[3], 0, 3, MPI.INT, 1, 5);
                all.Send(new int[] {1, 2}, 0, 2, MPI.INT, 1, 6);
                all.Send(new int[] {3, 4}, 0, 2, MPI.INT, 1, 6);
                return;
            }
            Status status = all.Probe(MPI.ANY_SOURCE, 5);
            assertEquals(3, status.Get_count(MPI.INT));
            assertEquals(MPI.UNDEFINED, status.Get_count(MPI.DOUBLE));
            all.Recv(new int[3], 0, 3, MPI.INT, status.source, status.tag);
            assertNull(all.Iprobe(0, 99));
            Message message = new Message();
            assertTrue(message.isNull());
            assertEquals(6, message.mProbe(0, MPI.ANY_TAG, all).getTag());
            assertFalse(message.isNull());
            int[] second = new int[2];
            all.recv(second, 2, MPI.INT, 0, 6);
            assertArrayEquals(new int[] {3, 4}, second, "a message that was taken can be received by nobody else");
            int[] first = new int[2];
            assertEquals(2, message.mRecv(first, 2, MPI.INT).getCount(MPI.INT));
            assertArrayEquals(new int[] {1, 2}, first);
            assertTrue(message.isNull());
            assertNull(message.imProbe(0, 6, all));
            assertNotNull(message.imProbe(MPI.PROC_NULL, 6, all));
            assertTrue(message.isNoProc());
        }
    }

    @Test
    void shouldProbeAndTakeMessages() {
        Jobs.run(2, Probes.class);
    }

    /** Layouts on one side, rows on the other; packed data. */
    public static final class Layouts implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            Datatype column = Datatype.Vector(3, 1, 4, MPI.INT);
            column.Commit();
            byte[] packed = new byte[64];
            if (all.Rank() == 0) {
                int[] matrix = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
                all.Send(matrix, 1, 1, column, 1, 1);
                int end = all.Pack(matrix, 2, 2, MPI.INT, packed, 0);
                end = all.Pack(new double[] {2.5}, 0, 1, MPI.DOUBLE, packed, end);
                assertEquals(16, end);
                all.send(packed, end, MPI.PACKED, 1, 2);
                return;
            }
            int[] got = new int[3];
            assertEquals(1, all.Recv(got, 0, 3, MPI.INT, 0, 1).Get_count(column));
            assertArrayEquals(new int[] {1, 5, 9}, got);
            all.Recv(packed, 0, 64, MPI.PACKED, 0, 2);
            double[] last = new double[1];
            int at = all.Unpack(packed, 0, got, 0, 2, MPI.INT);
            assertEquals(16, all.unpack(packed, at, last, 1, MPI.DOUBLE));
            assertArrayEquals(new int[] {2, 3, 9}, got);
            assertEquals(2.5, last[0]);
        }
    }

    @Test
    void shouldMoveLayoutsAndPackedData() {
        Jobs.run(2, Layouts.class);
    }

    /** What is wrong with an argument, by class of error. */
    public static final class Mistakes implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int[] data = new int[2];
            Jobs.assertFails(MPI.ERR_RANK, () -> all.Send(data, 0, 1, MPI.INT, 9, 0), "9");
            Jobs.assertFails(MPI.ERR_TAG, () -> all.Send(data, 0, 1, MPI.INT, 0, -5), "-5");
            Jobs.assertFails(MPI.ERR_COUNT, () -> all.Send(data, 1, 2, MPI.INT, 0, 0), "offset 1", "count 2");
            Jobs.assertFails(MPI.ERR_TYPE, () -> all.Send(data, 0, 1, null, 0, 0), "type");
            Jobs.assertFails(MPI.ERR_TYPE, () -> all.send(data, 1, MPI.DATATYPE_NULL, 0, 0), "NULL");
            Jobs.assertFails(MPI.ERR_BUFFER, () -> all.send("text", 1, MPI.INT, 0, 0), "String");
            Jobs.assertFails(MPI.ERR_COMM, () -> new Intracomm().send(data, 1, MPI.INT, 0, 0), "null");
            Request receive = all.Irecv(data, 0, 1, MPI.INT, 0, 3);
            all.Send(data, 0, 2, MPI.INT, 0, 3);
            Jobs.assertFails(MPI.ERR_TRUNCATE, receive::Wait, "8 bytes");
        }
    }

    @Test
    void shouldSayWhatIsWrong() {
        Jobs.run(1, Mistakes.class);
    }
}
