package mpi;

import io.rankwire.CartesianCommunicator;

/** A communicator whose ranks form a grid, as mpiJava names it; the names of Open MPI work too. */
public class Cartcomm extends Intracomm {
    private final Grid grid = new Grid(on);

    Cartcomm(CartesianCommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    /** {@inheritDoc} */
    @Override
    public Cartcomm clone() {
        return dup();
    }

    /** {@inheritDoc} */
    @Override
    public Cartcomm dup() throws MPIException {
        return on.get(() -> new Cartcomm(grid.core().duplicate(), getErrhandler()));
    }

    // mpiJava

    /** As {@link #getRank(int[])}. */
    public int Rank(int[] coords) throws MPIException {
        return getRank(coords);
    }

    /** As {@link #getCoords}. */
    public int[] Coords(int rank) throws MPIException {
        return getCoords(rank);
    }

    /** As {@link #shift}. */
    public ShiftParms Shift(int direction, int disp) throws MPIException {
        return shift(direction, disp);
    }

    /** As {@link #sub}. */
    public Cartcomm Sub(boolean[] remain_dims) throws MPIException {
        return new Cartcomm(grid.sub(remain_dims), getErrhandler());
    }

    /** As {@link #map}. */
    public int Map(int[] dims, boolean[] periods) throws MPIException {
        return map(dims, periods);
    }

    /** As {@link #getTopo}. */
    public CartParms Get() throws MPIException {
        return getTopo();
    }

    /** As {@link #createDims}. */
    public static void Dims_create(int nnodes, int[] dims) throws MPIException {
        createDims(nnodes, dims);
    }

    // Open MPI

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
