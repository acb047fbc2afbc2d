// Reproducible sums: floating-point numbers give another sum in another order. Op.reproducible adds in one order that
// only the number of ranks determines, so the bits are the same for every root, vector length, machine and load.
//     bin/rankwire run -n 4 examples/patterns/P23Reproducible.java
// Try next: Op.SUM without reproducible, by run and by sim run.
import io.rankwire.*;

static final Op SAME_BITS = Op.SUM.reproducible();

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        double[] values = new double[all.size()];
        for (int rank = 0; rank < all.size(); rank++) {
            values[rank] = new double[] {1e16, 1, -1e16, 1}[rank % 4];
        }
        double own = values[all.rank()];
        double[] sum = new double[1];
        all.allreduce(new double[] {own}, sum, SAME_BITS);

        // The same number in each place of a long vector, and every rank as the root.
        double[] many = new double[10_000];
        Arrays.fill(many, own);
        double[] sums = new double[many.length];
        all.allreduce(many, sums, SAME_BITS);
        for (int root = 0; root < all.size(); root++) {
            double[] atRoot = new double[1];
            all.reduce(new double[] {own}, atRoot, SAME_BITS, root);
            all.broadcast(atRoot, root);
            check(sum[0], atRoot[0]);
        }
        for (double each : sums) {
            check(sum[0], each);
        }
        if (all.rank() == 0) {
            // A double near 1e16 cannot hold a 1 more.
            double up = 0;
            double down = 0;
            for (int rank = 0; rank < all.size(); rank++) {
                up += values[rank];
                down += values[all.size() - 1 - rank];
            }
            IO.println(String.format("first to last  %016x  %s", Double.doubleToLongBits(up), up));
            IO.println(String.format("last to first  %016x  %s", Double.doubleToLongBits(down), down));
            IO.println(String.format("reproducible   %016x  %s", Double.doubleToLongBits(sum[0]), sum[0]));
        }
    }
}

void check(double expected, double sum) {
    if (Double.doubleToLongBits(sum) != Double.doubleToLongBits(expected)) {
        throw new IllegalStateException(sum + " in place of " + expected);
    }
}
