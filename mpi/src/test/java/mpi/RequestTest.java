package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RequestTest {
    /** Many receives, of which some are done. */
    public static final class Several implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int[] got = new int[4];
            Request[] receives = new Request[5];
            for (int tag = 0; tag < 4; tag++) {
                receives[tag] = all.Irecv(got, tag, 1, MPI.INT, 0, tag);
            }
            assertNull(Request.Testany(receives));
            assertNull(Request.Testall(receives));
            assertEquals(0, Request.Testsome(receives).length);
            assertEquals(MPI.UNDEFINED, Request.testAny(receives));
            send(2);
            assertEquals(2, Request.Waitany(receives).index);
            assertTrue(receives[2].Is_null());
            send(1);
            send(3);
            int[] done = Request.waitSome(receives);
            int more = done.length;
            while (more < 2) {
                more += Request.testSome(receives).length;
            }
            assertFalse(receives[0].test());
            send(0);
            Status[] statuses = Request.waitAllStatus(receives);
            assertEquals(5, statuses.length);
            assertEquals(0, statuses[0].getTag());
            for (int tag = 0; tag < 4; tag++) {
                assertEquals(tag + 10, got[tag]);
            }
            assertEquals(MPI.UNDEFINED, Request.waitAny(receives));
            assertNull(Request.waitSomeStatus(receives));
            assertTrue(Request.testAll(receives));
        }

        private static void send(int tag) {
            MPI.COMM_WORLD.Send(new int[] {tag + 10}, 0, 1, MPI.INT, 0, tag);
        }
    }

    @Test
    void shouldAwaitAndTestSeveral() {
        Jobs.run(1, Several.class);
    }

    /** Started again and again, objects among them. */
    public static final class Persistent implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            IntBuffer out = MPI.newIntBuffer(1);
            IntBuffer in = MPI.newIntBuffer(1);
            Object[] words = new Object[1];
            Object[] heard = new Object[1];
            Prequest[] each = {
                all.recvInit(in, 1, MPI.INT, Jobs.previous(), 1), all.sendInit(out, 1, MPI.INT, Jobs.next(), 1),
                all.Recv_init(heard, 0, 1, MPI.OBJECT, Jobs.previous(), 2),
                all.Ssend_init(words, 0, 1, MPI.OBJECT, Jobs.next(), 2),
            };
            for (int round = 0; round < 20; round++) {
                out.put(0, round * 10 + all.Rank());
                words[0] = "round " + round + " of " + all.Rank();
                Prequest.Startall(each);
                Status[] done = Request.Waitall(each);
                assertEquals(round * 10 + Jobs.previous(), in.get(0));
                assertEquals("round " + round + " of " + Jobs.previous(), heard[0]);
                assertEquals(1, done[2].Get_count(MPI.OBJECT));
                assertFalse(each[0].isNull());
            }
            each[0].start();
            Jobs.assertFails(MPI.ERR_REQUEST, each[0]::start, "under way");
            each[0].cancel();
            assertTrue(each[0].waitStatus().isCancelled());
            each[0].free();
            assertTrue(each[0].isNull());
        }
    }

    @Test
    void shouldStartPersistentOnesOverAndOver() {
        Jobs.run(2, Persistent.class);
    }

    /** Null, cancelled, looked at, freed. */
    public static final class Ends implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            assertTrue(MPI.REQUEST_NULL.isNull());
            assertEquals(0, MPI.REQUEST_NULL.waitStatus().getCount(MPI.INT));
            int[] got = new int[1];
            Request receive = all.Irecv(got, 0, 1, MPI.INT, 0, 1);
            receive.Cancel();
            assertTrue(receive.Wait().Test_cancelled());
            Request looked = all.Irecv(got, 0, 1, MPI.INT, 0, 2);
            assertNull(looked.getStatus());
            all.Send(new int[] {6}, 0, 1, MPI.INT, 0, 2);
            assertNotNull(looked.getStatus());
            assertFalse(looked.isNull());
            assertEquals(2, looked.waitStatus().getTag());
            Request left = all.Irecv(got, 0, 1, MPI.INT, 0, 3);
            left.free();
            assertTrue(left.isNull());
        }
    }

    @Test
    void shouldEndRequestsInEveryWay() {
        Jobs.run(1, Ends.class);
    }

    /** One of two fails, and only its own communicator hears of it. */
    public static final class OneFails implements Runnable {
        @Override
        public void run() {
            Comm fatal = MPI.COMM_WORLD.clone();
            fatal.setErrhandler(MPI.ERRORS_ARE_FATAL);
            for (boolean waits : new boolean[] {true, false}) {
                Request never = fatal.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 1);
                Request cut = MPI.COMM_WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 2);
                MPI.COMM_WORLD.Send(new int[4], 0, 4, MPI.INT, 0, 2);
                Request[] both = {never, cut};
                Jobs.assertFails(MPI.ERR_TRUNCATE, () -> {
                    if (waits) {
                        Request.waitAny(both);
                    } else {
                        Request.testAny(both);
                    }
                }, "16 bytes");
                assertTrue(cut.isNull());
                assertFalse(never.isNull());
                never.cancel();
                assertTrue(never.waitStatus().isCancelled());
            }
        }
    }

    @Test
    void shouldTellTheCommunicatorOfTheOneThatFails() {
        Jobs.run(1, OneFails.class);
    }

    /** Both fail, the second on a communicator whose errors end the job. */
    public static final class BothFail implements Runnable {
        @Override
        public void run() {
            Comm fatal = MPI.COMM_WORLD.clone();
            fatal.setErrhandler(MPI.ERRORS_ARE_FATAL);
            Request[] both = {
                MPI.COMM_WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 1),
                fatal.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 1),
            };
            MPI.COMM_WORLD.Send(new int[4], 0, 4, MPI.INT, 0, 1);
            fatal.Send(new int[4], 0, 4, MPI.INT, 0, 1);
            assertThrows(MPIException.class, () -> Request.waitAll(both));
        }
    }

    @Test
    void shouldTellEveryCommunicatorOfWhatFails() {
        AssertionError ended = assertThrows(AssertionError.class, () -> Jobs.run(1, BothFail.class));
        assertTrue(ended.getMessage().contains("16 bytes"), ended.getMessage());
    }
}
