package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The error for every mistake names rank, call, argument and value, and nothing changes. */
@Timeout(300)
class WindowErrorsTest {
    @Test
    void shouldNameWhatIsWrongWithAnAccess() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int me = all.rank();
            int[] part = {1, 2, 3, 4};
            Window window = all.window(part, 4);
            window.fence();
            int[] data = new int[8];
            String here = "rank " + me + ": world.window: ";
            assertFails(ErrorClass.RANK, () -> window.put(data, 2, 0), here + "put: argument rank: 2", "has 2",
                    "WindowErrorsTest.java:");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.put(data, 1, 0), here + "put at rank 1",
                    "displacement: 0 of 4 bytes", "32 bytes", "16 bytes");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.get(data, 0, 1, 1, -1), "get at rank 1", "-1");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.get(data, 0, 1, 1, Long.MAX_VALUE), "get");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.accumulate(data, 0, 1, 1, 4, Op.SUM), "accumulate");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.fetchAndOp(1, 1, 4, Op.SUM), "fetchAndOp", "4 of 4");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.compareAndSwap(1, 1, 0, 5), "compareAndSwap");
            assertFails(ErrorClass.COUNT, () -> window.put(data, 5, 4, 1, 0), "put", "offset 5", "count 4", "length 8");
            assertFails(ErrorClass.COUNT, () -> window.rget(data, -1, 4, 1, 0), "rget", "offset -1");
            assertFails(ErrorClass.BUFFER, () -> window.put("text", 1, 0), "String");
            assertFails(ErrorClass.BUFFER, () -> window.put(null, 1, 0), "null");
            assertFails(ErrorClass.BUFFER, () -> window.get(ByteBuffer.allocate(4).asReadOnlyBuffer(), 1, 0),
                    "read-only");
            assertFails(ErrorClass.TYPE, () -> window.put(new double[1], 1, 0), "put", "of double", "of int");
            assertFails(ErrorClass.TYPE, () -> window.fetchAndOp(1L, 1, 0, Op.SUM), "fetchAndOp", "of long");
            assertFails(ErrorClass.DISPLACEMENT, () -> window.put(ByteBuffer.allocate(6), 1, 0), "whole elements");
            assertFails(ErrorClass.TYPE, () -> window.fetchAndOp(data, new long[8], 1, 0, Op.SUM), "result");
            assertFails(ErrorClass.COUNT, () -> window.getAccumulate(data, 0, new int[1], 0, 2, 1, 0, Op.SUM),
                    "argument result", "count 2");
            assertFails(ErrorClass.ARGUMENT, () -> window.accumulate(data, 0, 1, 1, 0, null), "argument op is null");
            window.put(data, 0, 4, Communicator.NONE, 99);
            window.fence();
            assertArrayEquals(new int[] {1, 2, 3, 4}, part);
            window.free();
        });
    }

    @Test
    void shouldRefuseOperationsOnTypesThatHaveNone() {
        Worlds.run(1, world -> {
            Window window = world.communicator().allocateWindow(64, 1);
            window.lockAll();
            assertFails(ErrorClass.TYPE, () -> window.accumulate(new double[1], 0, 0, Op.BAND), "band", "double");
            assertFails(ErrorClass.TYPE, () -> window.accumulate(new boolean[1], 0, 0, Op.SUM), "sum", "boolean");
            assertFails(ErrorClass.TYPE, () -> window.accumulate(ByteBuffer.allocate(8), 0, 0, Op.SUM), "raw memory",
                    "primitive array");
            assertFails(ErrorClass.TYPE,
                    () -> window.compareAndSwap(new float[1], new float[1], new float[1], 0, 0), "whole numbers");
            window.unlockAll();
            window.free();
        });
    }

    @Test
    void shouldRefuseCallsOutsideTheirEpoch() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(64, 8);
            long[] data = {1};
            assertFails(ErrorClass.WINDOW, () -> window.put(data, 1, 0), "put at rank 1", "no epoch");
            assertFails(ErrorClass.WINDOW, () -> window.unlock(1), "unlock", "rank 1 is not locked");
            assertFails(ErrorClass.WINDOW, () -> window.flush(1), "flush: rank 1");
            assertFails(ErrorClass.WINDOW, window::flushAll, "flushAll: nothing");
            assertFails(ErrorClass.WINDOW, window::unlockAll, "unlockAll without lockAll");
            assertFails(ErrorClass.WINDOW, window::complete, "complete without start");
            assertFails(ErrorClass.WINDOW, window::await, "await without post");
            assertFails(ErrorClass.WINDOW, window::test, "test without post");
            window.lock(Window.Lock.SHARED, 1);
            assertFails(ErrorClass.WINDOW, () -> window.put(data, 0, 0), "put at rank 0", "no epoch");
            assertFails(ErrorClass.WINDOW, () -> window.lock(Window.Lock.EXCLUSIVE, 1), "locked already");
            assertFails(ErrorClass.WINDOW, window::lockAll, "lockAll", "locked rank 1");
            assertFails(ErrorClass.WINDOW, window::fence, "fence", "locked rank 1", "unlock first");
            assertFails(ErrorClass.WINDOW, () -> window.start(all.group()), "start", "locked rank 1");
            window.unlock(1);
            window.lockAll();
            assertFails(ErrorClass.WINDOW, () -> window.unlock(1), "unlockAll");
            assertFails(ErrorClass.WINDOW, window::free, "free", "unlockAll first");
            window.unlockAll();
            window.fence();
            window.fence();
            window.put(data, 1 - all.rank(), 0);
            assertFails(ErrorClass.WINDOW, window::lockAll, "lockAll", "fence first");
            window.fence();
            Group other = all.group().exclude(all.rank());
            window.post(other);
            String line = " at WindowErrorsTest.java:";
            assertFails(ErrorClass.WINDOW, () -> window.post(other), "post: the post" + line, " has not been awaited",
                    "call await first" + line);
            window.start(other);
            assertFails(ErrorClass.WINDOW, () -> window.put(data, all.rank(), 0), "the start" + line,
                    "does not name it");
            assertFails(ErrorClass.WINDOW, () -> window.start(other), "start: the start" + line,
                    " has not been completed", "call complete first" + line);
            assertFails(ErrorClass.WINDOW, () -> window.lock(Window.Lock.SHARED, 0), "lock", "complete first");
            assertFails(ErrorClass.WINDOW, window::fence, "complete first");
            window.complete();
            assertFails(ErrorClass.WINDOW, () -> window.complete(), "complete without start: the start" + line,
                    " has been completed already" + line);
            assertFails(ErrorClass.WINDOW, window::fence, "await first");
            window.await();
            assertFails(ErrorClass.WINDOW, () -> window.await(), "await without post: the post" + line,
                    " has been awaited already" + line);
            window.free();
            assertFails(ErrorClass.WINDOW, window::fence, "fence: the window was freed");
            assertFails(ErrorClass.WINDOW, () -> window.put(data, 1, 0), "put: the window was freed");
            assertFails(ErrorClass.WINDOW, window::free, "freed");
        });
    }

    /** The other rank omits one of the four calls. */
    @Test
    @ExtendWith(EndStalls.class)
    void shouldNameTheCallThatIsMissingElsewhere() {
        assertFails(ErrorClass.ABORTED, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(64, 8);
            if (all.rank() == 0) {
                window.start(all.group().exclude(0));
            }
            all.barrier();
        }), "rank 0: start, which waits for post by rank 1, on world.window at WindowErrorsTest.java:");
        assertFails(ErrorClass.ABORTED, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(64, 8);
            if (all.rank() == 0) {
                window.start(all.group().exclude(0));
            } else {
                window.post(all.group().exclude(1));
                window.await();
            }
            all.barrier();
        }), "rank 1: await, which waits for complete by rank 0, on world.window at WindowErrorsTest.java:");
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(64, 8);
            if (all.rank() == 1) {
                window.post(all.group().exclude(1));
            }
        }));
        Worlds.assertHolds(told, "rank 1: 1 request", "never awaited",
                "await, which waits for complete by rank 0, on world.window",
                "rank 0: 1 message", "never received",
                "post, without start here, by rank 1, on world.window");
    }

    @Test
    void shouldNameWhatIsWrongWithTheWindowItself() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.ARGUMENT, () -> all.window(new int[1], 0), "rank 0: window", "displacementUnit: 0");
            assertFails(ErrorClass.COUNT, () -> all.allocateWindow(-5, 1), "allocateWindow", "bytes: -5");
            assertFails(ErrorClass.BUFFER, () -> all.window("text", 1), "String");
            Window window = all.window(new int[1], 4);
            assertFails(ErrorClass.WINDOW, window::memory, "array");
            assertFails(ErrorClass.WINDOW, () -> window.shared(0), "shared", "rank 0");
            assertFails(ErrorClass.ARGUMENT, () -> window.lock(null, 0), "how is null");
            assertFails(ErrorClass.ARGUMENT, () -> window.post(null), "group is null");
            assertFails(ErrorClass.RANK, () -> window.post(Group.of(3)), "world rank 3");
            window.free();
            Window allocated = all.allocateWindow(8, 1);
            MemorySegment memory = allocated.memory();
            assertFails(ErrorClass.WINDOW, () -> world.free(memory), "belongs to a window");
            allocated.free();
            assertThrows(IllegalStateException.class, () -> memory.fill((byte) 1));
        });
    }

    @Test
    void shouldTellTheOriginOfAReadOnlyTarget() {
        byte[] bytes = {1, 2, 3};
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.window(MemorySegment.ofArray(bytes).asReadOnly(), 1);
            if (all.rank() == 0) {
                window.lock(Window.Lock.SHARED, 1);
                byte[] got = new byte[3];
                window.get(got, 1, 0);
                window.flush(1);
                assertArrayEquals(bytes, got);
                window.put(new byte[1], 1, 2);
                assertFails(ErrorClass.DISPLACEMENT, () -> window.flush(1), "rank 0: flush at rank 1", "byte 2",
                        "read-only");
                window.flush(1);
                window.put(new byte[1], 1, 2);
                assertFails(ErrorClass.DISPLACEMENT, () -> window.unlock(1), "unlock at rank 1", "read-only");
            }
            window.free();
            assertEquals(3, bytes[2]);
        });
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldProveADeadlockOfLocks() {
        RankwireException error = assertThrows(RankwireException.class, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(8, 8);
            window.lock(Window.Lock.EXCLUSIVE, all.rank());
            Worlds.meet(all);
            window.lock(Window.Lock.EXCLUSIVE, 1 - all.rank());
        }));
        Worlds.assertHolds(error.getMessage(), "deadlock", "lock at rank 1 on world.window, held by rank 1",
                "WindowErrorsTest.java:", "cycle: 0 -> 1 -> 0");
    }
}
