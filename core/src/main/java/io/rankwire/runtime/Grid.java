package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/**
 * Maps ranks to coordinates on a grid and back; the last coordinate varies fastest. The facade of Cartesian
 * communicators creates it.
 */
public final class Grid {
    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    /** Takes dimensions of at least one, whose product is an {@code int}. */
    public Grid(int[] dims, boolean[] periods) {
        this.dims = dims.clone();
        this.periods = periods.clone();
        this.size = (int) product(dims);
    }

    /** Creates the grid; all ranks call it and must give the same one. */
    public static Grid agreed(Endpoint all, int[] dims, boolean[] periods, boolean reorder) {
        all.checkUsable();
        check(all, dims, periods);
        Grid grid = new Grid(dims, periods);
        long[] row = Arrays.copyOf(Agreement.toLongs(dims), 2 * dims.length);
        for (int d = 0; d < dims.length; d++) {
            row[dims.length + d] = (periods[d] ? 1 : 0) + (reorder ? 2 : 0);
        }
        Agreement.checkSame(all, "cartesian", "cartesian", "give different dims, periods or reorder; here: " + grid
                + (reorder ? ", reordered" : ""), row);
        return grid;
    }

    /**
     * Returns the ranks of a communicator by their places in the grid, such that neighbours are near each other in the
     * machine.
     */
    public int[] placed(Endpoint all) {
        RankSet group = all.group();
        Session session = all.session();
        return Placement.of(this, rank -> session.coordinates(group.worldRank(rank)),
                (a, b) -> session.hops(group.worldRank(a), group.worldRank(b)));
    }

    /** Creates the grid without the other ranks, for a call that asks what it would be. */
    public static Grid local(Endpoint all, int[] dims, boolean[] periods) {
        check(all, dims, periods);
        return new Grid(dims, periods);
    }

    private static void check(Endpoint all, int[] dims, boolean[] periods) {
        if (dims == null || periods == null) {
            throw all.error(ErrorClass.ARGUMENT, "cartesian: argument " + (dims == null ? "dims" : "periods")
                    + " is null");
        }
        if (dims.length != periods.length) {
            throw all.error(ErrorClass.TOPOLOGY, "cartesian: argument periods: has " + periods.length + " entries for "
                    + dims.length + " dimensions");
        }
        for (int d = 0; d < dims.length; d++) {
            if (dims[d] < 1) {
                throw all.error(ErrorClass.TOPOLOGY, "cartesian: argument dims[" + d + "]: " + dims[d]
                        + " is below one");
            }
        }
        if (product(dims) > all.size()) {
            throw all.error(ErrorClass.TOPOLOGY, "cartesian: argument dims: " + Arrays.toString(dims)
                    + " needs more than the " + all.size() + " ranks of " + all.name());
        }
    }

    /** Returns the product, or 2<sup>31</sup> if it is larger than any {@code int}. */
    public static long product(int[] dims) {
        long product = 1;
        for (int dim : dims) {
            product = Math.min(product * dim, 1L << 31);
        }
        return product;
    }

    public int size() {
        return size;
    }

    public int dimensions() {
        return dims.length;
    }

    public int[] dims() {
        return dims.clone();
    }

    public boolean[] periods() {
        return periods.clone();
    }

    /** Returns dimension, coordinate and extent of the first coordinate that is not on the grid, or null. */
    public int[] offGrid(int[] coordinates) {
        for (int d = 0; d < dims.length; d++) {
            if (!periods[d] && (coordinates[d] < 0 || coordinates[d] >= dims[d])) {
                return new int[] {d, coordinates[d], dims[d]};
            }
        }
        return null;
    }

    /** Returns the rank at coordinates that are on the grid, or beyond it in a periodic dimension. */
    public int rank(int[] coordinates) {
        int rank = 0;
        for (int d = 0; d < dims.length; d++) {
            rank = rank * dims[d] + Math.floorMod(coordinates[d], dims[d]);
        }
        return rank;
    }

    public int[] coordinates(int rank) {
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int d = dims.length - 1; d >= 0; d--) {
            coordinates[d] = rest % dims[d];
            rest /= dims[d];
        }
        return coordinates;
    }

    /** Returns the rank some steps away along a dimension, or {@link Endpoint#NONE} beyond an open border. */
    public int neighbour(int rank, int dimension, long steps) {
        int[] coordinates = coordinates(rank);
        long place = coordinates[dimension] + steps;
        if (!periods[dimension] && (place < 0 || place >= dims[dimension])) {
            return Endpoint.NONE;
        }
        coordinates[dimension] = (int) Math.floorMod(place, (long) dims[dimension]);
        return rank(coordinates);
    }

    /** Returns the grid of the dimensions to keep. */
    public Grid sub(boolean[] keep) {
        int[] kept = new int[dims.length];
        boolean[] keptPeriods = new boolean[dims.length];
        int count = 0;
        for (int d = 0; d < dims.length; d++) {
            if (keep[d]) {
                kept[count] = dims[d];
                keptPeriods[count++] = periods[d];
            }
        }
        return new Grid(Arrays.copyOf(kept, count), Arrays.copyOf(keptPeriods, count));
    }

    /** Returns the ranks whose coordinates in the dropped dimensions are those of this rank; all ranks call it. */
    public int[] slice(Endpoint all, boolean[] keep) {
        all.checkUsable();
        if (keep == null || keep.length != dims.length) {
            throw all.error(ErrorClass.TOPOLOGY, "sub: argument keep: " + Arrays.toString(keep)
                    + " does not say which of " + dims.length + " dimensions to keep");
        }
        long[] row = new long[keep.length];
        for (int d = 0; d < keep.length; d++) {
            row[d] = keep[d] ? 1 : 0;
        }
        Agreement.checkSame(all, "sub", "sub", "keep different dimensions; here: " + Arrays.toString(keep), row);
        int slice = place(all.rank(), keep, false);
        int[] part = new int[sub(keep).size()];
        for (int other = 0; other < size; other++) {
            if (place(other, keep, false) == slice) {
                part[place(other, keep, true)] = other;
            }
        }
        return part;
    }

    /**
     * Returns for each dimension the rank before and the rank behind. A part that arrives from one of them was sent
     * towards the other.
     */
    public Neighbourhood neighbourhood(int rank) {
        int[] both = new int[2 * dims.length];
        int[] arrivals = new int[both.length];
        for (int d = 0; d < dims.length; d++) {
            both[2 * d] = neighbour(rank, d, -1);
            both[2 * d + 1] = neighbour(rank, d, 1);
            arrivals[2 * d] = 2 * d + 1;
            arrivals[2 * d + 1] = 2 * d;
        }
        return new Neighbourhood(both, both, arrivals);
    }

    /** Returns the number of a rank's place along the dimensions that {@link #sub} keeps, or along the others. */
    public int place(int rank, boolean[] keep, boolean kept) {
        int[] coordinates = coordinates(rank);
        int place = 0;
        for (int d = 0; d < dims.length; d++) {
            if (keep[d] == kept) {
                place = place * dims[d] + coordinates[d];
            }
        }
        return place;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("grid");
        for (int d = 0; d < dims.length; d++) {
            text.append(d == 0 ? " " : " × ").append(dims[d]).append(periods[d] ? " (periodic)" : "");
        }
        return text.toString();
    }
}
