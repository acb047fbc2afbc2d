// Sorts numbers on all ranks: each sorts its own and sends a sample to all ranks, which choose the same splitters from
// the samples, send each number to the rank of its range, and sort what they receive. Parts differ in length.
//     bin/rankwire run -n 4 examples/SampleSort.java
import io.rankwire.*;
import java.util.Arrays;
import java.util.SplittableRandom;

static final int NUMBERS = 50_000;
static final int SAMPLES = 32;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        long[] own = numbers(all.rank());
        long[] part = sort(all, own);

        int[] lengths = new int[all.size()];
        all.gather(new int[] {part.length}, lengths, 0);
        long[] sorted = new long[all.rank() == 0 ? NUMBERS * all.size() : 0];
        all.gatherv(part, 0, part.length, sorted, lengths, starts(lengths), 0);
        if (all.rank() == 0) {
            check(sorted, all.size());
            int longest = Arrays.stream(lengths).max().orElseThrow();
            IO.println(sorted.length + " numbers sorted, the longest part is " + 100L * longest / NUMBERS
                    + " % of the mean: ok");
        }
    }
}

/** Half of the numbers are small, so that many are equal. */
long[] numbers(int rank) {
    SplittableRandom random = new SplittableRandom(rank);
    return random.longs(NUMBERS).map(n -> n % 2 == 0 ? n : n % 1_000).toArray();
}

/** The numbers of this rank's range, in order. */
long[] sort(Communicator all, long[] own) {
    int ranks = all.size();
    Arrays.sort(own);
    long[] shown = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        shown[i] = own[(int) ((i + 0.5) / SAMPLES * own.length)];
    }
    long[] samples = new long[SAMPLES * ranks];
    all.allgather(shown, samples);
    Arrays.sort(samples);

    int[] counts = new int[ranks];
    int from = 0;
    for (int rank = 0; rank < ranks; rank++) {
        int to = rank + 1 < ranks ? below(own, samples[SAMPLES * (rank + 1)]) : own.length;
        counts[rank] = to - from;
        from = to;
    }
    int[] coming = new int[ranks];
    all.alltoall(counts, coming);
    long[] part = new long[Arrays.stream(coming).sum()];
    all.alltoallv(own, counts, starts(counts), part, coming, starts(coming));
    Arrays.sort(part);
    return part;
}

/** The number of sorted numbers that are less than the splitter. */
int below(long[] sorted, long splitter) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted[middle] < splitter) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int[] starts(int[] lengths) {
    int[] starts = new int[lengths.length];
    for (int i = 1; i < lengths.length; i++) {
        starts[i] = starts[i - 1] + lengths[i - 1];
    }
    return starts;
}

void check(long[] sorted, int ranks) {
    long[] serial = new long[sorted.length];
    for (int rank = 0; rank < ranks; rank++) {
        System.arraycopy(numbers(rank), 0, serial, rank * NUMBERS, NUMBERS);
    }
    Arrays.sort(serial);
    int at = Arrays.mismatch(sorted, serial);
    if (at >= 0) {
        throw new IllegalStateException("number " + at + " is " + sorted[at] + ", not " + serial[at]);
    }
}
