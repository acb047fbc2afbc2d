package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/** A graph that every rank knows. */
public final class Graph {
    private final int[][] neighbours;

    private Graph(int[][] neighbours) {
        this.neighbours = neighbours;
    }

    /** The graph that all ranks of a communicator give in the same way. */
    public static Graph agreed(Endpoint all, int[][] neighbours) {
        all.checkUsable();
        check(all, neighbours);
        int nodes = neighbours.length;
        int[][] graph = new int[nodes][];
        long[] row = {nodes};
        for (int node = 0; node < nodes; node++) {
            graph[node] = neighbours[node].clone();
            int at = row.length;
            row = Arrays.copyOf(row, at + 1 + graph[node].length);
            row[at] = graph[node].length;
            System.arraycopy(Agreement.words(graph[node]), 0, row, at + 1, graph[node].length);
        }
        int stranger = Agreement.of(all, Contexts.TOPOLOGY, "graph").stranger(row);
        if (stranger >= 0) {
            throw all.error(ErrorClass.TOPOLOGY, "graph: argument neighbours: ranks 0 and " + stranger
                    + " give different graphs");
        }
        return new Graph(graph);
    }

    private static void check(Endpoint all, int[][] neighbours) {
        if (neighbours == null) {
            throw all.error(ErrorClass.ARGUMENT, "graph: argument neighbours is null");
        }
        if (neighbours.length > all.size()) {
            throw all.error(ErrorClass.TOPOLOGY, "graph: argument neighbours: " + neighbours.length
                    + " nodes are more than the " + all.size() + " ranks of " + all.name());
        }
        for (int node = 0; node < neighbours.length; node++) {
            if (neighbours[node] == null) {
                throw all.error(ErrorClass.TOPOLOGY, "graph: argument neighbours[" + node + "] is null");
            }
            for (int neighbour : neighbours[node]) {
                if (neighbour < 0 || neighbour >= neighbours.length) {
                    throw all.error(ErrorClass.TOPOLOGY, "graph: argument neighbours[" + node + "]: " + neighbour
                            + " is not a node of a graph of " + neighbours.length);
                }
            }
        }
    }

    public int nodes() {
        return neighbours.length;
    }

    public int[] neighbours(int of) {
        return neighbours[of].clone();
    }

    /** How many edges all nodes have together. */
    public int edges() {
        int edges = 0;
        for (int[] row : neighbours) {
            edges += row.length;
        }
        return edges;
    }

    public Neighbourhood neighbourhood(int rank) {
        return new Neighbourhood(neighbours[rank], neighbours[rank]);
    }

    /** Throws unless edges lead to both sides, as often there as back: then each rank knows what comes. */
    public void checkNeighbours(Endpoint on) {
        long[] there = new long[edges()];
        long[] back = new long[there.length];
        int next = 0;
        for (int node = 0; node < neighbours.length; node++) {
            for (int neighbour : neighbours[node]) {
                there[next] = (long) node << 32 | neighbour;
                back[next++] = (long) neighbour << 32 | node;
            }
        }
        Arrays.sort(there);
        Arrays.sort(back);
        int differ = Arrays.mismatch(there, back);
        if (differ >= 0) {
            long edge = Math.min(there[differ], back[differ]);
            throw on.error(ErrorClass.TOPOLOGY, "neighbours: nodes " + (edge >> 32) + " and " + (int) edge
                    + " of the graph do not have as many edges to each other as back");
        }
    }
}
