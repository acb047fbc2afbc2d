// A stencil: heat flows along a rod. A cell needs its two neighbours, so ranks swap their border cells in each step.
//     bin/rankwire run -n 4 examples/patterns/P06Stencil.java
// Try next: heat the cell CELLS / 2, at the border of two ranks; remove the second sendReceive and see the check fail.
import io.rankwire.*;

static final int CELLS = 60;
static final int STEPS = 300;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int[] firsts = new int[all.size()];
        int[] counts = new int[all.size()];
        for (int rank = 0; rank < all.size(); rank++) {
            firsts[rank] = CELLS * rank / all.size();
            counts[rank] = CELLS * (rank + 1) / all.size() - firsts[rank];
        }
        int cells = counts[all.rank()];
        // NONE is a neighbour to whom nothing goes and from whom nothing comes.
        int left = all.rank() > 0 ? all.rank() - 1 : Communicator.NONE;
        int right = all.rank() < all.size() - 1 ? all.rank() + 1 : Communicator.NONE;
        // A cell more on each side, for the neighbour's border. Rank 0 also computes the whole rod alone, as a check.
        double[] rod = new double[cells + 2];
        double[] alone = new double[CELLS + 2];
        alone[CELLS / 3] = 60;
        System.arraycopy(alone, firsts[all.rank()] + 1, rod, 1, cells);
        double[] whole = new double[CELLS];
        for (int step = 0; step <= STEPS; step++) {
            if (step % 50 == 0) {
                all.gatherv(rod, 1, cells, whole, counts, firsts, 0);
                if (all.rank() == 0) {
                    print(step, whole, alone);
                }
            }
            all.sendReceive(rod, cells, 1, right, 1, rod, 0, 1, left, 1);
            all.sendReceive(rod, 1, 1, left, 2, rod, cells + 1, 1, right, 2);
            warm(rod, cells);
            warm(alone, CELLS);
        }
    }
}

void warm(double[] rod, int cells) {
    double[] old = rod.clone();
    for (int i = 1; i <= cells; i++) {
        rod[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
    }
}

void print(int step, double[] rod, double[] alone) {
    StringBuilder line = new StringBuilder();
    for (double heat : rod) {
        line.append(" .:-=+*#%@".charAt((int) Math.min(9, 2 * heat)));
    }
    IO.println(String.format("step %3d |%s|", step, line));
    if (!Arrays.equals(rod, 0, CELLS, alone, 1, CELLS + 1)) {
        throw new IllegalStateException("step " + step + ": the pieces differ from the whole");
    }
}
