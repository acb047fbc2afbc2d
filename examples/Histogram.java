// Every rank throws dice and adds to a histogram that is distributed over all ranks, by one-sided access: no rank
// receives. A counter on rank 0 distributes the work: each rank takes its next batch from it.
//     bin/rankwire run -n 4 examples/Histogram.java
import io.rankwire.*;
import java.util.SplittableRandom;

static final int BINS = 64;
static final int DICE = 12;
static final int BATCHES = 200;
static final int THROWS = 500;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int bins = (BINS + all.size() - 1) / all.size();
        Window counter = all.allocateWindow(all.rank() == 0 ? 8 : 0, 8);
        Window histogram = all.allocateWindow(8L * bins, 8);

        counter.lockAll();
        histogram.lockAll();
        long[] one = {1};
        for (long batch = next(counter); batch < BATCHES; batch = next(counter)) {
            SplittableRandom random = new SplittableRandom(batch);
            for (int i = 0; i < THROWS; i++) {
                int sum = toss(random);
                histogram.accumulate(one, sum / bins, sum % bins, Op.SUM);
            }
        }
        histogram.unlockAll();
        counter.unlockAll();

        histogram.fence();
        long[] counts = new long[all.size() * bins];
        for (int rank = 0; all.rank() == 0 && rank < all.size(); rank++) {
            histogram.get(counts, rank * bins, bins, rank, 0);
        }
        histogram.fence();
        if (all.rank() == 0) {
            check(counts);
        }
        histogram.free();
        counter.free();
    }
}

long next(Window counter) {
    return counter.fetchAndOp(1L, 0, 0, Op.SUM);
}

int toss(SplittableRandom random) {
    int sum = 0;
    for (int i = 0; i < DICE; i++) {
        sum += random.nextInt(6);
    }
    return sum;
}

/** The sums do not depend on which rank threw which batch. */
void check(long[] counts) {
    long[] expected = new long[counts.length];
    for (long batch = 0; batch < BATCHES; batch++) {
        SplittableRandom random = new SplittableRandom(batch);
        for (int i = 0; i < THROWS; i++) {
            expected[toss(random)]++;
        }
    }
    for (int bin = 0; bin < counts.length; bin++) {
        if (counts[bin] != expected[bin]) {
            throw new IllegalStateException("bin " + bin + " has " + counts[bin] + ", not " + expected[bin]);
        }
    }
    IO.println(BATCHES * THROWS + " throws counted");
}
