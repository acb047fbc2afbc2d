package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory from {@link World#allocate}. */
@Timeout(300)
class SharedAllocationTest {
    @Test
    void shouldSendAndReceiveInAllocatedMemory() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            MemorySegment memory = world.allocate(100_000);
            assertEquals(0, memory.address() % 64);
            if (all.rank() == 0) {
                memory.fill((byte) 5);
                all.send(memory, 1, 1);
            } else {
                all.receive(memory, 0, 1);
                assertEquals(5, memory.get(ValueLayout.JAVA_BYTE, 99_999));
            }
            world.free(memory);
            assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
        });
    }

    @Test
    void shouldRefuseWhatItDidNotAllocate() {
        Worlds.run(1, world -> {
            MemorySegment memory = world.allocate(64);
            Worlds.assertFails(ErrorClass.COUNT, () -> world.allocate(-1), "allocate", "bytes", "-1", "rank 0");
            Worlds.assertFails(ErrorClass.BUFFER, () -> world.free(null), "memory is null");
            Worlds.assertFails(ErrorClass.BUFFER, () -> world.free(memory.asSlice(8)), "rank 0", "free", "memory");
            Worlds.assertFails(ErrorClass.BUFFER, () -> world.free(Arena.ofAuto().allocate(64)), "free");
            world.free(memory);
            Worlds.assertFails(ErrorClass.BUFFER, () -> world.free(memory), "freed");
        });
    }

    @Test
    void shouldFreeWhatFailedRanksLeave() {
        MemorySegment[] left = new MemorySegment[1];
        assertThrows(RankwireException.class, () -> World.run(1, world -> {
            left[0] = world.allocate(64);
            throw new IllegalStateException("boom");
        }));
        assertThrows(IllegalStateException.class, () -> left[0].get(ValueLayout.JAVA_BYTE, 0));
        World.run(1, world -> left[0] = world.allocate(64));
        assertThrows(IllegalStateException.class, () -> left[0].get(ValueLayout.JAVA_BYTE, 0));
        World kept = World.join();
        kept.close();
        Worlds.assertFails(ErrorClass.CLOSED, () -> kept.allocate(1), "closed");
    }
}
