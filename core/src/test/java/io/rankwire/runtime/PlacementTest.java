package io.rankwire.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.sim.net.FatTree;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.net.Torus;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static int[] place(Grid grid, Topology network, IntUnaryOperator nodes) {
        return Placement.of(grid, rank -> network.coordinates(nodes.applyAsInt(rank)),
                (a, b) -> hops(network, nodes.applyAsInt(a), nodes.applyAsInt(b)));
    }

    private static int hops(Topology network, int from, int to) {
        return from == to ? 0 : network.hops(from, to);
    }

    private static long cost(Grid grid, Topology network, IntUnaryOperator nodes, int[] order) {
        long cost = 0;
        for (int place = 0; place < grid.size(); place++) {
            for (int d = 0; d < grid.dimensions(); d++) {
                int next = grid.neighbour(place, d, 1);
                cost += next < 0 ? 0
                        : hops(network, nodes.applyAsInt(order[place]), nodes.applyAsInt(order[next]));
            }
        }
        return cost;
    }

    private static int[] inOrder(int size) {
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        return order;
    }

    /** Grids of any extents on machines of any shape, and nodes of any number of ranks: a bijection, and no worse. */
    @Test
    void shouldGiveEachRankOnePlaceAndBeNoWorseThanTheirOrder() {
        Rand rand = new Rand(12);
        for (int i = 0; i < 250; i++) {
            int[] dims = new int[1 + rand.below(3)];
            Arrays.setAll(dims, d -> 1 + rand.below(7));
            boolean[] periods = new boolean[dims.length];
            for (int d = 0; d < dims.length; d++) {
                periods[d] = rand.chance(1, 2);
            }
            Grid grid = new Grid(dims, periods);
            int perNode = 1 + rand.below(4);
            int size = grid.size();
            Topology network = switch (rand.below(4)) {
                case 0 -> Torus.near(size, true);
                case 1 -> Torus.near(size, false);
                case 2 -> new FatTree(size, 1 + rand.below(5), 1 + rand.below(4));
                default -> Topology.parse("crossbar", size);
            };
            int[] scattered = new int[size];
            Arrays.setAll(scattered, rank -> rand.below(size));
            IntUnaryOperator nodes = rand.chance(1, 3) ? rank -> scattered[rank] : rank -> rank / perNode;
            int[] order = place(grid, network, nodes);
            int[] sorted = order.clone();
            Arrays.sort(sorted);
            assertArrayEquals(inOrder(size), sorted, grid + " on " + network);
            long cost = cost(grid, network, nodes, order);
            assertTrue(cost <= cost(grid, network, nodes, inOrder(size)), grid + " on " + network);
            assertArrayEquals(order, place(grid, network, nodes), "the same on all ranks");
        }
    }

    /** A grid that has the machine's shape, in whatever order its ranks lie there, has neighbours one link apart. */
    @Test
    void shouldFindTheShapeOfTheMachine() {
        Torus torus = new Torus(4, 6, 8);
        int[] shuffled = inOrder(192);
        Rand rand = new Rand(2);
        for (int i = 191; i > 0; i--) {
            int other = rand.below(i + 1);
            int was = shuffled[i];
            shuffled[i] = shuffled[other];
            shuffled[other] = was;
        }
        for (int[] dims : new int[][] {{8, 4, 6}, {24, 8}, {8, 24}, {6, 32}, {192}}) {
            Grid grid = new Grid(dims, new boolean[dims.length]);
            int[] order = place(grid, torus, rank -> shuffled[rank]);
            long edges = cost(grid, Topology.parse("crossbar", 192), rank -> rank, order) / 2;
            assertEquals(edges, cost(grid, torus, rank -> shuffled[rank], order), grid + ": one link for each edge");
        }
    }

    /** Four ranks of a node become a square of two by two: half of its neighbours are outside, not three quarters. */
    @Test
    void shouldKeepRanksOfANodeTogether() {
        Topology hosts = Topology.parse("crossbar", 16);
        Grid grid = new Grid(new int[] {8, 8}, new boolean[2]);
        int[] order = place(grid, hosts, rank -> rank / 4);
        // 3 lines between blocks in each dimension, each crossed 8 times, 2 links.
        assertEquals(2 * 3 * 8 * 2, cost(grid, hosts, rank -> rank / 4, order));
        assertEquals(2 * (8 + 7 * 8), cost(grid, hosts, rank -> rank / 4, inOrder(64)));
        Topology two = Topology.parse("crossbar", 2);
        Grid uneven = new Grid(new int[] {2, 5}, new boolean[2]);
        IntUnaryOperator roundRobin = rank -> rank % 2;
        int[] sides = place(uneven, two, roundRobin);
        assertEquals(2 * 3, cost(uneven, two, roundRobin, sides), "5 ranks of each host: a border of three edges");
    }

    @Test
    void shouldLeaveRanksOfOneHostInTheirOrder() {
        Grid grid = new Grid(new int[] {3, 4}, new boolean[2]);
        assertArrayEquals(inOrder(12), Placement.of(grid, rank -> new int[] {0}, (a, b) -> 0));
        Grid point = new Grid(new int[0], new boolean[0]);
        assertArrayEquals(inOrder(1), Placement.of(point, rank -> new int[] {0}, (a, b) -> 0));
    }
}
