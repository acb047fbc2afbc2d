// Work stealing: all work begins at rank 0. A rank without work takes half of what another one has, by compare-and-swap
// in that rank's window: the victim goes on and need not answer. A range of items is one long: first and end.
//     bin/rankwire run -n 4 examples/patterns/P17WorkStealing.java
// Try next: bin/rankwire sim run with 4 and 7 ranks; steal one item in place of half.
import io.rankwire.*;

static final int ITEMS = 60;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int own = all.rank();
        Window ranges = all.allocateWindow(8, 8);
        ranges.lockAll();
        ranges.fetchAndOp(range(0, own == 0 ? ITEMS : 0), own, 0, Op.REPLACE);
        all.barrier();
        char[] done = ".".repeat(ITEMS).toCharArray();
        boolean found = true;
        while (found) {
            long range = ranges.fetchAndOp(0L, own, 0, Op.NO_OP);
            int item = (int) (range >> 32);
            found = item < (int) range;
            // The first item, unless a thief was faster: then the range is another one now.
            if (found && ranges.compareAndSwap(range, range(item + 1, (int) range), own, 0) == range) {
                world.spend(20_000);
                done[item] = IntStream.range(0, 50_000).mapToDouble(Math::sqrt).sum() > 0 ? '#' : '?';
            }
            for (int i = 1; !found && i < all.size(); i++) {
                found = stealHalf(ranges, (own + i) % all.size(), own);
            }
        }
        ranges.unlockAll();
        ranges.free();
        char[] each = new char[ITEMS * all.size()];
        all.gather(done, each, 0);
        for (int rank = 0; own == 0 && rank < all.size(); rank++) {
            IO.println("rank " + rank + "  " + new String(each, rank * ITEMS, ITEMS));
        }
        if (own == 0 && new String(each).chars().filter(c -> c == '#').count() != ITEMS) {
            throw new IllegalStateException("an item was done twice, or not at all");
        }
    }
}

long range(int first, int end) {
    return (long) first << 32 | end;
}

/** Whether the victim had something to give. If another thief was faster, this one looks again. */
boolean stealHalf(Window ranges, int victim, int own) {
    long range = ranges.fetchAndOp(0L, victim, 0, Op.NO_OP);
    int first = (int) (range >> 32);
    int end = (int) range;
    int middle = end - (end - first) / 2;
    if (middle < end && ranges.compareAndSwap(range, range(first, middle), victim, 0) == range) {
        ranges.fetchAndOp(range(middle, end), own, 0, Op.REPLACE);
    }
    return middle < end;
}
