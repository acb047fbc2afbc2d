package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.RemoteFabric.Bug;
import io.rankwire.launch.RemoteRanks;
import io.rankwire.launch.ThreadRanks;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows whose memory the network reads and writes by itself, compared with arrays. */
@Timeout(600)
class RemoteWindowTest {
    private static final int SLICE = 60_000;

    private static long run(int ranks, long seed, Bug bug, int refusesOneOf, World.Body body) {
        return RemoteRanks.run(ranks, seed, bug, refusesOneOf, World.rank(DeviceConfig.DEFAULT, body));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldMoveBytesAsTheModelSays(long seed) {
        int ranks = 2 + (int) (seed % 3);
        long made = run(ranks, seed, Bug.NONE, seed % 3 == 0 ? 15 : 0,
                world -> new RemoteWindowProgram(world, seed, SLICE).run());
        assertTrue(made > 5, made + " accesses of the network");
    }

    @ParameterizedTest
    @EnumSource(value = Bug.class, names = {"DONE_EARLY", "FRAME_OVERTAKES_WRITE"})
    void shouldFindAFabricThatIsWrong(Bug bug) {
        int found = 0;
        for (long seed = 1; seed <= 12 && found == 0; seed++) {
            long now = seed;
            try {
                run(2, now, bug, 0, world -> new RemoteWindowProgram(world, now, SLICE).run());
            } catch (ThreadRanks.Failed e) {
                assertTrue(e.toString().contains("byte") || World.failure(e).toString().contains("byte"),
                        () -> "another failure: " + e);
                found++;
            }
        }
        assertEquals(1, found, "episodes in which the bug shows");
    }

    @Test
    void shouldKeepMemoryUntilTheNetworkHasLetGoOfIt() {
        run(2, 1, Bug.NONE, 0, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(1 << 20, 1);
            window.lockAll();
            for (int i = 0; i < 50; i++) {
                MemorySegment memory = world.allocate(1 << 20);
                window.get(memory, 1 - all.rank(), 0);
                world.free(memory);
                assertThrows(RankwireException.class, () -> world.free(memory));
            }
            window.unlockAll();
            window.free();
        });
    }
}
