package io.rankwire;

import java.util.Arrays;
import java.util.Optional;

/** A communicator whose ranks are the nodes of a graph that every rank knows, made by {@link Communicator#graph}. */
public final class GraphCommunicator extends TopologyCommunicator {
    private final int[][] neighbours;

    private GraphCommunicator(World world, Group group, int context, String name, int[][] neighbours) {
        super(world, group, context, name);
        this.neighbours = neighbours;
    }

    static Optional<GraphCommunicator> create(Communicator all, int[][] neighbours) {
        String call = "graph";
        checkGraph(all, neighbours);
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
        int stranger = Agreement.of(all, Contexts.TOPOLOGY, call).stranger(row);
        if (stranger >= 0) {
            throw all.error(ErrorClass.TOPOLOGY, "graph: argument neighbours: ranks 0 and " + stranger
                    + " give different graphs");
        }
        if (all.rank() >= nodes) {
            return Optional.empty();
        }
        Group part = all.group().includeRanges(new Group.Range(0, nodes - 1, 1));
        return Optional.of(all.made(all.world().contexts().make(all, part, Contexts.CONTEXT, call, context ->
                new GraphCommunicator(all.world(), part, context, all.name() + ".graph", graph))));
    }

    private static void checkGraph(Communicator all, int[][] neighbours) {
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

    /** The neighbours of this rank. */
    public int[] neighbours() {
        return neighbours[rank()].clone();
    }

    /** The neighbours of any rank. */
    public int[] neighbours(int of) {
        if (of < 0 || of >= size()) {
            throw error(ErrorClass.RANK, "neighbours: argument of: " + of + " is not a rank of " + name()
                    + ", which has " + size());
        }
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

    @Override
    public GraphCommunicator duplicate() {
        return (GraphCommunicator) super.duplicate();
    }

    @Override
    public GraphCommunicator duplicateWithoutAttributes() {
        return (GraphCommunicator) super.duplicateWithoutAttributes();
    }

    @Override
    GraphCommunicator like(int context) {
        return new GraphCommunicator(world(), group(), context, name() + ".duplicate", neighbours);
    }

    @Override
    Neighbourhood neighbourhood() {
        return new Neighbourhood(neighbours[rank()], neighbours[rank()]);
    }

    /** Edges lead to both sides, as often there as back: then each rank knows what comes. */
    @Override
    void checkNeighbours() {
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
            throw error(ErrorClass.TOPOLOGY, "neighbours: nodes " + (edge >> 32) + " and " + (int) edge
                    + " of the graph do not have as many edges to each other as back");
        }
    }
}
