package io.rankwire.sim.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Routes of fat trees and meshes against a search over a graph that is built from the definition. */
class TopologyTest {
    /** Vertices by name, and the names next to each. */
    private static final class Graph {
        private final Map<List<Integer>, Set<List<Integer>>> edges = new HashMap<>();

        void link(List<Integer> one, List<Integer> other) {
            edges.computeIfAbsent(one, each -> new HashSet<>()).add(other);
            edges.computeIfAbsent(other, each -> new HashSet<>()).add(one);
        }

        Map<List<Integer>, Integer> distances(List<Integer> from) {
            Map<List<Integer>, Integer> found = new HashMap<>(Map.of(from, 0));
            ArrayDeque<List<Integer>> line = new ArrayDeque<>(List.of(from));
            while (!line.isEmpty()) {
                List<Integer> at = line.remove();
                for (List<Integer> next : edges.get(at)) {
                    if (found.putIfAbsent(next, found.get(at) + 1) == null) {
                        line.add(next);
                    }
                }
            }
            return found;
        }
    }

    /** Walks from each node to each other: as few links as the search has found, each with one begin and one end. */
    private static void compare(Topology topology, Graph graph, List<List<Integer>> nodes) {
        Map<Integer, Integer> begins = new HashMap<>();
        for (int from = 0; from < nodes.size(); from++) {
            Map<List<Integer>, Integer> distances = graph.distances(nodes.get(from));
            for (int to = 0; to < nodes.size(); to++) {
                assertEquals(distances.get(nodes.get(to)), topology.hops(from, to), topology + ": " + from + ", " + to);
                for (int way = 0; way < 2 && from != to; way++) {
                    int hops = 0;
                    int route = topology.route(from, to, way);
                    for (int at = from; at != to; hops++) {
                        int link = topology.next(at, to, route);
                        int before = begins.merge(link, at, (old, now) -> old);
                        assertEquals(before, at, topology + ": link " + link + " begins at two vertices");
                        at = topology.end(link);
                    }
                    assertEquals(distances.get(nodes.get(to)), hops, topology + ": " + from + " to " + to);
                }
            }
        }
        Map<List<Integer>, Integer> ends = new HashMap<>();
        begins.forEach((link, begin) -> assertNull(ends.put(List.of(begin, topology.end(link)), link),
                topology + ": two links between the same vertices"));
    }

    /** A switch is (level, group, which of the group); it has a link to each group below and to as many above. */
    private static Graph fatTree(int nodes, int[] below) {
        Graph graph = new Graph();
        int wide = 1;
        int span = 1;
        for (int level = 1; level <= below.length; level++) {
            int up = below[level - 1];
            span *= up;
            for (int node = 0; node < nodes; node++) {
                int group = node / span;
                if (level == 1) {
                    graph.link(List.of(0, node, 0), List.of(1, group, 0));
                }
                for (int beside = 0; beside < wide * up; beside++) {
                    int above = level == below.length ? 0 : group / below[level];
                    graph.link(List.of(level, group, beside % wide), List.of(level + 1, above, beside));
                }
            }
            wide *= up;
        }
        return graph;
    }

    @Test
    void shouldTakeTheShortestWayThroughFatTreesOfManyLevels() {
        Rand rand = new Rand(8);
        for (int i = 0; i < 30; i++) {
            int[] below = new int[1 + rand.below(4)];
            Arrays.setAll(below, level -> 1 + rand.below(4));
            int nodes = 2 + rand.below(40);
            Graph graph = fatTree(nodes, below);
            List<List<Integer>> names = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                names.add(List.of(0, node, 0));
            }
            FatTree tree = new FatTree(nodes, below);
            compare(tree, graph, names);
            Set<List<Integer>> places = new HashSet<>();
            for (int node = 0; node < nodes; node++) {
                assertTrue(places.add(Arrays.stream(tree.coordinates(node)).boxed().toList()));
                assertEquals(below.length + 1, tree.coordinates(node).length);
            }
        }
    }

    /** Packets to all targets spread over the links up, and the second way takes other links than the first. */
    @Test
    void shouldSpreadTargetsOverTheTop() {
        FatTree tree = new FatTree(64, 4, 4);
        Set<Integer> tops = new HashSet<>();
        for (int to = 16; to < 64; to++) {
            int[] top = new int[2];
            for (int way = 0; way < 2; way++) {
                int at = 0;
                for (int hop = 0; hop < 3; hop++) {
                    at = tree.end(tree.next(at, to, way));
                }
                top[way] = at;
            }
            assertNotEquals(top[0], top[1]);
            tops.add(top[0]);
        }
        assertEquals(16, tops.size(), "switches at the top");
    }

    @Test
    void shouldTakeTheShortestWayThroughMeshes() {
        for (int[] sides : new int[][] {{4, 3, 2}, {5, 1, 1}, {1, 3, 3}, {2, 2, 2}}) {
            Torus mesh = new Torus(sides[0], sides[1], sides[2], false);
            Graph graph = new Graph();
            List<List<Integer>> names = new ArrayList<>();
            for (int node = 0; node < mesh.nodes(); node++) {
                int[] at = mesh.coordinates(node);
                assertEquals(node, mesh.at(at[0], at[1], at[2]));
                names.add(Arrays.stream(at).boxed().toList());
                for (int d = 0; d < 3; d++) {
                    int[] next = at.clone();
                    if (++next[d] < sides[d]) {
                        graph.link(names.get(node), Arrays.stream(next).boxed().toList());
                    }
                }
            }
            compare(mesh, graph, names);
        }
    }
}
