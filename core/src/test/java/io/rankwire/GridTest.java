package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.runtime.Grid;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grid arithmetic, without ranks. */
final class GridTest {
    private static final int MOST_NODES = 200;

    @Test
    void shouldFindTheBestOfAllGrids() {
        for (int count = 1; count <= 4; count++) {
            for (int nodes = 1; nodes <= MOST_NODES; nodes++) {
                int[] best = new int[count];
                tryAll(nodes, nodes, new int[count], 0, best);
                assertArrayEquals(best, CartesianCommunicator.balanced(nodes, new int[count]), nodes + " nodes");
            }
        }
    }

    /** All factorizations of the number, largest factor first. */
    private static void tryAll(int rest, int most, int[] tried, int place, int[] best) {
        if (place == tried.length) {
            if (rest == 1 && (best[0] == 0 || better(tried, best))) {
                System.arraycopy(tried, 0, best, 0, best.length);
            }
            return;
        }
        for (int factor = 1; factor <= Math.min(rest, most); factor++) {
            if (rest % factor == 0) {
                tried[place] = factor;
                tryAll(rest / factor, factor, tried, place + 1, best);
            }
        }
    }

    private static boolean better(int[] a, int[] b) {
        int difference = a[0] - a[a.length - 1] - (b[0] - b[b.length - 1]);
        return difference < 0 || difference == 0 && Arrays.compare(a, b) < 0;
    }

    @Test
    void shouldKeepWhatIsFixed() {
        assertArrayEquals(new int[] {4, 3}, CartesianCommunicator.balanced(12, 0, 0));
        assertArrayEquals(new int[] {2, 6}, CartesianCommunicator.balanced(12, 2, 0));
        assertArrayEquals(new int[] {2, 3, 2}, CartesianCommunicator.balanced(12, 0, 3, 0));
        assertArrayEquals(new int[] {3, 4}, CartesianCommunicator.balanced(12, 3, 4));
        assertArrayEquals(new int[] {7}, CartesianCommunicator.balanced(7, 0));
        assertArrayEquals(new int[] {}, CartesianCommunicator.balanced(1));
        for (int nodes = 1; nodes <= MOST_NODES; nodes++) {
            for (int fixed = 1; fixed <= nodes; fixed++) {
                if (nodes % fixed == 0) {
                    int[] rest = CartesianCommunicator.balanced(nodes / fixed, 0, 0, 0);
                    assertArrayEquals(new int[] {rest[0], fixed, rest[1], rest[2]},
                            CartesianCommunicator.balanced(nodes, 0, fixed, 0, 0));
                }
            }
        }
    }

    @Test
    void shouldFindLargeGridsSoon() {
        int prime = Integer.MAX_VALUE;
        assertArrayEquals(new int[] {prime, 1, 1}, CartesianCommunicator.balanced(prime, 0, 0, 0));
        assertArrayEquals(new int[] {1024, 1024, 1024}, CartesianCommunicator.balanced(1 << 30, 0, 0, 0));
        int[] many = CartesianCommunicator.balanced(1 << 30, new int[20]);
        assertEquals(4, many[0]);
        assertEquals(2, many[19]);
        int composite = 1_396_755_360;
        int[] found = CartesianCommunicator.balanced(composite, new int[6]);
        assertEquals(composite, Grid.product(found));
        assertTrue(found[0] - found[5] < 12, Arrays.toString(found));
    }

    @Test
    void shouldNameWhatCannotBeFilled() {
        assertFails(ErrorClass.TOPOLOGY, () -> CartesianCommunicator.balanced(12, 5, 0), "balanced", "[5, 0]", "12");
        assertFails(ErrorClass.TOPOLOGY, () -> CartesianCommunicator.balanced(12, 3, 3), "[3, 3]", "GridTest.java");
        assertFails(ErrorClass.TOPOLOGY, () -> CartesianCommunicator.balanced(12, 0, -1), "dims[1]: -1");
        assertFails(ErrorClass.TOPOLOGY, () -> CartesianCommunicator.balanced(2), "[]", "2");
        assertFails(ErrorClass.TOPOLOGY, () -> CartesianCommunicator.balanced(12, 1 << 20, 1 << 20, 0), "12");
        assertFails(ErrorClass.COUNT, () -> CartesianCommunicator.balanced(0, 0), "nodes: 0");
        assertFails(ErrorClass.ARGUMENT, () -> CartesianCommunicator.balanced(1, (int[]) null), "dims");
    }

    /** Places as a list of all coordinates in order; steps one at a time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldStepAsAModelDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 500; round++) {
            int[] dims = new int[1 + random.nextInt(4)];
            boolean[] periods = new boolean[dims.length];
            for (int d = 0; d < dims.length; d++) {
                dims[d] = 1 + random.nextInt(4);
                periods[d] = random.nextBoolean();
            }
            Grid grid = new Grid(dims, periods);
            int[][] places = places(dims);
            String about = "seed " + seed + ", round " + round + ": " + grid;
            assertEquals(places.length, grid.size(), about);
            for (int step = 0; step < 20; step++) {
                int rank = random.nextInt(places.length);
                assertArrayEquals(places[rank], grid.coordinates(rank), about);
                assertEquals(rank, grid.rank(places[rank]), about);
                int d = random.nextInt(dims.length);
                int by = random.nextInt(-9, 10);
                assertEquals(walk(places, dims, periods, rank, d, by), grid.neighbour(rank, d, by),
                        about + ", from " + rank + " by " + by + " along " + d);
            }
        }
    }

    private static int[][] places(int[] dims) {
        int[][] places = {{}};
        for (int dim : dims) {
            int[][] longer = new int[places.length * dim][];
            for (int i = 0; i < longer.length; i++) {
                int[] start = places[i / dim];
                longer[i] = Arrays.copyOf(start, start.length + 1);
                longer[i][start.length] = i % dim;
            }
            places = longer;
        }
        return places;
    }

    private static int walk(int[][] places, int[] dims, boolean[] periods, int from, int d, int by) {
        int[] place = places[from].clone();
        for (int i = 0; i < Math.abs(by); i++) {
            place[d] += Integer.signum(by);
            if (periods[d] && place[d] == dims[d]) {
                place[d] = 0;
            } else if (periods[d] && place[d] < 0) {
                place[d] = dims[d] - 1;
            }
        }
        for (int rank = 0; rank < places.length; rank++) {
            if (Arrays.equals(place, places[rank])) {
                return rank;
            }
        }
        return Communicator.NONE;
    }

    @Test
    void shouldStepFarWithoutOverflow() {
        Grid ring = new Grid(new int[] {3}, new boolean[] {true});
        assertEquals(Math.floorMod(1L - Integer.MIN_VALUE, 3L), ring.neighbour(1, 0, -(long) Integer.MIN_VALUE));
        Grid line = new Grid(new int[] {3}, new boolean[] {false});
        assertEquals(Communicator.NONE, line.neighbour(1, 0, Integer.MAX_VALUE));
        assertEquals(1L << 31, Grid.product(new int[] {1 << 20, 1 << 20, 1 << 20}));
    }
}
