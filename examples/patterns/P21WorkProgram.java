// Work programs: a list of sends, receives and sums that the device executes by itself, while the program does other
// things. Here a sum goes along the ranks; each device adds its rank's number and passes it on.
//     bin/rankwire run -n 4 examples/patterns/P21WorkProgram.java
// Try next: Op.MAX in place of Op.SUM; remove await(events, 1), so that the sum is made before the number is there.
import io.rankwire.*;

static final int TAG = 2;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        long[] sum = {all.rank() + 1};
        Work work = all.work();
        WorkBuffer total = work.buffer(sum);
        WorkQueue queue = work.queue();
        int events = work.counter();
        if (all.rank() > 0) {
            WorkBuffer coming = work.buffer(new long[1]);
            queue.receive(all.rank() - 1, coming, events).await(events, 1).combine(Op.SUM, total, coming);
        }
        if (all.rank() < all.size() - 1) {
            queue.send(all.rank() + 1, total, events).await(events, all.rank() > 0 ? 2 : 1);
        }
        Request run = work.start(TAG);
        // The program may compute here. It makes no call until it needs the sum.
        run.await();

        long[] expected = new long[1];
        all.scan(new long[] {all.rank() + 1}, expected, Op.SUM);
        if (sum[0] != expected[0]) {
            throw new IllegalStateException("the devices give " + sum[0] + ", scan gives " + expected[0]);
        }
        long[] sums = new long[all.size()];
        all.gather(sum, sums, 0);
        for (int rank = 0; all.rank() == 0 && rank < all.size(); rank++) {
            String bar = "#".repeat((int) sums[rank]);
            IO.println(String.format("rank %d  + %d = %2d  %s", rank, rank + 1, sums[rank], bar));
        }
    }
}
