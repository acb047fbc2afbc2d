package mpi;

import io.rankwire.CartesianCommunicator;

/** A communicator whose ranks form a grid, as Open MPI names it. */
public class CartComm extends Intracomm {
    private final Grid grid = new Grid(on);

    /** Makes a null communicator. */
    CartComm() {
        this(null, MPI.ERRORS_RETURN);
    }

    CartComm(CartesianCommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    /** {@inheritDoc} */
    @Override
    public CartComm clone() {
        return dup();
    }

    /** {@inheritDoc} */
    @Override
    public CartComm dup() throws MPIException {
        return on.get(() -> new CartComm(grid.core().duplicate(), getErrhandler()));
    }

    /** {@inheritDoc} */
    @Override
    public CartComm iDup() throws MPIException {
        return (CartComm) super.iDup();
    }

    /** {@inheritDoc} */
    @Override
    public CartComm dupWithInfo(Info info) throws MPIException {
        return (CartComm) super.dupWithInfo(info);
    }

    /** Returns the extents, the periods and this rank's coordinates (MPI_Cart_get). */
    public final CartParms getTopo() throws MPIException {
        return grid.parameters();
    }

    /** Returns the rank at coordinates; periodic dimensions wrap around (MPI_Cart_rank). */
    public final int getRank(int[] coords) throws MPIException {
        return grid.rank(coords);
    }

    /** Returns the coordinates of a rank (MPI_Cart_coords). */
    public final int[] getCoords(int rank) throws MPIException {
        return grid.coordinates(rank);
    }

    /** Returns the ranks at a distance along a dimension, in both directions (MPI_Cart_shift). */
    public final ShiftParms shift(int direction, int disp) throws MPIException {
        return grid.shift(direction, disp);
    }

    /** Makes grids of fewer dimensions and returns the grid with this rank (MPI_Cart_sub). */
    public final CartComm sub(boolean[] remainDims) throws MPIException {
        return new CartComm(grid.sub(remainDims), getErrhandler());
    }

    /** Returns the rank that this process would have in a grid, or {@link MPI#UNDEFINED} (MPI_Cart_map). */
    public final int map(int[] dims, boolean[] periods) throws MPIException {
        return grid.map(dims, periods);
    }

    /** Fills in extents that are zero, as equal as possible (MPI_Dims_create). */
    public static void createDims(int nodes, int[] dims) throws MPIException {
        Grid.balance(nodes, dims);
    }
}
