// One program, many ranks: all run the same code, and its number decides which part of the work a rank does.
//     bin/rankwire run -n 4 examples/patterns/P01Spmd.java
// Try next: -n 7; --tag-output; deal the items out like cards: item i to rank i % size.
import io.rankwire.*;

static final int ITEMS = 24;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int first = ITEMS * all.rank() / all.size();
        int end = ITEMS * (all.rank() + 1) / all.size();
        String picture = ".".repeat(first) + "#".repeat(end - first) + ".".repeat(ITEMS - end);
        IO.println("rank " + all.rank() + " of " + all.size() + "  " + picture);

        // Chapter 4 explains this call: every rank gets the sum of what all ranks have.
        int[] sum = new int[1];
        all.allreduce(new int[] {end - first}, sum, Op.SUM);
        if (sum[0] != ITEMS) {
            throw new IllegalStateException(sum[0] + " items are done, not " + ITEMS);
        }
    }
}
