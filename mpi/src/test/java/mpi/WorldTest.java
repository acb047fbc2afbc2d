package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WorldTest {
    /** Begins and ends many times. */
    public static final class Again implements Runnable {
        @Override
        public void run() {
            assertFalse(MPI.isInitialized());
            Jobs.assertFails(MPI.ERR_COMM, MPI.COMM_WORLD::Rank, "MPI.Init");
            for (int round = 0; round < 150; round++) {
                String[] args = {"own", "arguments"};
                assertSame(args, MPI.Init(args));
                assertTrue(MPI.Initialized());
                assertFalse(MPI.isFinalized());
                int[] sum = {MPI.COMM_WORLD.Rank() + round};
                MPI.COMM_WORLD.Sendrecv_replace(sum, 0, 1, MPI.INT, Jobs.next(), 1, Jobs.previous(), 1);
                assertEquals(Jobs.previous() + round, sum[0]);
                assertEquals(1, MPI.COMM_SELF.getSize());
                assertEquals(0, MPI.GROUP_EMPTY.getSize());
                MPI.COMM_WORLD.dup();
                MPI.Finalize();
                assertTrue(MPI.isFinalized());
                assertFalse(MPI.Initialized());
            }
            Jobs.assertFails(MPI.ERR_OTHER, MPI::Finalize, "finalized");
        }
    }

    @Test
    void shouldBeginAndEndManyTimes() {
        Jobs.runBare(3, Again.class);
        Jobs.runBare(1, Again.class);
    }

    /** Names, attributes and the rest of what a communicator knows. */
    public static final class Known implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            assertEquals("MPI_COMM_WORLD", all.getName());
            all.setName("mine");
            assertEquals("mine", all.getName());
            assertEquals(Integer.MAX_VALUE, all.Attr_get(MPI.TAG_UB));
            int keyval = Comm.createKeyval();
            assertNull(all.getAttr(keyval));
            all.setAttr(keyval, "value");
            Intracomm copy = all.dup();
            assertEquals("value", copy.Attr_get(keyval));
            copy.deleteAttr(keyval);
            assertNull(copy.getAttr(keyval));
            Comm.freeKeyval(keyval);
            Jobs.assertFails(MPI.ERR_KEYVAL, () -> all.setAttr(keyval, 1), "keyval");
            assertEquals(MPI.UNDEFINED, all.Topo_test());
            assertFalse(all.Test_inter());
            assertSame(MPI.ERRORS_RETURN, all.getErrhandler());
            assertTrue(MPI.isThreadMain());
            assertEquals(MPI.THREAD_MULTIPLE, MPI.queryThread());
            assertTrue(MPI.Wtime() <= MPI.wtime());
            byte[] buffer = new byte[8];
            MPI.Buffer_attach(buffer);
            Jobs.assertFails(MPI.ERR_BUFFER, () -> MPI.attachBuffer(buffer), "already");
            assertSame(buffer, MPI.Buffer_detach());
            Jobs.assertFails(MPI.ERR_OTHER, () -> MPI.Init(new String[0]), "already");
            assertArrayEquals(new int[] {3, 1}, new int[] {MPI.getVersion().getVersion(),
                MPI.getVersion().getSubVersion()});
        }
    }

    @Test
    void shouldKnowItself() {
        Jobs.run(1, Known.class);
    }

    @Test
    void shouldKeepInfo() {
        Info info = new Info();
        info.set("b", "2");
        info.set("a", "1");
        assertEquals("b", info.getKey(0));
        assertEquals(2, info.dup().size());
        assertEquals("1", info.clone().get("a"));
        info.delete("a");
        assertNull(info.get("a"));
        Jobs.assertFails(MPI.ERR_INFO_NOKEY, () -> info.delete("a"), "a");
        Jobs.assertFails(MPI.ERR_INFO_KEY, () -> info.set("", "x"), "empty");
        info.free();
        assertTrue(info.isNull());
        assertTrue(MPI.INFO_NULL.isNull());
    }
}
