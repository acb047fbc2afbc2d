package mpi;

import io.rankwire.Communicator;
import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.GraphCommunicator;

/** A communicator whose ranks are the nodes of a graph, as Open MPI names it; all ranks know it, or none knows all. */
public class GraphComm extends Intracomm {
    /** One that is null. */
    GraphComm() {}

    GraphComm(Communicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    private GraphCommunicator graph() {
        if (intra() instanceof GraphCommunicator graph) {
            return graph;
        }
        throw new MPIException(MPI.ERR_TOPOLOGY, "no rank knows all of this graph: use getDistGraphNeighbors");
    }

    @Override
    public GraphComm clone() {
        return dup();
    }

    @Override
    public GraphComm dup() throws MPIException {
        try {
            return new GraphComm(intra().duplicate(), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    @Override
    public GraphComm iDup() throws MPIException {
        return (GraphComm) super.iDup();
    }

    @Override
    public GraphComm dupWithInfo(Info info) throws MPIException {
        return (GraphComm) super.dupWithInfo(info);
    }

    public final GraphParms getDims() throws MPIException {
        try {
            GraphCommunicator graph = graph();
            int[][] neighbours = new int[graph.size()][];
            for (int node = 0; node < neighbours.length; node++) {
                neighbours[node] = graph.neighbours(node);
            }
            return new GraphParms(neighbours);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final int[] getNeighbors(int rank) throws MPIException {
        try {
            return graph().neighbours(rank);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
        try {
            if (intra() instanceof DistributedGraphCommunicator graph) {
                return new DistGraphNeighbors(graph);
            }
            throw new MPIException(MPI.ERR_TOPOLOGY, "all ranks know this graph: use getNeighbors");
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** The rank that this one would have in such a graph, or {@link MPI#UNDEFINED}: ranks stay in order. */
    public final int map(int[] index, int[] edges) throws MPIException {
        try {
            return place(GraphParms.neighbours(index, edges).length);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
