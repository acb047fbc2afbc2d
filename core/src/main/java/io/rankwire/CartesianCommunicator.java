package io.rankwire;

import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Grid;
import io.rankwire.runtime.GridDimensions;
import java.util.Arrays;
import java.util.Optional;

/**
 * A communicator whose ranks form a grid, made by {@link Communicator#cartesian}.
 *
 * <pre>{@code
 * int[] dims = CartesianCommunicator.balanced(all.size(), 0, 0);
 * CartesianCommunicator grid = all.cartesian(dims, new boolean[] {true, true}).orElseThrow();
 * CartesianCommunicator.Shift east = grid.shift(1, 1);
 * grid.sendReceive(mine, east.dest(), TAG, theirs, east.source(), TAG);
 * }</pre>
 */
public final class CartesianCommunicator extends TopologyCommunicator {
    /**
     * The ranks to exchange with for a shift along one dimension; {@link Communicator#NONE} beyond an open border, so
     * that both can be given to {@code sendReceive} as they are.
     *
     * @param source the rank whose data come here
     * @param dest the rank that data of this rank go to
     */
    public record Shift(int source, int dest) {}

    private final Grid grid;

    private CartesianCommunicator(World world, Endpoint endpoint, Grid grid) {
        super(world, endpoint, grid.neighbourhood(endpoint.rank()), () -> {});
        this.grid = grid;
    }

    /**
     * Extents for a grid of a number of nodes, as equal as possible and largest first: {@code balanced(12, 0, 0)} is 4
     * and 3.
     *
     * @param nodes the number of places of the grid
     * @param dims the extents that are fixed; zeros stand for those to be found
     * @return the extents of all dimensions
     * @throws RankwireException if the fixed extents do not divide the number of nodes
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

    static Optional<CartesianCommunicator> create(Communicator all, int[] dims, boolean[] periods, boolean reorder) {
        Endpoint parent = all.endpoint();
        Grid grid = Grid.agreed(parent, dims, periods, reorder);
        Endpoint made = reorder ? Communicators.ordered(parent, grid.placed(parent), "cartesian")
                : Communicators.first(parent, grid.size(), "cartesian");
        return Optional.ofNullable(made)
                .map(each -> all.made(new CartesianCommunicator(all.world(), each, grid)));
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
        endpoint().checkRank("coordinates: argument of", of);
        return grid.coordinates(of);
    }

    /** The rank at a place; coordinates beyond the grid are wrapped where it is periodic, and an error elsewhere. */
    public int rankAt(int... coordinates) {
        if (coordinates == null || coordinates.length != grid.dimensions()) {
            throw endpoint().error(ErrorClass.TOPOLOGY, "rankAt: argument coordinates: " + Arrays.toString(coordinates)
                    + " is not a place of a " + grid);
        }
        int[] off = grid.offGrid(coordinates);
        if (off != null) {
            throw endpoint().error(ErrorClass.TOPOLOGY, "rankAt: argument coordinates[" + off[0] + "]: " + off[1]
                    + " is not from 0 to " + (off[2] - 1) + ", and that dimension is not periodic");
        }
        return grid.rank(coordinates);
    }

    /**
     * The ranks to exchange with so that all data move along a dimension.
     *
     * @param dimension a dimension of the grid, from 0
     * @param steps how far the data move; below zero they move back
     * @return the two ranks
     */
    public Shift shift(int dimension, int steps) {
        if (dimension < 0 || dimension >= grid.dimensions()) {
            throw endpoint().error(ErrorClass.TOPOLOGY,
                    "shift: argument dimension: " + dimension + " is not one of the "
                    + grid.dimensions() + " of a " + grid);
        }
        return new Shift(grid.neighbour(rank(), dimension, -(long) steps), grid.neighbour(rank(), dimension, steps));
    }

    /**
     * The part of the grid that this rank is in when cut along the dimensions that are not kept. All ranks call it,
     * with the same argument.
     */
    public CartesianCommunicator sub(boolean... keep) {
        int[] part = grid.slice(endpoint(), keep);
        String name = name() + ".sub(" + grid.place(rank(), keep, false) + ")";
        Endpoint made = Communicators.make(endpoint(), endpoint().group().include(part), name, "sub");
        return made(new CartesianCommunicator(world(), made, grid.sub(keep)));
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
    CartesianCommunicator like(Endpoint other) {
        return new CartesianCommunicator(world(), other, grid);
    }
}
