// Topologies: the ranks form a grid, and each asks the library for its neighbours in place of computing them. Here
// the grid is closed in one direction (a ring) and open in the other (a wall).
//     bin/rankwire run -n 6 examples/patterns/P15Topology.java
// Try next: 12 ranks; 7 ranks; both directions closed.
import io.rankwire.*;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int[] dims = CartesianCommunicator.balanced(all.size(), 0, 0);
        boolean[] closed = {false, true};
        CartesianCommunicator grid = all.cartesian(dims, closed).orElseThrow();

        // Every rank sends its number to its neighbours: above, below, left, right. A wall leaves the -1 as it is.
        int[] around = {-1, -1, -1, -1};
        grid.neighbourAllgather(new int[] {grid.rank()}, around);
        CartesianCommunicator.Shift down = grid.shift(0, 1);
        CartesianCommunicator.Shift across = grid.shift(1, 1);
        int[] expected = {down.source(), down.dest(), across.source(), across.dest()};
        for (int i = 0; i < around.length; i++) {
            if (around[i] != (expected[i] == Communicator.NONE ? -1 : expected[i])) {
                throw new IllegalStateException(Arrays.toString(around) + ", not " + Arrays.toString(expected));
            }
        }
        int[] arounds = new int[4 * grid.size()];
        grid.gather(around, arounds, 0);
        for (int row = 0; grid.rank() == 0 && row < dims[0]; row++) {
            StringBuilder[] lines = {new StringBuilder(), new StringBuilder(), new StringBuilder()};
            for (int column = 0; column < dims[1]; column++) {
                int rank = grid.rankAt(row, column);
                lines[0].append(String.format("     %2s     ", name(arounds[4 * rank])));
                lines[1].append(String.format(" %2s (%2d) %-2s ", name(arounds[4 * rank + 2]), rank,
                        name(arounds[4 * rank + 3])));
                lines[2].append(String.format("     %2s     ", name(arounds[4 * rank + 1])));
            }
            for (StringBuilder line : lines) {
                IO.println(line.toString().stripTrailing());
            }
        }
    }
}

String name(int rank) {
    return rank < 0 ? "-" : Integer.toString(rank);
}
