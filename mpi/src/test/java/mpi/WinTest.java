package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WinTest {
    private static final int RANKS = 4;

    /** Between fences: rows, strided targets, sums. */
    public static final class Fences implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            int next = (me + 1) % RANKS;
            IntBuffer part = MPI.newIntBuffer(16);
            IntBuffer mine = MPI.newIntBuffer(4).put(0, me).put(1, 10 + me).put(2, 20 + me).put(3, 30 + me);
            Win win = new Win(part, 16, 1, MPI.INFO_NULL, all);
            Datatype everyOther = Datatype.createVector(4, 1, 2, MPI.INT);
            everyOther.commit();
            win.fence(MPI.MODE_NOPRECEDE);
            win.put(mine, 4, MPI.INT, next, 0, 4, MPI.INT);
            win.put(mine, 4, MPI.INT, next, 5, 1, everyOther);
            win.accumulate(mine, 1, MPI.INT, 0, 15, 1, MPI.INT, MPI.SUM);
            win.fence(0);
            int before = (me + RANKS - 1) % RANKS;
            assertEquals(20 + before, part.get(2));
            assertEquals(30 + before, part.get(11));
            assertEquals(0, part.get(6));
            assertEquals(me == 0 ? 6 : 0, part.get(15));
            IntBuffer got = MPI.newIntBuffer(4);
            win.get(got, 4, MPI.INT, me, 5, 1, everyOther);
            win.fence(MPI.MODE_NOSUCCEED);
            assertEquals(10 + before, got.get(1));
            win.free();
            assertThrows(MPIException.class, () -> win.fence(0));
        }
    }

    @Test
    void shouldAccessBetweenFences() {
        Jobs.run(RANKS, Fences.class);
    }

    /** Under locks: requests, fetches, swaps. */
    public static final class Locks implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            LongBuffer part = MPI.newLongBuffer(4);
            Win win = new Win(part, 4, 1, MPI.INFO_NULL, all);
            LongBuffer one = MPI.newLongBuffer(1).put(0, 1);
            LongBuffer found = MPI.newLongBuffer(1);
            win.lockAll(0);
            win.fetchAndOp(one, found, MPI.LONG, 0, 0, MPI.SUM);
            win.flush(0);
            long turn = found.get(0);
            LongBuffer value = MPI.newLongBuffer(1).put(0, turn + 1);
            LongBuffer expected = MPI.newLongBuffer(1).put(0, turn);
            do {
                win.compareAndSwap(value, expected, found, MPI.LONG, 0, 1);
                win.flushLocal(0);
            } while (found.get(0) != turn);
            win.rAccumulate(value, 1, MPI.LONG, 0, 2, 1, MPI.LONG, MPI.MAX).waitFor();
            win.rPut(one, 1, MPI.LONG, (me + 1) % RANKS, 3, 1, MPI.LONG).waitFor();
            win.flushAll();
            all.barrier();
            win.rGet(found, 1, MPI.LONG, 0, 2, 1, MPI.LONG).waitFor();
            assertEquals(RANKS, found.get(0));
            win.rGetAccumulate(null, 0, null, found, 1, MPI.LONG, me, 3, 1, MPI.LONG, MPI.NO_OP).waitFor();
            assertEquals(1, found.get(0));
            win.unlockAll();
            all.barrier();
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            win.get(found, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
            win.unlock(0);
            assertEquals(RANKS, found.get(0));
            Jobs.assertFails(MPI.ERR_RMA_SYNC, () -> win.put(one, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
            Jobs.assertFails(MPI.ERR_LOCKTYPE, () -> win.lock(99, 0, 0));
            win.free();
        }
    }

    @Test
    void shouldAccessUnderLocks() {
        Jobs.run(RANKS, Locks.class);
    }

    /** Between those who post and those who start. */
    public static final class Groups implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            DoubleBuffer part = MPI.newDoubleBuffer(RANKS);
            Win win = new Win(part, RANKS, 1, MPI.INFO_NULL, all);
            Group first = win.getGroup().incl(new int[] {0});
            Group others = win.getGroup().excl(new int[] {0});
            if (me == 0) {
                win.post(others, 0);
                while (!win.test()) {
                    Thread.onSpinWait();
                }
                assertEquals(6, part.get(1) + part.get(2) + part.get(3));
            } else {
                win.start(first, 0);
                win.put(MPI.newDoubleBuffer(1).put(0, me), 1, MPI.DOUBLE, 0, me, 1, MPI.DOUBLE);
                win.complete();
            }
            win.free();
        }
    }

    @Test
    void shouldAccessBetweenGroups() {
        Jobs.run(RANKS, Groups.class);
    }

    /** What a window is made over, and what it tells of itself. */
    public static final class Making implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            IntBuffer part = MPI.newIntBuffer(8);
            Info info = new Info();
            info.set("no_locks", "true");
            Win win = new Win(part, 4, 2, info, all);
            assertSame(part, win.getAttr(MPI.WIN_BASE));
            assertEquals(16, win.getAttr(MPI.WIN_SIZE));
            assertEquals(8, win.getAttr(MPI.WIN_DISP_UNIT));
            int key = Win.createKeyval();
            assertNull(win.getAttr(key));
            win.setAttr(key, "mine");
            assertEquals("mine", win.getAttr(key));
            win.deleteAttr(key);
            assertNull(win.getAttr(key));
            Win.freeKeyval(key);
            win.setName("halo");
            assertEquals("halo", win.getName());
            assertEquals("true", win.getInfo().get("no_locks"));
            Jobs.assertFails(MPI.ERR_RMA_SYNC, () -> win.lock(MPI.LOCK_SHARED, 0, 0));
            win.setErrhandler(MPI.ERRORS_RETURN);
            win.callErrhandler(MPI.ERR_OTHER);
            win.free();

            Win allocated = new Win(100, 1, MPI.INFO_NULL, all, MPI.newCharBuffer(0), Win.FLAVOR_SHARED);
            ByteBuffer memory = (ByteBuffer) allocated.getAttr(MPI.WIN_BASE);
            assertNotNull(memory);
            allocated.fence(0);
            CharBuffer letter = MPI.newCharBuffer(1).put(0, (char) ('a' + me));
            allocated.put(letter, 1, MPI.CHAR, (me + 1) % RANKS, 99, 1, MPI.CHAR);
            allocated.fence(0);
            assertEquals('a' + (me + RANKS - 1) % RANKS, memory.getChar(198));
            allocated.free();

            Win dynamic = new Win(MPI.INFO_NULL, all);
            assertNull(dynamic.getAttr(MPI.WIN_BASE));
            dynamic.attach(part, 8);
            dynamic.fence(0);
            dynamic.put(MPI.newIntBuffer(1).put(0, 70 + me), 1, MPI.INT, (me + 1) % RANKS, 28, 1, MPI.INT);
            dynamic.fence(0);
            assertEquals(70 + (me + RANKS - 1) % RANKS, part.get(7));
            dynamic.detach(part);
            Jobs.assertFails(MPI.ERR_RMA_SYNC, () -> dynamic.detach(part));
            dynamic.free();
            assertFalse(all.isNull());
        }
    }

    @Test
    void shouldBeMadeOverBuffersOrNewMemory() {
        Jobs.run(RANKS, Making.class);
    }
}
