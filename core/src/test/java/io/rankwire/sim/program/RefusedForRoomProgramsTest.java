package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Status;
import io.rankwire.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs on simulated devices that refuse messages when their headers are used up. */
@Timeout(300)
final class RefusedForRoomProgramsTest {
    private static final int RANKS = 4;
    private static final int MESSAGES = 60;
    private static final Settings REFUSE =
            Settings.DEFAULT.with("device.headers", "8").with("device.overflow", "refuse");

    private static SimulatedRanks run(Settings settings, int ranks, Long faults, MixedCalls.Program program) {
        Adversity adversity = faults == null ? null : new Adversity(faults, null, settings, ranks, ranks);
        return SimulatedRanks.run(settings, ranks, null, adversity, job -> {
            try (World world = World.join()) {
                program.run(world, world.communicator());
            }
        });
    }

    /** Ranks flood rank 0, which receives late and from any rank. */
    private static void flood(World world, Communicator all) {
        int[] next = new int[RANKS];
        if (all.rank() == 0) {
            world.spend(2_000_000);
            int[] got = new int[700];
            for (int i = 0; i < (RANKS - 1) * MESSAGES; i++) {
                Status status = all.receive(got, Communicator.ANY_SOURCE, 5);
                int number = next[status.source()]++;
                assertEquals(number, got[0], "from rank " + status.source());
                assertEquals(size(number), status.count());
            }
        } else {
            Request[] sends = new Request[MESSAGES];
            for (int i = 0; i < MESSAGES; i++) {
                int[] data = new int[size(i)];
                data[0] = i;
                sends[i] = all.isend(data, 0, 5);
            }
            Request.awaitAll(sends);
        }
        long[] sum = {all.rank()};
        all.allreduce(sum, sum, Op.SUM);
        assertEquals(RANKS * (RANKS - 1) / 2, sum[0]);
    }

    private static int size(int number) {
        return 1 + number * 97 % 700;
    }

    @Test
    void shouldKeepTheOrderAndTakeLongerThanWithEnoughHeaders() {
        SimulatedRanks refused = run(REFUSE, RANKS, null, RefusedForRoomProgramsTest::flood);
        SimulatedRanks roomy = run(Settings.DEFAULT, RANKS, null, RefusedForRoomProgramsTest::flood);
        assertTrue(refused.timePs() > roomy.timePs(), refused.timePs() + " and " + roomy.timePs());
    }

    @Test
    void shouldKeepTheOrderUnderFaults() {
        for (long seed = 1; seed <= 6; seed++) {
            run(REFUSE, RANKS, seed, RefusedForRoomProgramsTest::flood);
        }
    }

    @Test
    void shouldFailASendThatIsRefusedTooOften() {
        run(REFUSE.with("device.refuse", "3"), 2, null, (world, all) -> {
            if (all.rank() == 1) {
                world.spend(50_000_000);
                for (int i = 0; i < 8; i++) {
                    all.receive(new int[1], 0, i);
                }
                return;
            }
            for (int i = 0; i < 8; i++) {
                all.send(new int[1], 1, i);
            }
            RankwireException error = assertThrows(RankwireException.class, () -> all.send(new int[1], 1, 8));
            assertEquals(ErrorClass.RESOURCE, error.errorClass(), error.getMessage());
            assertTrue(error.getMessage().matches("rank 0: send to rank 1, tag 8, on world: rank 1 refused the message:"
                    + " it had no room for it, and 3 more tries were in vain at .*java:\\d+"), error.getMessage());
        });
    }
}
