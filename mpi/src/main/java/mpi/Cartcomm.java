package mpi;

import io.rankwire.CartesianCommunicator;

/** A communicator whose ranks form a grid, as mpiJava names it. */
public class Cartcomm extends CartComm {
    Cartcomm(CartesianCommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    @Override
    public Cartcomm clone() {
        return dup();
    }

    @Override
    public Cartcomm dup() throws MPIException {
        try {
            return new Cartcomm(grid().duplicate(), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public int Rank(int[] coords) throws MPIException {
        return getRank(coords);
    }

    public int[] Coords(int rank) throws MPIException {
        return getCoords(rank);
    }

    public ShiftParms Shift(int direction, int disp) throws MPIException {
        return shift(direction, disp);
    }

    public Cartcomm Sub(boolean[] remain_dims) throws MPIException {
        try {
            return new Cartcomm(grid().sub(kept(remain_dims)), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public int Map(int[] dims, boolean[] periods) throws MPIException {
        return map(dims, periods);
    }

    public CartParms Get() throws MPIException {
        return getTopo();
    }

    public static void Dims_create(int nnodes, int[] dims) throws MPIException {
        createDims(nnodes, dims);
    }
}
