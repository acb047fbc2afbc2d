package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs that all ranks know, and graphs of which each rank knows a part. */
@Timeout(300)
final class GraphTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void shouldGiveTheNeighboursOfAStar(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int nodes = Math.max(1, ranks - 1);
            int[][] star = new int[nodes][];
            star[0] = new int[nodes - 1];
            for (int node = 1; node < nodes; node++) {
                star[0][node - 1] = node;
                star[node] = new int[] {0};
            }
            var made = all.graph(star);
            assertEquals(all.rank() < nodes, made.isPresent());
            made.ifPresent(graph -> {
                star[0] = null;
                assertEquals(nodes, graph.size());
                assertEquals(2 * (nodes - 1), graph.edges());
                assertEquals(nodes - 1, graph.neighbours(0).length);
                assertEquals(graph.rank() == 0 ? nodes - 1 : 1, graph.neighbours().length);
                GraphCommunicator copy = graph.duplicate();
                for (int neighbour : copy.neighbours()) {
                    copy.send(new int[] {copy.rank()}, neighbour, 1);
                }
                for (int neighbour : copy.neighbours()) {
                    int[] in = new int[1];
                    copy.receive(in, neighbour, 1);
                    assertEquals(neighbour, in[0]);
                }
                copy.free();
                graph.free();
            });
        });
    }

    @Test
    void shouldNameWhatIsWrongWithAGraph() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.ARGUMENT, () -> all.graph(null), "neighbours is null");
            assertFails(ErrorClass.TOPOLOGY, () -> all.graph(new int[3][0]), "3 nodes", "2 ranks", "GraphTest.java:");
            assertFails(ErrorClass.TOPOLOGY, () -> all.graph(new int[][] {{1}, {2}}), "neighbours[1]: 2", "graph of 2");
            assertFails(ErrorClass.TOPOLOGY, () -> all.graph(new int[][] {{1}, null}), "neighbours[1] is null");
            int[][] different = all.rank() == 0 ? new int[][] {{1}, {0}} : new int[][] {{1}, {}};
            assertFails(ErrorClass.TOPOLOGY, () -> all.graph(different), "ranks 0 and 1", "different graphs");
            GraphCommunicator graph = all.graph(new int[][] {{1}, {0}}).orElseThrow();
            assertFails(ErrorClass.RANK, () -> graph.neighbours(2), "of: 2", graph.name());
        });
    }

    /** Each rank passes some random edges; the expected neighbours are computed from all edges. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6})
    void shouldGatherEdgesThatAnyoneGives(int ranks) {
        record Edge(int from, int to, int weight) {}
        for (long seed = 1; seed <= 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<List<Edge>> given = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                List<Edge> edges = new ArrayList<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    edges.add(new Edge(random.nextInt(ranks), random.nextInt(ranks), random.nextInt(100)));
                }
                given.add(edges);
            }
            List<Edge> all = given.stream().flatMap(List::stream).toList();
            Worlds.run(ranks, world -> {
                Communicator on = world.communicator();
                int me = on.rank();
                List<Edge> mine = given.get(me);
                int[] sources = mine.stream().mapToInt(Edge::from).toArray();
                int[] destinations = mine.stream().mapToInt(Edge::to).toArray();
                int[] degrees = mine.stream().mapToInt(edge -> 1).toArray();
                int[] weights = mine.stream().mapToInt(Edge::weight).toArray();
                DistributedGraphCommunicator graph = on.distributedGraph(sources, degrees, destinations, weights);
                List<Edge> in = all.stream().filter(edge -> edge.to() == me).toList();
                List<Edge> out = all.stream().filter(edge -> edge.from() == me).toList();
                assertArrayEquals(in.stream().mapToInt(Edge::from).toArray(), graph.sources());
                assertArrayEquals(in.stream().mapToInt(Edge::weight).toArray(), graph.sourceWeights());
                assertArrayEquals(out.stream().mapToInt(Edge::to).toArray(), graph.destinations());
                assertArrayEquals(out.stream().mapToInt(Edge::weight).toArray(), graph.destinationWeights());
                DistributedGraphCommunicator copy = graph.duplicate();
                assertTrue(copy.isWeighted());
                assertArrayEquals(graph.sources(), copy.sources());
                copy.free();
                graph.free();
                assertFalse(on.distributedGraph(sources, degrees, destinations).isWeighted());
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldKeepWhatEachRankSaysOfItsOwnEdges(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int next = Worlds.next(all);
            int previous = Worlds.previous(all);
            DistributedGraphCommunicator ring = all.adjacentGraph(new int[] {previous}, new int[] {previous},
                    new int[] {next}, new int[] {all.rank()});
            assertArrayEquals(new int[] {previous}, ring.sources());
            assertArrayEquals(new int[] {next}, ring.destinations());
            assertArrayEquals(new int[] {previous}, ring.sourceWeights());
            assertArrayEquals(new int[] {all.rank()}, ring.destinationWeights());
            assertArrayEquals(ring.sources(), ring.endpoint().collectives().neighbourhood().sources());
            DistributedGraphCommunicator bare = all.adjacentGraph(new int[] {previous}, new int[0]);
            assertFails(ErrorClass.TOPOLOGY, bare::sourceWeights, "sourceWeights", "without weights");
            assertEquals(0, bare.destinations().length);
            bare.free();
            ring.free();
        });
    }

    @Test
    void shouldNameWhatIsWrongWithEdges() {
        int[] none = {};
        int[] one = {0};
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.ARGUMENT, () -> all.adjacentGraph(null, none), "adjacentGraph", "sources is null");
            assertFails(ErrorClass.TOPOLOGY, () -> all.adjacentGraph(none, new int[] {1, 2}), "destinations[1]: 2");
            assertFails(ErrorClass.TOPOLOGY, () -> all.adjacentGraph(one, none, none, none), "sourceWeights",
                    "0 entries for 1 edges");
            assertFails(ErrorClass.ARGUMENT, () -> all.adjacentGraph(one, null, none, none), "leave the weights out");
            assertFails(ErrorClass.TOPOLOGY, () -> all.adjacentGraph(one, new int[] {-3}, none, none), "[0]: -3");
            assertFails(ErrorClass.TOPOLOGY, () -> all.distributedGraph(one, none, one), "degrees", "0 entries for 1");
            assertFails(ErrorClass.TOPOLOGY, () -> all.distributedGraph(one, new int[] {2}, one), "1 entries",
                    "the sum of degrees is 2");
            assertFails(ErrorClass.TOPOLOGY, () -> all.distributedGraph(one, new int[] {-1}, one), "degrees[0]: -1");
            assertFails(ErrorClass.TOPOLOGY, () -> {
                if (all.rank() == 0) {
                    all.distributedGraph(one, one, none);
                } else {
                    all.distributedGraph(one, one, none, none);
                }
            }, "ranks 0 and 1", "only one gives weights");
        });
    }
}
