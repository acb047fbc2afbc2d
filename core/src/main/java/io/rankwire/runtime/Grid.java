package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/** Places on a grid and their ranks: the last coordinate counts fastest. */
public final class Grid {
    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    /** Dimensions of one or more, whose product is an {@code int}. */
    public Grid(int[] dims, boolean[] periods) {
        this.dims = dims.clone();
        this.periods = periods.clone();
        this.size = (int) product(dims);
    }

    /** The grid that all ranks of a communicator give in the same way. */
    public static Grid agreed(Endpoint all, int[] dims, boolean[] periods) {
        all.checkUsable();
        check(all, dims, periods);
        Grid grid = new Grid(dims, periods);
        long[] row = Arrays.copyOf(Agreement.words(dims), 2 * dims.length);
        for (int d = 0; d < dims.length; d++) {
            row[dims.length + d] = periods[d] ? 1 : 0;
        }
        int stranger = Agreement.of(all, Contexts.TOPOLOGY, "cartesian").stranger(row);
        if (stranger >= 0) {
            throw all.error(ErrorClass.TOPOLOGY, "cartesian: ranks 0 and " + stranger
                    + " give different dims or periods; here: " + grid);
        }
        return grid;
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

    /** The product, or more than any {@code int} if it is no {@code int}. */
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

    /** Dimension, coordinate and extent of the first coordinate that is off the grid, or null. */
    public int[] offGrid(int[] coordinates) {
        for (int d = 0; d < dims.length; d++) {
            if (!periods[d] && (coordinates[d] < 0 || coordinates[d] >= dims[d])) {
                return new int[] {d, coordinates[d], dims[d]};
            }
        }
        return null;
    }

    /** Coordinates that are on the grid, or beyond it where it is periodic. */
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

    /** The rank so many steps away along a dimension, or {@link Endpoint#NONE} beyond an open border. */
    public int neighbour(int rank, int dimension, long steps) {
        int[] coordinates = coordinates(rank);
        long place = coordinates[dimension] + steps;
        if (!periods[dimension] && (place < 0 || place >= dims[dimension])) {
            return Endpoint.NONE;
        }
        coordinates[dimension] = (int) Math.floorMod(place, (long) dims[dimension]);
        return rank(coordinates);
    }

    /** The grid of some of the dimensions. */
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

    /** The ranks of the part that a rank is in when the grid is cut along the dimensions that are not kept. */
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
        int stranger = Agreement.of(all, Contexts.TOPOLOGY, "sub").stranger(row);
        if (stranger >= 0) {
            throw all.error(ErrorClass.TOPOLOGY, "sub: ranks 0 and " + stranger + " keep different dimensions; here: "
                    + Arrays.toString(keep));
        }
        int slice = place(all.rank(), keep, false);
        int[] part = new int[sub(keep).size()];
        for (int other = 0; other < size; other++) {
            if (place(other, keep, false) == slice) {
                part[place(other, keep, true)] = other;
            }
        }
        return part;
    }

    /** For each dimension the rank before and the rank behind; what comes from one was sent towards the other. */
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

    /** A number for the place of a rank along the dimensions that {@link #sub} drops, or along those it keeps. */
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
