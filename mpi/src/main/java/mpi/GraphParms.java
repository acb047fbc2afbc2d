package mpi;

import java.util.Arrays;

/** A graph as an array of edges, with an index of the edges of each node. */
public final class GraphParms {
    /** For each node, the number of edges of all nodes up to it. */
    public int[] index;
    /** The neighbours of all nodes, in order. */
    public int[] edges;

    /** Makes a graph without content. */
    public GraphParms() {}

    GraphParms(int[][] neighbours) {
        index = new int[neighbours.length];
        edges = new int[0];
        for (int node = 0; node < index.length; node++) {
            int before = edges.length;
            index[node] = before + neighbours[node].length;
            edges = Arrays.copyOf(edges, index[node]);
            System.arraycopy(neighbours[node], 0, edges, before, neighbours[node].length);
        }
    }

    /** Returns the neighbours of each node. */
    static int[][] neighbours(int[] index, int[] edges) {
        int[][] neighbours = new int[index.length][];
        for (int node = 0; node < index.length; node++) {
            int from = node == 0 ? 0 : index[node - 1];
            if (index[node] < from || index[node] > edges.length) {
                throw new MPIException(MPI.ERR_ARG, "argument index[" + node + "]: " + index[node]
                        + " is not between " + from + " and the " + edges.length + " edges");
            }
            neighbours[node] = Arrays.copyOfRange(edges, from, index[node]);
        }
        return neighbours;
    }

    /** Returns one number for each of others; programs may pass longer arrays. */
    static int[] forEach(int[] others, int[] numbers) {
        return others == null ? numbers : CommHandle.first(numbers, others.length);
    }

    /** Returns as many destinations as the degrees of the sources add up to. */
    static int[] destinations(int[] sources, int[] degrees, int[] destinations) {
        if (sources == null || degrees == null || destinations == null) {
            return destinations;
        }
        long edges = 0;
        for (int i = 0; i < Math.min(sources.length, degrees.length); i++) {
            edges += degrees[i];
        }
        return edges < 0 || edges > destinations.length ? destinations
                : CommHandle.first(destinations, (int) edges);
    }

    /** Returns the number of nodes. */
    public int getIndexCount() {
        return index.length;
    }

    /** Returns the number of edges of all nodes up to a node. */
    public int getIndex(int i) {
        return index[i];
    }

    /** Returns the number of edges. */
    public int getEdgeCount() {
        return edges.length;
    }

    /** Returns a neighbour. */
    public int getEdge(int i) {
        return edges[i];
    }
}
