// Non-blocking collectives: iallreduce starts a sum and returns, so the next part is computed while it is under way.
//     bin/rankwire sim run -n 4 examples/patterns/P13Overlap.java
// Try next: 64 ranks; COMPUTE_NS of 1_000 and of 100_000: what can be hidden is the shorter of the two times.
import io.rankwire.*;

static final int PARTS = 8;
static final int LENGTH = 4_000;
static final long COMPUTE_NS = 10_000;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        double[][] part = new double[2][LENGTH];
        double[] sum = new double[LENGTH];
        all.barrier();

        long begin = world.time();
        for (int i = 0; i < PARTS; i++) {
            compute(world, part[0], i);
            all.allreduce(part[0], sum, Op.SUM);
            check(all, sum, i);
        }
        long blocking = world.time() - begin;

        // Two buffers in turn: a buffer must not change while its sum is under way.
        begin = world.time();
        compute(world, part[0], 0);
        for (int i = 0; i < PARTS; i++) {
            Request summing = all.iallreduce(part[i % 2], sum, Op.SUM);
            if (i + 1 < PARTS) {
                compute(world, part[(i + 1) % 2], i + 1);
            }
            summing.await();
            check(all, sum, i);
        }
        long overlapped = world.time() - begin;
        if (all.rank() == 0) {
            print("allreduce ", blocking, Math.max(blocking, overlapped));
            print("iallreduce", overlapped, Math.max(blocking, overlapped));
        }
    }
}

void print(String call, long time, long longest) {
    IO.println(String.format("%s %7.1f us  %s", call, time / 1e3, "#".repeat((int) (50 * time / longest))));
}

void compute(World world, double[] part, int number) {
    world.spend(COMPUTE_NS);
    for (int i = 0; i < LENGTH; i++) {
        part[i] = number + i;
    }
}

void check(Communicator all, double[] sum, int number) {
    if (sum[0] != number * all.size() || sum[LENGTH - 1] != (number + LENGTH - 1.0) * all.size()) {
        throw new IllegalStateException("part " + number + " sums to " + sum[0]);
    }
}
