package mpi;

import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.GraphCommunicator;

/** The graph of a communicator, for {@link GraphComm} and {@link Graphcomm}. */
final class Graph {
    private final CommHandle on;

    Graph(CommHandle on) {
        this.on = on;
    }

    private GraphCommunicator core() {
        if (on.intra() instanceof GraphCommunicator graph) {
            return graph;
        }
        throw new MPIException(MPI.ERR_TOPOLOGY, "no rank knows all of this graph: use getDistGraphNeighbors");
    }

    GraphParms parameters() {
        return on.get(() -> {
            GraphCommunicator graph = core();
            int[][] neighbours = new int[graph.size()][];
            for (int node = 0; node < neighbours.length; node++) {
                neighbours[node] = graph.neighbours(node);
            }
            return new GraphParms(neighbours);
        });
    }

    int[] neighbours(int rank) {
        return on.get(() -> core().neighbours(rank));
    }

    DistGraphNeighbors distributed() {
        return on.get(() -> {
            if (on.intra() instanceof DistributedGraphCommunicator graph) {
                return new DistGraphNeighbors(graph);
            }
            throw new MPIException(MPI.ERR_TOPOLOGY, "all ranks know this graph: use getNeighbors");
        });
    }

    int map(int[] index, int[] edges) {
        return on.get(() -> on.place(GraphParms.neighbours(index, edges).length));
    }
}
