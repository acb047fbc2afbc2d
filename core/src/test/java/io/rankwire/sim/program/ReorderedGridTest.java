package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs ask where their ranks are, and grids reorder to it. */
@Timeout(300)
class ReorderedGridTest {
    private static Settings settings(String... lines) {
        return Settings.DEFAULT.read(String.join("\n", lines), "test");
    }

    /** Microseconds of a few halo exchanges on a grid; checks that each rank gets its neighbours' numbers. */
    private static double halo(Settings settings, int[] dims, boolean reorder) {
        int ranks = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        long[] took = new long[ranks];
        SimulatedRanks.run(settings, ranks, job -> {
            try (World world = World.join()) {
                boolean[] periods = new boolean[dims.length];
                Arrays.fill(periods, true);
                Communicator all = world.communicator();
                CartesianCommunicator grid = all.cartesian(dims, periods, reorder).orElseThrow();
                assertEquals(reorder ? grid.rank() : all.rank(), reorder ? all.cartesianRank(dims, periods)
                        : grid.rank());
                int[] mine = new int[4096];
                Arrays.fill(mine, grid.rank());
                int[] given = new int[2 * dims.length * mine.length];
                for (int i = 0; i < given.length; i += mine.length) {
                    System.arraycopy(mine, 0, given, i, mine.length);
                }
                int[] got = new int[given.length];
                grid.barrier();
                long begun = world.time();
                for (int i = 0; i < 2; i++) {
                    grid.neighbourAlltoall(given, got);
                }
                took[all.rank()] = world.time() - begun;
                for (int d = 0; d < dims.length; d++) {
                    CartesianCommunicator.Shift shift = grid.shift(d, 1);
                    assertEquals(shift.source(), got[2 * d * mine.length]);
                    assertEquals(shift.dest(), got[(2 * d + 1) * mine.length]);
                }
            }
        });
        return Arrays.stream(took).max().orElseThrow() / 1e3;
    }

    @Test
    void shouldGainTimeInAHaloExchange() {
        Settings torus = settings("topology = torus:8x4x2", "link.bandwidth = 1 GB/s");
        double plain = halo(torus, new int[] {8, 4, 2}, false);
        double reordered = halo(torus, new int[] {8, 4, 2}, true);
        assertTrue(reordered < 0.8 * plain, "torus: " + plain + " us, reordered " + reordered + " us");
        Settings nodes = settings("topology = fattree:2,2", "ranks-per-node = 4", "link.bandwidth = 1 GB/s");
        plain = halo(nodes, new int[] {8, 8}, false);
        reordered = halo(nodes, new int[] {8, 8}, true);
        assertTrue(reordered < 0.85 * plain, "nodes of four: " + plain + " us, reordered " + reordered + " us");
    }

    @Test
    void shouldSayWhereNodesAre() {
        List<String> places = new ArrayList<>();
        for (String topology : List.of("torus:2x2x3", "mesh:2x2x3", "fattree:2,3", "crossbar")) {
            SimulatedRanks.run(settings("topology = " + topology, "ranks-per-node = 2"), 14, job -> {
                try (World world = World.join()) {
                    if (world.communicator().rank() == 3) {
                        places.add(Arrays.toString(world.coordinates(10)) + Arrays.toString(world.coordinates(13)));
                        assertThrows(RankwireException.class, () -> world.coordinates(14));
                    }
                }
            });
        }
        assertEquals(List.of("[1, 0, 1][0, 1, 1]", "[1, 0, 1][0, 1, 1]", "[0, 2, 1][1, 0, 0]", "[5][6]"), places);
    }

    /** Grids that leave ranks out, and parts of a grid. */
    @Test
    void shouldBeAGridOfTheFirstRanks() {
        SimulatedRanks.run(settings("topology = mesh:3x3x2", "ranks-per-node = 3"), 40, job -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] dims = {5, 7};
                var grid = all.cartesian(dims, new boolean[2], true);
                assertEquals(all.rank() < 35, grid.isPresent());
                assertEquals(grid.map(Communicator::rank).orElse(Communicator.NONE),
                        all.cartesianRank(dims, new boolean[2]));
                int[] ranks = new int[40];
                all.allgather(new int[] {grid.map(Communicator::rank).orElse(35 + all.rank() % 5)}, ranks);
                Arrays.sort(ranks);
                int[] each = new int[40];
                Arrays.setAll(each, i -> i);
                assertArrayEquals(each, ranks);
                grid.ifPresent(of -> assertEquals(7, of.sub(new boolean[] {false, true}).size()));
            }
        });
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                () -> SimulatedRanks.run(settings(), 4, job -> {
                    try (World world = World.join()) {
                        Communicator all = world.communicator();
                        all.cartesian(new int[] {2, 2}, new boolean[2], all.rank() == 1);
                    }
                }));
        assertTrue(failed.getCause().getMessage().contains("dims, periods or reorder"), failed.toString());
    }
}
