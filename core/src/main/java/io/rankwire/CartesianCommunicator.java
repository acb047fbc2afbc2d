package io.rankwire;

import java.util.Arrays;
import java.util.Optional;

/** A communicator whose ranks form a grid, made by {@link Communicator#cartesian}. */
public final class CartesianCommunicator extends TopologyCommunicator {
    /**
     * Whom to exchange with for a shift along one dimension; {@link Communicator#NONE} beyond an open border, so that
     * both can be given to {@code sendReceive} as they are.
     *
     * @param source the rank whose data come here
     * @param dest the rank that data of this rank go to
     */
    public record Shift(int source, int dest) {}

    private final Grid grid;

    private CartesianCommunicator(World world, Group group, int context, String name, Grid grid) {
        super(world, group, context, name);
        this.grid = grid;
    }

    /**
     * Extents for a grid of so many nodes, as equal as can be and largest first: {@code balanced(12, 0, 0)} is 4 and 3.
     *
     * @param dims the extents that are fixed; zeros stand for those to be found
     */
    public static int[] balanced(int nodes, int... dims) {
        if (nodes < 1) {
            throw new RankwireException(ErrorClass.COUNT, "balanced: argument nodes: " + nodes + " is below one"
                    + CallSite.find());
        }
        if (dims == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "balanced: argument dims is null" + CallSite.find());
        }
        int open = 0;
        long fixed = 1;
        for (int d = 0; d < dims.length; d++) {
            if (dims[d] < 0) {
                throw new RankwireException(ErrorClass.TOPOLOGY, "balanced: argument dims[" + d + "]: " + dims[d]
                        + " is below zero" + CallSite.find());
            }
            open += dims[d] == 0 ? 1 : 0;
            fixed = Math.min(fixed * Math.max(dims[d], 1), 1L << 31);
        }
        if (nodes % fixed != 0 || open == 0 && fixed != nodes) {
            throw new RankwireException(ErrorClass.TOPOLOGY, "balanced: argument dims: " + Arrays.toString(dims)
                    + " cannot be filled up to " + nodes + " nodes" + CallSite.find());
        }
        int[] found = GridDimensions.factors((int) (nodes / fixed), open);
        int[] result = dims.clone();
        int next = 0;
        for (int d = 0; d < result.length; d++) {
            if (result[d] == 0) {
                result[d] = found[next++];
            }
        }
        return result;
    }

    static Optional<CartesianCommunicator> create(Communicator all, int[] dims, boolean[] periods) {
        String call = "cartesian";
        checkGrid(all, dims, periods);
        Grid grid = new Grid(dims, periods);
        long[] row = Arrays.copyOf(Agreement.words(dims), 2 * dims.length);
        for (int d = 0; d < dims.length; d++) {
            row[dims.length + d] = periods[d] ? 1 : 0;
        }
        int stranger = Agreement.of(all, Contexts.TOPOLOGY, call).stranger(row);
        if (stranger >= 0) {
            throw all.error(ErrorClass.TOPOLOGY, "cartesian: ranks 0 and " + stranger
                    + " give different dims or periods; here: " + grid);
        }
        if (all.rank() >= grid.size()) {
            return Optional.empty();
        }
        Group part = all.group().includeRanges(new Group.Range(0, grid.size() - 1, 1));
        return Optional.of(all.made(all.world().contexts().make(all, part, Contexts.CONTEXT, call, context ->
                new CartesianCommunicator(all.world(), part, context, all.name() + ".cartesian", grid))));
    }

    private static void checkGrid(Communicator all, int[] dims, boolean[] periods) {
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
        if (Grid.product(dims) > all.size()) {
            throw all.error(ErrorClass.TOPOLOGY, "cartesian: argument dims: " + Arrays.toString(dims)
                    + " needs more than the " + all.size() + " ranks of " + all.name());
        }
    }

    /** The extent of each dimension. */
    public int[] dims() {
        return grid.dims();
    }

    /** For each dimension, whether its last place is next to its first. */
    public boolean[] periods() {
        return grid.periods();
    }

    /** Where this rank is. */
    public int[] coordinates() {
        return grid.coordinates(rank());
    }

    /** Where a rank is. */
    public int[] coordinates(int of) {
        if (of < 0 || of >= size()) {
            throw error(ErrorClass.RANK, "coordinates: argument of: " + of + " is not a rank of " + name()
                    + ", which has " + size());
        }
        return grid.coordinates(of);
    }

    /** The rank at a place; coordinates beyond the grid are wrapped where it is periodic, and an error elsewhere. */
    public int rankAt(int... coordinates) {
        if (coordinates == null || coordinates.length != grid.dimensions()) {
            throw error(ErrorClass.TOPOLOGY, "rankAt: argument coordinates: " + Arrays.toString(coordinates)
                    + " is not a place of a " + grid);
        }
        int[] off = grid.offGrid(coordinates);
        if (off != null) {
            throw error(ErrorClass.TOPOLOGY, "rankAt: argument coordinates[" + off[0] + "]: " + off[1]
                    + " is not from 0 to " + (off[2] - 1) + ", and that dimension is not periodic");
        }
        return grid.rank(coordinates);
    }

    /** Whom to exchange with so that all data move by so many steps along a dimension, or back if below zero. */
    public Shift shift(int dimension, int steps) {
        if (dimension < 0 || dimension >= grid.dimensions()) {
            throw error(ErrorClass.TOPOLOGY, "shift: argument dimension: " + dimension + " is not one of the "
                    + grid.dimensions() + " of a " + grid);
        }
        return new Shift(grid.neighbour(rank(), dimension, -(long) steps), grid.neighbour(rank(), dimension, steps));
    }

    /**
     * The part of the grid that this rank is in when cut along the dimensions that are not kept. All ranks call it,
     * with the same argument.
     */
    public CartesianCommunicator sub(boolean... keep) {
        checkUsable();
        if (keep == null || keep.length != grid.dimensions()) {
            throw error(ErrorClass.TOPOLOGY, "sub: argument keep: " + Arrays.toString(keep) + " does not say which of "
                    + grid.dimensions() + " dimensions to keep");
        }
        long[] row = new long[keep.length];
        for (int d = 0; d < keep.length; d++) {
            row[d] = keep[d] ? 1 : 0;
        }
        int stranger = Agreement.of(this, Contexts.TOPOLOGY, "sub").stranger(row);
        if (stranger >= 0) {
            throw error(ErrorClass.TOPOLOGY, "sub: ranks 0 and " + stranger + " keep different dimensions; here: "
                    + Arrays.toString(keep));
        }
        int slice = grid.place(rank(), keep, false);
        Grid rest = grid.sub(keep);
        int[] part = new int[rest.size()];
        for (int other = 0; other < size(); other++) {
            if (grid.place(other, keep, false) == slice) {
                part[grid.place(other, keep, true)] = other;
            }
        }
        Group group = group().include(part);
        return made(world().contexts().make(this, group, Contexts.CONTEXT, "sub", context ->
                new CartesianCommunicator(world(), group, context, name() + ".sub(" + slice + ")", rest)));
    }

    @Override
    public CartesianCommunicator duplicate() {
        return (CartesianCommunicator) super.duplicate();
    }

    @Override
    public CartesianCommunicator duplicateWithoutAttributes() {
        return (CartesianCommunicator) super.duplicateWithoutAttributes();
    }

    @Override
    CartesianCommunicator like(int context) {
        return new CartesianCommunicator(world(), group(), context, name() + ".duplicate", grid);
    }

    /** For each dimension the rank before and the rank behind; what comes from one was sent towards the other. */
    @Override
    Neighbourhood neighbourhood() {
        int[] both = new int[2 * grid.dimensions()];
        int[] arrivals = new int[both.length];
        for (int d = 0; d < grid.dimensions(); d++) {
            both[2 * d] = grid.neighbour(rank(), d, -1);
            both[2 * d + 1] = grid.neighbour(rank(), d, 1);
            arrivals[2 * d] = 2 * d + 1;
            arrivals[2 * d + 1] = 2 * d;
        }
        return new Neighbourhood(both, both, arrivals);
    }
}
