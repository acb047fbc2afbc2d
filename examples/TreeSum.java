// Ranks form a binary tree and sum a vector, twice, with hand-written work queues: each node waits for its children,
// adds their vectors, sends the sum to its parent and enables its receives again. The device does this alone; the
// program could compute meanwhile. Collectives are programs of this kind, written by the library.
//     bin/rankwire run -n 7 examples/TreeSum.java
import io.rankwire.*;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.type.ElementType;

static final int ROUNDS = 2;
static final int COUNT = 1_000;
static final int BYTES = 8 * COUNT;
static final int TAG = 3;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        double[] own = new double[COUNT];
        for (int i = 0; i < COUNT; i++) {
            own[i] = all.rank() + i;
        }
        double[] sum = new double[COUNT];
        Request whole = all.work().start(node(all, own, sum), TAG);
        whole.await();
        if (all.rank() == 0) {
            check(sum, all.size());
            IO.println(all.size() + " ranks summed " + COUNT + " numbers up a tree, " + ROUNDS + " times");
        }
    }
}

/** The program of this rank's device. The buffers are the same in each round. */
WorkProgram node(Communicator all, double[] own, double[] sum) {
    Work work = all.work();
    WorkProgram program = work.program();
    int mine = program.buffer(BYTES);
    int total = program.buffer(BYTES);
    work.bind(program, mine, own);
    work.bind(program, total, sum);
    int add = work.combination(program, Op.SUM, double.class);
    int arrived = program.counter();
    int sent = program.counter();
    WorkQueue receives = program.queue(true);
    WorkQueue queue = program.queue(false);
    int first = 2 * all.rank() + 1;
    int children = Math.clamp(all.size() - first, 0, 2);
    int[] slots = new int[children];
    for (int i = 0; i < children; i++) {
        slots[i] = program.buffer(BYTES);
        work.bind(program, slots[i], new double[COUNT]);
    }
    for (int round = 1; round <= ROUNDS; round++) {
        queue.copy(mine, 0, total, 0, BYTES);
        queue.enableReceives(receives.number(), round * children).await(arrived, (long) round * children);
        for (int i = 0; i < children; i++) {
            receives.receive(work.peer(first + i), slots[i], 0, BYTES, ElementType.DOUBLE, arrived);
            queue.calc(add, total, 0, slots[i], 0, BYTES, false);
        }
        if (all.rank() > 0) {
            queue.send(work.peer((all.rank() - 1) / 2), total, 0, BYTES, ElementType.DOUBLE, sent).await(sent, round);
        }
    }
    return program;
}

void check(double[] sum, int ranks) {
    for (int i = 0; i < COUNT; i++) {
        double expected = ranks * (ranks - 1) / 2.0 + (double) ranks * i;
        if (sum[i] != expected) {
            throw new IllegalStateException("element " + i + " is " + sum[i] + ", not " + expected);
        }
    }
}
