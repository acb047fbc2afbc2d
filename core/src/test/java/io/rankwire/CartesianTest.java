package io.rankwire;

import static io.rankwire.Communicator.NONE;
import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.CartesianCommunicator.Shift;
import io.rankwire.runtime.Neighbourhood;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class CartesianTest {
    private static final boolean[] OPEN_AND_ROUND = {false, true};

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void shouldExchangeAlongEveryDimension(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int[] dims = CartesianCommunicator.balanced(ranks, 0, 0);
            CartesianCommunicator grid = all.cartesian(dims, OPEN_AND_ROUND).orElseThrow();
            assertArrayEquals(dims, grid.dims());
            assertArrayEquals(OPEN_AND_ROUND, grid.periods());
            int[] here = grid.coordinates();
            assertArrayEquals(new int[] {all.rank() / dims[1], all.rank() % dims[1]}, here);
            assertEquals(grid.rank(), grid.rankAt(here));
            assertEquals(grid.rank(), grid.rankAt(here[0], here[1] + 3 * dims[1]));

            for (int dimension = 0; dimension < 2; dimension++) {
                for (int steps = -2; steps <= 2; steps++) {
                    Shift shift = grid.shift(dimension, steps);
                    int[] in = {-1};
                    grid.sendReceive(new int[] {grid.rank()}, shift.dest(), 1, in, shift.source(), 1);
                    int place = here[dimension] - steps;
                    boolean beyond = dimension == 0 && (place < 0 || place >= dims[0]);
                    assertEquals(beyond, shift.source() == NONE);
                    if (beyond) {
                        assertEquals(-1, in[0], "nothing came");
                    } else {
                        assertEquals(dimension == 0 ? grid.rankAt(place, here[1]) : grid.rankAt(here[0], place), in[0]);
                    }
                }
            }
            Neighbourhood around = grid.endpoint().collectives().neighbourhood();
            assertEquals(grid.shift(0, 1).source(), around.sources()[0]);
            assertEquals(grid.shift(1, 1).dest(), around.destinations()[3]);
            grid.free();
        });
    }

    @Test
    void shouldLeaveOutRanksBeyondTheGrid() {
        Worlds.run(5, world -> {
            Communicator all = world.communicator();
            var grid = all.cartesian(new int[] {2, 2}, new boolean[2]);
            assertEquals(all.rank() < 4, grid.isPresent());
            var point = all.cartesian(new int[0], new boolean[0]);
            assertEquals(all.rank() == 0, point.isPresent());
            point.ifPresent(p -> assertEquals(0, p.rankAt()));
            grid.ifPresent(Communicator::free);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6})
    void shouldCutIntoRowsAndColumns(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int[] dims = CartesianCommunicator.balanced(ranks, 0, 0);
            CartesianCommunicator grid = all.cartesian(dims, OPEN_AND_ROUND).orElseThrow();
            CartesianCommunicator row = grid.sub(false, true);
            CartesianCommunicator column = grid.sub(true, false);
            CartesianCommunicator self = grid.sub(false, false);
            CartesianCommunicator whole = grid.sub(true, true);
            assertArrayEquals(new int[] {dims[1]}, row.dims());
            assertTrue(row.periods()[0]);
            assertFalse(column.periods()[0]);
            assertEquals(grid.coordinates()[1], row.rank());
            assertEquals(grid.coordinates()[0], column.rank());
            assertEquals(1, self.size());
            assertEquals(Comparison.CONGRUENT, whole.compare(grid));
            int[] in = new int[1];
            Shift round = row.shift(0, 1);
            row.sendReceive(new int[] {grid.rank()}, round.dest(), 1, in, round.source(), 1);
            assertEquals(grid.rankAt(grid.coordinates()[0], grid.coordinates()[1] - 1), in[0]);
            CartesianCommunicator copy = column.duplicate();
            assertArrayEquals(column.dims(), copy.dims());
            Shift down = copy.shift(0, 1);
            in[0] = NONE;
            copy.sendReceive(new int[] {copy.rank()}, down.dest(), 1, in, down.source(), 1);
            assertEquals(down.source(), in[0]);
            copy.free();
            row.free();
            assertFails(ErrorClass.COMMUNICATOR, () -> row.sub(true), "was freed");
        });
    }

    @Test
    void shouldNameWhatDoesNotFit() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.TOPOLOGY, () -> all.cartesian(new int[] {2, 3}, new boolean[2]),
                    "rank 0: cartesian", "[2, 3]", "1 ranks of world", "CartesianTest.java:");
            assertFails(ErrorClass.TOPOLOGY, () -> all.cartesian(new int[] {1, 0}, new boolean[2]), "dims[1]: 0");
            assertFails(ErrorClass.TOPOLOGY, () -> all.cartesian(new int[] {1}, new boolean[2]), "2 entries for 1");
            assertFails(ErrorClass.ARGUMENT, () -> all.cartesian(null, new boolean[2]), "dims is null");
            assertFails(ErrorClass.ARGUMENT, () -> all.cartesian(new int[] {1}, null), "periods is null");
            CartesianCommunicator grid = all.cartesian(new int[] {1, 1}, OPEN_AND_ROUND).orElseThrow();
            assertFails(ErrorClass.TOPOLOGY, () -> grid.rankAt(1, 0), "rankAt", "coordinates[0]: 1", "from 0 to 0");
            assertFails(ErrorClass.TOPOLOGY, () -> grid.rankAt(0), "[0]", "grid 1 × 1 (periodic)");
            assertFails(ErrorClass.TOPOLOGY, () -> grid.shift(2, 1), "shift", "dimension: 2");
            assertFails(ErrorClass.TOPOLOGY, () -> grid.sub(true), "sub", "[true]", "2 dimensions");
            assertFails(ErrorClass.RANK, () -> grid.coordinates(1), "of: 1");
            assertEquals(grid.rank(), grid.rankAt(0, -5), "wrapped");
        });
    }

    @Test
    void shouldTellAllRanksThatGridsDiffer() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            int[] dims = all.rank() == 2 ? new int[] {1, 3} : new int[] {3, 1};
            assertFails(ErrorClass.TOPOLOGY, () -> all.cartesian(dims, OPEN_AND_ROUND), "ranks 0 and 2", "different");
            CartesianCommunicator grid = all.cartesian(new int[] {3, 1}, OPEN_AND_ROUND).orElseThrow();
            assertFails(ErrorClass.TOPOLOGY, () -> grid.sub(true, grid.rank() == 1), "ranks 0 and 1");
            grid.free();
        });
    }
}
