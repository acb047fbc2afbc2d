// Ranks form a binary tree and sum up a vector, twice, with work queues written by hand: each node waits for its
// children, adds what came, sends it up and enables its receives again. The device does that alone, meanwhile the
// program could compute. Collectives are programs of this kind, written by the library.
//     bin/rankwire run -n 7 examples/TreeSum.java
import io.rankwire.*;

static final int ROUNDS = 2;
static final int COUNT = 1_000;
static final int TAG = 3;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        double[] own = new double[COUNT];
        for (int i = 0; i < COUNT; i++) {
            own[i] = all.rank() + i;
        }
        double[] sum = new double[COUNT];
        Request run = node(all, own, sum).start(TAG);
        run.await();
        if (all.rank() == 0) {
            check(sum, all.size());
            IO.println(all.size() + " ranks summed " + COUNT + " numbers up a tree, " + ROUNDS + " times");
        }
    }
}

/** What this rank's device is to do. The buffers are the same in each round. */
Work node(Communicator all, double[] own, double[] sum) {
    Work work = all.work();
    WorkBuffer mine = work.buffer(own);
    WorkBuffer total = work.buffer(sum);
    int arrived = work.counter();
    int sent = work.counter();
    WorkQueue receives = work.disabledQueue();
    WorkQueue queue = work.queue();
    int first = 2 * all.rank() + 1;
    int children = Math.clamp(all.size() - first, 0, 2);
    WorkBuffer[] slots = new WorkBuffer[children];
    for (int i = 0; i < children; i++) {
        slots[i] = work.buffer(new double[COUNT]);
    }
    for (int round = 1; round <= ROUNDS; round++) {
        queue.copy(mine, total);
        queue.enable(receives, round * children).await(arrived, (long) round * children);
        for (int i = 0; i < children; i++) {
            receives.receive(first + i, slots[i], arrived);
            queue.combine(Op.SUM, total, slots[i]);
        }
        if (all.rank() > 0) {
            queue.send((all.rank() - 1) / 2, total, sent).await(sent, round);
        }
    }
    return work;
}

void check(double[] sum, int ranks) {
    for (int i = 0; i < COUNT; i++) {
        double expected = ranks * (ranks - 1) / 2.0 + (double) ranks * i;
        if (sum[i] != expected) {
            throw new IllegalStateException("element " + i + " is " + sum[i] + ", not " + expected);
        }
    }
}
