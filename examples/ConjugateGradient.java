// Solves a Laplace equation on a square by conjugate gradients. The matrix has five numbers per row and is never
// stored; each rank has some rows of the square. A step exchanges border rows with two neighbours and needs two sums
// over all ranks: the dot products.
//     bin/rankwire run -n 4 examples/ConjugateGradient.java
import io.rankwire.*;
import java.util.SplittableRandom;

static final int SIDE = 48;
static final int MAX_STEPS = 400;
static final double TOLERANCE = 1e-11;

static final int TO_UPPER = 1;
static final int TO_LOWER = 2;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        Strip strip = new Strip(all, SIDE * all.rank() / all.size(), SIDE * (all.rank() + 1) / all.size());
        double[] x = new double[strip.cells()];
        int steps = solve(strip, rightSide(strip), x);
        double[] whole = new double[SIDE * SIDE];
        gather(strip, x, whole);
        if (all.rank() == 0) {
            check(whole);
            IO.println(SIDE * SIDE + " unknowns solved in " + steps + " steps, as by one rank: ok");
        }
    }
}

/** Rows {@code from} (inclusive) to {@code to} (exclusive) of the square; all rows if there is no communicator. */
record Strip(Communicator all, int from, int to) {
    int cells() {
        return (to - from) * SIDE;
    }

    double dot(double[] a, double[] b) {
        double[] sum = new double[1];
        for (int i = 0; i < cells(); i++) {
            sum[0] += a[i] * b[i];
        }
        if (all != null) {
            all.allreduce(Communicator.IN_PLACE, sum, Op.SUM);
        }
        return sum[0];
    }

    /** The neighbours' rows beside this strip; zeros outside the square. Ranks without rows are skipped. */
    void halo(double[] p, double[] above, double[] below) {
        if (all == null || from == to) {
            return;
        }
        int upper = from > 0 ? owner(from - 1) : Communicator.NONE;
        int lower = to < SIDE ? owner(to) : Communicator.NONE;
        all.sendReceive(p, 0, SIDE, upper, TO_UPPER, below, 0, SIDE, lower, TO_UPPER);
        all.sendReceive(p, cells() - SIDE, SIDE, lower, TO_LOWER, above, 0, SIDE, upper, TO_LOWER);
    }

    private int owner(int row) {
        return (all.size() * (row + 1) - 1) / SIDE;
    }

    /** {@code q = A p}. */
    void multiply(double[] p, double[] q) {
        double[] above = new double[SIDE];
        double[] below = new double[SIDE];
        halo(p, above, below);
        for (int i = 0; i < cells(); i++) {
            int column = i % SIDE;
            double up = i >= SIDE ? p[i - SIDE] : above[column];
            double down = i + SIDE < cells() ? p[i + SIDE] : below[column];
            double left = column > 0 ? p[i - 1] : 0;
            double right = column + 1 < SIDE ? p[i + 1] : 0;
            q[i] = 4 * p[i] - up - down - left - right;
        }
    }
}

/** Every rank draws the same numbers and keeps its part. */
double[] rightSide(Strip strip) {
    SplittableRandom random = new SplittableRandom(7);
    double[] b = new double[strip.cells()];
    for (int i = 0; i < SIDE * SIDE; i++) {
        double value = random.nextDouble() - 0.5;
        if (i >= strip.from * SIDE && i < strip.to * SIDE) {
            b[i - strip.from * SIDE] = value;
        }
    }
    return b;
}

/** Solves for {@code x}, which starts at zero, and returns the number of steps. */
int solve(Strip strip, double[] b, double[] x) {
    double[] r = b.clone();
    double[] p = b.clone();
    double[] q = new double[b.length];
    double rr = strip.dot(r, r);
    double goal = TOLERANCE * TOLERANCE * rr;
    int step = 0;
    while (rr > goal && step < MAX_STEPS) {
        strip.multiply(p, q);
        double alpha = rr / strip.dot(p, q);
        for (int i = 0; i < b.length; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = strip.dot(r, r);
        for (int i = 0; i < b.length; i++) {
            p[i] = r[i] + next / rr * p[i];
        }
        rr = next;
        step++;
    }
    if (rr > goal) {
        throw new IllegalStateException("no solution after " + step + " steps: " + rr + " is left of " + goal);
    }
    return step;
}

void gather(Strip strip, double[] x, double[] whole) {
    int ranks = strip.all.size();
    int[] counts = new int[ranks];
    int[] offsets = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
        offsets[rank] = SIDE * rank / ranks * SIDE;
        counts[rank] = SIDE * (rank + 1) / ranks * SIDE - offsets[rank];
    }
    strip.all.gatherv(x, 0, x.length, whole, counts, offsets, 0);
}

/** The order of summation depends on the number of ranks, so the solutions differ in their last bits. */
void check(double[] whole) {
    Strip square = new Strip(null, 0, SIDE);
    double[] serial = new double[SIDE * SIDE];
    solve(square, rightSide(square), serial);
    for (int i = 0; i < whole.length; i++) {
        if (!(Math.abs(whole[i] - serial[i]) < 1e-8)) {
            throw new IllegalStateException("unknown " + i + " is " + whole[i] + ", not " + serial[i]);
        }
    }
}
