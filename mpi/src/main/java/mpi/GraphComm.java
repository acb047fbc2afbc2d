package mpi;

import io.rankwire.Communicator;

/** A communicator whose ranks are the nodes of a graph, distributed or not, as Open MPI names it. */
public class GraphComm extends Intracomm {
    private final Graph graph = new Graph(on);

    /** Makes a null communicator. */
    GraphComm() {
        this(null, MPI.ERRORS_RETURN);
    }

    GraphComm(Communicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    /** {@inheritDoc} */
    @Override
    public GraphComm clone() {
        return dup();
    }

    /** {@inheritDoc} */
    @Override
    public GraphComm dup() throws MPIException {
        return on.get(() -> new GraphComm(on.intra().duplicate(), getErrhandler()));
    }

    /** {@inheritDoc} */
    @Override
    public GraphComm iDup() throws MPIException {
        return (GraphComm) super.iDup();
    }

    /** {@inheritDoc} */
    @Override
    public GraphComm dupWithInfo(Info info) throws MPIException {
        return (GraphComm) super.dupWithInfo(info);
    }

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
