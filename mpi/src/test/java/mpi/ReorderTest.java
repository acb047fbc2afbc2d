package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.sim.program.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Grids of both dialects whose ranks may get other numbers, on a machine where that helps. */
@Timeout(300)
class ReorderTest {
    /** Each node's four ranks take two by two places. */
    public static final class Grids implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int[] dims = {4, 4};
            boolean[] periods = {false, false};
            CartComm open = all.createCart(dims, periods, true);
            Cartcomm java = all.Create_cart(dims, periods, true);
            CartComm kept = all.createCart(dims, periods, false);
            int rank = all.getRank();
            assertEquals(rank, kept.getRank());
            assertEquals(open.getRank(), java.Rank());
            assertEquals(open.getRank(), kept.map(dims, periods));
            assertEquals(open.getRank(), open.getRank(open.getCoords(open.getRank())));
            int[] mine = {open.getRank()};
            int[] ranks = new int[16];
            all.allGather(mine, 1, MPI.INT, ranks, 1, MPI.INT);
            boolean[] seen = new boolean[16];
            boolean moved = false;
            for (int i = 0; i < 16; i++) {
                assertTrue(!seen[ranks[i]], "two ranks at place " + ranks[i]);
                seen[ranks[i]] = true;
                moved |= ranks[i] != i;
                int[] at = open.getCoords(ranks[i]);
                int[] first = open.getCoords(ranks[i / 4 * 4]);
                assertEquals(first[0] / 2, at[0] / 2);
                assertEquals(first[1] / 2, at[1] / 2);
            }
            assertTrue(moved);
        }
    }

    @Test
    void shouldReorderGridsIfAllowed() {
        Jobs.simulate(16, Settings.DEFAULT.read("ranks-per-node = 4", "test"), Grids.class);
    }
}
