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

@Timeout(300)
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

    /** The calls that the other programs here do not make. */
    public static final class Others implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            int next = (me + 1) % RANKS;
            int before = (me + RANKS - 1) % RANKS;
            IntBuffer part = MPI.newIntBuffer(4).put(0, me).put(1, 100);
            Win win = new Win(part, 4, 1, MPI.INFO_NULL, all);
            IntBuffer one = MPI.newIntBuffer(1).put(0, 1);
            IntBuffer found = MPI.newIntBuffer(1);
            win.post(win.getGroup().incl(new int[] {before}), 0);
            win.start(win.getGroup().incl(new int[] {next}), 0);
            win.getAccumulate(one, 1, MPI.INT, found, 1, MPI.INT, next, 0, 1, MPI.INT, MPI.SUM);
            win.complete();
            win.waitFor();
            assertEquals(next, found.get(0));
            assertEquals(me + 1, part.get(0));
            all.barrier();
            win.lockAll(MPI.MODE_NOCHECK);
            win.fetchAndOp(one, found, MPI.INT, next, 1, MPI.REPLACE);
            win.flushLocalAll();
            assertEquals(100, found.get(0));
            win.flushAll();
            all.barrier();
            win.sync();
            assertEquals(1, part.get(1));
            win.put(MPI.newIntBuffer(2).put(0, 7), 1, MPI.INT, next, 3, 1, MPI.INT);
            win.flush(next);
            win.unlockAll();
            all.barrier();
            assertEquals(7, part.get(3));
            win.fence(0);
            Jobs.assertFails(MPI.ERR_DISP, () -> win.put(one, 1, MPI.INT, next, 4, 1, MPI.INT), "4");
            Jobs.assertFails(MPI.ERR_RANK, () -> win.put(one, 1, MPI.INT, 9, 0, 1, MPI.INT), "9");
            Jobs.assertFails(MPI.ERR_OP, () -> win.accumulate(one, 1, MPI.INT, next, 0, 1, MPI.INT,
                    new Op(new UserFunction() { }, true)));
            win.fence(0);
            assertSame(all.getErrhandler(), win.getErrhandler());
            Info info = new Info();
            info.set("same_size", "true");
            win.setInfo(info);
            assertEquals("true", win.getInfo().get("same_size"));
            win.free();
            Jobs.assertFails(MPI.ERR_WIN, win::sync, "freed");
        }
    }

    @Test
    void shouldMakeTheOtherCalls() {
        Jobs.run(RANKS, Others.class);
    }

    /** Buffers come and go while the window stays. */
    public static final class Attached implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            int next = (me + 1) % RANKS;
            IntBuffer first = MPI.newIntBuffer(3);
            LongBuffer second = MPI.newLongBuffer(2).put(1, 40 + me);
            Win win = new Win(MPI.INFO_NULL, all);
            win.attach(first, 3);
            win.attach(second, 2);
            all.barrier();
            LongBuffer got = MPI.newLongBuffer(1);
            win.lock(MPI.LOCK_SHARED, next, 0);
            // The first begins at byte 0, the second at the next multiple of 64.
            win.put(MPI.newIntBuffer(1).put(0, 5), 1, MPI.INT, next, 8, 1, MPI.INT);
            win.get(got, 1, MPI.LONG, next, 64 + 8, 1, MPI.LONG);
            win.unlock(next);
            all.barrier();
            assertEquals(5, first.get(2));
            assertEquals(40 + next, got.get(0));
            win.detach(first);
            all.barrier();
            win.lock(MPI.LOCK_SHARED, next, 0);
            Jobs.assertFails(MPI.ERR_DISP, () -> {
                win.get(got, 1, MPI.LONG, next, 0, 1, MPI.LONG);
                win.flush(next);
            });
            win.get(got, 1, MPI.LONG, next, 64, 1, MPI.LONG);
            win.unlock(next);
            assertEquals(0, got.get(0));
            all.barrier();
            win.detach(second);
            win.free();
        }
    }

    @Test
    void shouldReachBuffersWhileTheyAreAttached() {
        Jobs.run(RANKS, Attached.class);
    }
}
