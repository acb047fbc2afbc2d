package mpi;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.Arrays;

/** The grid of a Cartesian communicator, for {@link CartComm} and {@link Cartcomm}. */
final class Grid {
    private final CommHandle on;

    Grid(CommHandle on) {
        this.on = on;
    }

    CartesianCommunicator core() {
        return (CartesianCommunicator) on.intra();
    }

    CartParms parameters() {
        return on.get(() -> new CartParms(core().dims(), core().periods(), core().coordinates()));
    }

    int rank(int[] coords) {
        return on.get(() -> core().rankAt(CommHandle.first(coords, core().dims().length)));
    }

    int[] coordinates(int rank) {
        return on.get(() -> core().coordinates(rank));
    }

    ShiftParms shift(int direction, int disp) {
        return on.get(() -> {
            CartesianCommunicator.Shift shift = core().shift(direction, disp);
            return new ShiftParms(shift.source(), shift.dest());
        });
    }

    /** Returns the part of the grid with this rank that the kept dimensions form; programs may pass longer arrays. */
    CartesianCommunicator sub(boolean[] kept) {
        return on.get(() -> {
            int dims = core().dims().length;
            return core().sub(kept == null || kept.length <= dims ? kept : Arrays.copyOf(kept, dims));
        });
    }

    int map(int[] dims, boolean[] periods) {
        return on.get(() -> {
            long places = 1;
            for (int extent : dims) {
                if (extent < 1) {
                    throw new MPIException(MPI.ERR_DIMS, "map: argument dims: " + extent + " is below one");
                }
                places = Math.min(places * extent, Integer.MAX_VALUE);
            }
            on.place(places);
            int rank = on.intra().cartesianRank(dims, Arrays.copyOf(periods, dims.length));
            return rank == Communicator.NONE ? MPI.UNDEFINED : rank;
        });
    }

    /** Fills in the extents that are zero. */
    static void balance(int nodes, int[] dims) {
        try {
            System.arraycopy(CartesianCommunicator.balanced(nodes, dims), 0, dims, 0, dims.length);
        } catch (RankwireException e) {
            throw MPI.failed(MPIException.of(e, ErrorClass.TOPOLOGY, MPI.ERR_DIMS));
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }
}
