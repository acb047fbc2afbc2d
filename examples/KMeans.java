// Finds the centres of clusters of points on all ranks. Rank 0 picks and broadcasts the first centres. Then each rank
// sums its points by their nearest centre, and all ranks combine these sums and counts.
//     bin/rankwire run -n 4 examples/KMeans.java
import io.rankwire.*;
import java.util.SplittableRandom;

static final int POINTS = 20_000;
static final int CENTRES = 8;
static final int STEPS = 30;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int from = (int) ((long) POINTS * all.rank() / all.size());
        int to = (int) ((long) POINTS * (all.rank() + 1) / all.size());
        double[] points = points(from, to);
        double[] centres = new double[2 * CENTRES];
        if (all.rank() == 0) {
            System.arraycopy(points, 0, centres, 0, centres.length);
        }
        all.broadcast(centres, 0);
        for (int step = 0; step < STEPS; step++) {
            double[] sums = new double[2 * CENTRES];
            long[] counts = new long[CENTRES];
            add(points, centres, sums, counts);
            all.allreduce(Communicator.IN_PLACE, sums, Op.SUM);
            all.allreduce(Communicator.IN_PLACE, counts, Op.SUM);
            move(centres, sums, counts);
        }
        check(centres);
        if (all.rank() == 0) {
            IO.println(POINTS + " points, " + CENTRES + " centres, " + STEPS + " steps, as by one rank: ok");
        }
    }
}

/** Coordinates are integers, so that sums are exact in any order and the centres are the same on all ranks. */
double[] points(int from, int to) {
    double[] points = new double[2 * (to - from)];
    for (int i = from; i < to; i++) {
        SplittableRandom random = new SplittableRandom(i);
        int cluster = random.nextInt(CENTRES);
        points[2 * (i - from)] = Math.rint(1000 * Math.cos(cluster) + 200 * random.nextGaussian());
        points[2 * (i - from) + 1] = Math.rint(1000 * Math.sin(3 * cluster) + 200 * random.nextGaussian());
    }
    return points;
}

/** Adds each point to the sum of its nearest centre. */
void add(double[] points, double[] centres, double[] sums, long[] counts) {
    for (int i = 0; i < points.length; i += 2) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int c = 0; c < CENTRES; c++) {
            double x = points[i] - centres[2 * c];
            double y = points[i + 1] - centres[2 * c + 1];
            if (x * x + y * y < least) {
                least = x * x + y * y;
                nearest = c;
            }
        }
        sums[2 * nearest] += points[i];
        sums[2 * nearest + 1] += points[i + 1];
        counts[nearest]++;
    }
}

/** A centre without points does not move. */
void move(double[] centres, double[] sums, long[] counts) {
    for (int c = 0; c < CENTRES; c++) {
        if (counts[c] > 0) {
            centres[2 * c] = sums[2 * c] / counts[c];
            centres[2 * c + 1] = sums[2 * c + 1] / counts[c];
        }
    }
}

/** All points on one rank give the same centres to the last bit. */
void check(double[] centres) {
    double[] points = points(0, POINTS);
    double[] serial = Arrays.copyOf(points, 2 * CENTRES);
    for (int step = 0; step < STEPS; step++) {
        double[] sums = new double[2 * CENTRES];
        long[] counts = new long[CENTRES];
        add(points, serial, sums, counts);
        move(serial, sums, counts);
    }
    for (int i = 0; i < centres.length; i++) {
        if (centres[i] != serial[i]) {
            throw new IllegalStateException("coordinate " + i % 2 + " of centre " + i / 2 + " is " + centres[i]
                    + ", not " + serial[i]);
        }
    }
}
