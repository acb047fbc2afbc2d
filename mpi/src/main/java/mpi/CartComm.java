package mpi;

import io.rankwire.CartesianCommunicator;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.Arrays;

/** A communicator whose ranks form a grid, as Open MPI names it. */
public class CartComm extends Intracomm {
    /** One that is null. */
    CartComm() {}

    CartComm(CartesianCommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    final CartesianCommunicator grid() {
        return (CartesianCommunicator) intra();
    }

    @Override
    public CartComm clone() {
        return dup();
    }

    @Override
    public CartComm dup() throws MPIException {
        try {
            return new CartComm(grid().duplicate(), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    @Override
    public CartComm iDup() throws MPIException {
        return (CartComm) super.iDup();
    }

    @Override
    public CartComm dupWithInfo(Info info) throws MPIException {
        return (CartComm) super.dupWithInfo(info);
    }

    public final CartParms getTopo() throws MPIException {
        try {
            CartesianCommunicator grid = grid();
            return new CartParms(grid.dims(), grid.periods(), grid.coordinates());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** The rank at a place; places beyond the edge of a periodic dimension are counted on from its begin. */
    public final int getRank(int[] coords) throws MPIException {
        try {
            return grid().rankAt(first(coords, grid().dims().length));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final int[] getCoords(int rank) throws MPIException {
        try {
            return grid().coordinates(rank);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Who is so many steps away along a dimension, in both directions. */
    public final ShiftParms shift(int direction, int disp) throws MPIException {
        try {
            CartesianCommunicator.Shift shift = grid().shift(direction, disp);
            return new ShiftParms(shift.source(), shift.dest());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** The lower grid this rank is in, of those that are left when some dimensions are kept. */
    public final CartComm sub(boolean[] remainDims) throws MPIException {
        try {
            return new CartComm(grid().sub(kept(remainDims)), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** For each dimension whether it is kept; programs may give more. */
    final boolean[] kept(boolean[] remain) {
        int dims = grid().dims().length;
        return remain == null || remain.length <= dims ? remain : Arrays.copyOf(remain, dims);
    }

    /** The rank that this one would have in such a grid, or {@link MPI#UNDEFINED}: ranks stay in order. */
    public final int map(int[] dims, boolean[] periods) throws MPIException {
        try {
            long places = 1;
            for (int extent : dims) {
                if (extent < 1) {
                    throw new MPIException(MPI.ERR_DIMS, "map: argument dims: " + extent + " is below one");
                }
                places = Math.min(places * extent, Integer.MAX_VALUE);
            }
            return place(places);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Fills in the extents that are zero, as equal as can be. */
    public static void createDims(int nodes, int[] dims) throws MPIException {
        try {
            System.arraycopy(CartesianCommunicator.balanced(nodes, dims), 0, dims, 0, dims.length);
        } catch (RankwireException e) {
            throw MPI.failed(MPIException.of(e, ErrorClass.TOPOLOGY, MPI.ERR_DIMS));
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }
}
