package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/** The whole graph of a graph topology, the same on every rank. The facade of graph communicators creates it. */
public final class Graph {
    private final int[][] neighbours;

    private Graph(int[][] neighbours) {
        this.neighbours = neighbours;
    }

    /** Creates the graph; all ranks call it and must give the same one. */
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
            System.arraycopy(Agreement.toLongs(graph[node]), 0, row, at + 1, graph[node].length);
        }
        Agreement.checkSame(all, "graph", "graph: argument neighbours", "give different graphs", row);
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

    /** Returns the neighbours of a node. */
    public int[] neighbours(int of) {
        return neighbours[of].clone();
    }

    /** Returns the number of edges of all nodes. */
    public int edges() {
        int edges = 0;
        for (int[] row : neighbours) {
            edges += row.length;
        }
        return edges;
    }

    /** Returns the ranks that collectives of neighbours receive from and send to. */
    public Neighbourhood neighbourhood(int rank) {
        return new Neighbourhood(neighbours[rank], neighbours[rank]);
    }

    /**
     * Throws unless every two nodes have as many edges in one direction as in the other. Collectives of neighbours need
     * that, because a rank receives from the nodes that it has edges to.
     */
    public void checkNeighbours(Endpoint on) {
        long[] edges = new long[edges()];
        long[] back = new long[edges.length];
        int next = 0;
        for (int node = 0; node < neighbours.length; node++) {
            for (int neighbour : neighbours[node]) {
                edges[next] = (long) node << 32 | neighbour;
                back[next++] = (long) neighbour << 32 | node;
            }
        }
        Arrays.sort(edges);
        Arrays.sort(back);
        int differ = Arrays.mismatch(edges, back);
        if (differ >= 0) {
            long edge = Math.min(edges[differ], back[differ]);
            throw on.error(ErrorClass.TOPOLOGY, "neighbours: nodes " + (edge >> 32) + " and " + (int) edge
                    + " of the graph do not have as many edges to each other as back");
        }
    }
}
