package io.rankwire;

import java.util.Arrays;

/** Places on a grid and their ranks: the last coordinate counts fastest. */
final class Grid {
    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    /** Dimensions of one or more, whose product is an {@code int}. */
    Grid(int[] dims, boolean[] periods) {
        this.dims = dims.clone();
        this.periods = periods.clone();
        this.size = (int) product(dims);
    }

    /** The product, or more than any {@code int} if it is no {@code int}. */
    static long product(int[] dims) {
        long product = 1;
        for (int dim : dims) {
            product = Math.min(product * dim, 1L << 31);
        }
        return product;
    }

    int size() {
        return size;
    }

    int dimensions() {
        return dims.length;
    }

    int[] dims() {
        return dims.clone();
    }

    boolean[] periods() {
        return periods.clone();
    }

    /** Dimension, coordinate and extent of the first coordinate that is off the grid, or null. */
    int[] offGrid(int[] coordinates) {
        for (int d = 0; d < dims.length; d++) {
            if (!periods[d] && (coordinates[d] < 0 || coordinates[d] >= dims[d])) {
                return new int[] {d, coordinates[d], dims[d]};
            }
        }
        return null;
    }

    /** Coordinates that are on the grid, or beyond it where it is periodic. */
    int rank(int[] coordinates) {
        int rank = 0;
        for (int d = 0; d < dims.length; d++) {
            rank = rank * dims[d] + Math.floorMod(coordinates[d], dims[d]);
        }
        return rank;
    }

    int[] coordinates(int rank) {
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int d = dims.length - 1; d >= 0; d--) {
            coordinates[d] = rest % dims[d];
            rest /= dims[d];
        }
        return coordinates;
    }

    /** The rank so many steps away along a dimension, or {@link Communicator#NONE} beyond an open border. */
    int neighbour(int rank, int dimension, long steps) {
        int[] coordinates = coordinates(rank);
        long place = coordinates[dimension] + steps;
        if (!periods[dimension] && (place < 0 || place >= dims[dimension])) {
            return Communicator.NONE;
        }
        coordinates[dimension] = (int) Math.floorMod(place, (long) dims[dimension]);
        return rank(coordinates);
    }

    /** The grid of some of the dimensions. */
    Grid sub(boolean[] keep) {
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

    /** A number for the place of a rank along the dimensions that {@link #sub} drops, or along those it keeps. */
    int place(int rank, boolean[] keep, boolean kept) {
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
