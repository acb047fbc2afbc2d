package mpi;

/** A grid, with the coordinates of the calling rank. */
public final class CartParms {
    /** The extent of each dimension. */
    public int[] dims;
    /** Whether each dimension is periodic. */
    public boolean[] periods;
    /** The coordinates of the calling rank. */
    public int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    /** Returns the number of dimensions. */
    public int getDimCount() {
        return dims.length;
    }

    /** Returns the extent of a dimension. */
    public int getDim(int i) {
        return dims[i];
    }

    /** Returns whether a dimension is periodic. */
    public boolean getPeriod(int i) {
        return periods[i];
    }

    /** Returns the calling rank's coordinate in a dimension. */
    public int getCoord(int i) {
        return coords[i];
    }
}
