package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows to which memory is attached after their creation. */
@Timeout(300)
final class DynamicWindowTest {
    @Test
    void shouldReachWhatIsAttached() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            int next = (all.rank() + 1) % all.size();
            Window window = all.dynamicWindow();
            long[] numbers = new long[4];
            byte[] odd = new byte[3];
            double[] values = {1, 2, 3};
            assertEquals(0, window.attach(numbers));
            assertEquals(64, window.attach(odd));
            assertEquals(128, window.attach(values));
            window.fence();
            window.put(new long[] {7, all.rank()}, next, 8);
            window.put(new byte[] {1, 2, 3}, next, 64);
            window.accumulate(new double[] {10}, next, 136, Op.SUM);
            window.fence();
            assertArrayEquals(new long[] {0, 7, (all.rank() + 2) % 3, 0}, numbers);
            assertArrayEquals(new byte[] {1, 2, 3}, odd);
            assertArrayEquals(new double[] {1, 12, 3}, values);
            all.barrier();
            window.lockAll();
            assertEquals(7, window.fetchAndOp(5L, next, 8, Op.SUM));
            window.unlockAll();
            window.fence();
            assertEquals(12, numbers[1]);
            window.free();
        });
    }

    @Test
    void shouldRefuseWhatIsNotAttached() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.dynamicWindow();
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory = arena.allocate(100);
                MemorySegment other = arena.allocate(100);
                assertEquals(0, window.attach(memory));
                assertEquals(128, window.attach(other));
                window.detach(memory);
                Worlds.assertFails(ErrorClass.WINDOW, () -> window.detach(memory), "detach", "not attached");
                window.lockAll();
                all.barrier();
                window.put(new byte[8], 1 - all.rank(), 0);
                Worlds.assertFails(ErrorClass.DISPLACEMENT, window::flushAll, "does not lie within the memory");
                window.put(new byte[8], 1 - all.rank(), 128 + 96);
                Worlds.assertFails(ErrorClass.DISPLACEMENT, window::flushAll, "does not lie within the memory");
                window.put(new byte[] {9}, 1 - all.rank(), 128 + 99);
                window.flushAll();
                all.barrier();
                window.unlockAll();
                assertEquals(9, other.get(ValueLayout.JAVA_BYTE, 99));
                // The displacements of detached memory are used again, if they suffice.
                assertEquals(256, window.attach(new byte[200]));
                assertEquals(0, window.attach(new byte[128]));
                all.barrier();
                window.free();
            }
        });
    }

    @Test
    void shouldSayThatAWindowIsNotDynamic() {
        Worlds.run(1, world -> {
            Window window = world.communicator().window(new int[1], 4);
            Worlds.assertFails(ErrorClass.WINDOW, () -> window.attach(new int[1]), "attach", "no dynamic window");
            Worlds.assertFails(ErrorClass.WINDOW, () -> window.detach(new int[1]), "detach", "no dynamic window");
            window.free();
        });
    }
}
