// One-sided counters: rank 0 lends its memory, and all ranks add to it. Rank 0 makes no call for that; no message is
// received, and no addition is lost.
//     bin/rankwire run -n 4 examples/patterns/P16Counters.java
// Try next: put in place of accumulate, and see the check fail.
import io.rankwire.*;

static final int THROWS = 3_600;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        // A counter for each sum of two dice, 8 bytes each; the other ranks lend nothing.
        Window counters = all.allocateWindow(all.rank() == 0 ? 13 * 8 : 0, 8);
        long[] one = {1};
        counters.lockAll();
        for (int i = all.rank(); i < THROWS; i += all.size()) {
            counters.accumulate(one, 0, toss(i), Op.SUM);
        }
        counters.unlockAll();
        all.barrier();

        long[] counts = new long[13];
        counters.lockAll();
        counters.get(counts, 0, 0);
        counters.unlockAll();
        counters.free();
        if (all.rank() == 0) {
            print(counts);
        }
    }
}

/** Throw number i is the same on every rank, so the picture does not depend on their number. */
int toss(int i) {
    Random dice = new Random(i * 7_919L);
    dice.nextInt();
    return 2 + dice.nextInt(6) + dice.nextInt(6);
}

void print(long[] counts) {
    for (int sum = 2; sum <= 12; sum++) {
        IO.println(String.format("%2d %4d %s", sum, counts[sum], "#".repeat((int) counts[sum] / 15)));
    }
    if (LongStream.of(counts).sum() != THROWS) {
        throw new IllegalStateException(LongStream.of(counts).sum() + " throws were counted, not " + THROWS);
    }
}
