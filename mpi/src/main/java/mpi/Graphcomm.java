package mpi;

import io.rankwire.Communicator;

/** A communicator whose ranks are the nodes of a graph, as mpiJava names it; the names of Open MPI work too. */
public class Graphcomm extends Intracomm {
    private final Graph graph = new Graph(on);

    Graphcomm(Communicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    /** {@inheritDoc} */
    @Override
    public Graphcomm clone() {
        return dup();
    }

    /** {@inheritDoc} */
    @Override
    public Graphcomm dup() throws MPIException {
        return on.get(() -> new Graphcomm(on.intra().duplicate(), getErrhandler()));
    }

    // mpiJava

    /** As {@link #getDims}. */
    public GraphParms Get() throws MPIException {
        return getDims();
    }

    /** As {@link #getNeighbors}. */
    public int[] Neighbours(int rank) throws MPIException {
        return getNeighbors(rank);
    }

    /** As {@link #map}. */
    public int Map(int[] index, int[] edges) throws MPIException {
        return map(index, edges);
    }

    // Open MPI

    /** Returns the graph (MPI_Graph_get). */
    public final GraphParms getDims() throws MPIException {
        return graph.parameters();
    }

    /** Returns the neighbours of a rank (MPI_Graph_neighbors). */
    public final int[] getNeighbors(int rank) throws MPIException {
        return graph.neighbours(rank);
    }

    /** Returns the edges of this rank in a distributed graph (MPI_Dist_graph_neighbors). */
    public final DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
        return graph.distributed();
    }

    /** Returns the rank that this process would have in a graph, or {@link MPI#UNDEFINED} (MPI_Graph_map). */
    public final int map(int[] index, int[] edges) throws MPIException {
        return graph.map(index, edges);
    }
}
