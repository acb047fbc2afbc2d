package mpi;

import io.rankwire.Communicator;

/** A communicator whose ranks are the nodes of a graph, as mpiJava names it. */
public class Graphcomm extends GraphComm {
    Graphcomm(Communicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    @Override
    public Graphcomm clone() {
        return dup();
    }

    @Override
    public Graphcomm dup() throws MPIException {
        try {
            return new Graphcomm(intra().duplicate(), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public GraphParms Get() throws MPIException {
        return getDims();
    }

    public int[] Neighbours(int rank) throws MPIException {
        return getNeighbors(rank);
    }

    public int Map(int[] index, int[] edges) throws MPIException {
        return map(index, edges);
    }
}
