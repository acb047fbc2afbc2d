package mpi;

import java.util.Arrays;

/** A graph: the edges of all nodes, and for each node where those of the next begin. */
public final class GraphParms {
    public int[] index;
    public int[] edges;

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

    /** The neighbours of each node. */
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

    public int getIndexCount() {
        return index.length;
    }

    public int getIndex(int i) {
        return index[i];
    }

    public int getEdgeCount() {
        return edges.length;
    }

    public int getEdge(int i) {
        return edges[i];
    }
}
