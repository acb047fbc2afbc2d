package mpi;

/** What a grid is, and where the calling rank is in it. */
public final class CartParms {
    /** The extent of each dimension. */
    public int[] dims;
    /** Whether the last place of each dimension is next to its first. */
    public boolean[] periods;
    /** The place of the calling rank. */
    public int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    public int getDimCount() {
        return dims.length;
    }

    public int getDim(int i) {
        return dims[i];
    }

    public boolean getPeriod(int i) {
        return periods[i];
    }

    public int getCoord(int i) {
        return coords[i];
    }
}
