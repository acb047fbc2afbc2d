// Master and workers: tasks take unequal time, so rank 0 hands them out one by one to the worker that asks next.
//     bin/rankwire run -n 4 examples/patterns/P09MasterWorker.java
// Try next: bin/rankwire sim run instead of run, with --jitter "50 us" and several --seed; all tasks of the same cost.
import io.rankwire.*;

static final int TASKS = 30;
static final int ASK = 1;
static final int TASK = 2;
static final int END = -1;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int[] done = new int[TASKS];
        int[] task = new int[1];
        if (all.rank() > 0) {
            while (task[0] != END) {
                all.sendReceive(new byte[0], 0, ASK, task, 0, TASK);
                solve(world, task[0], done);
            }
        }
        // A world of one rank has no workers: the master does the tasks itself.
        for (int next = 0; all.rank() == 0 && next < TASKS + all.size() - 1; next++) {
            if (all.size() == 1) {
                solve(world, next, done);
            } else {
                int worker = all.receive(new byte[0], Communicator.ANY_SOURCE, ASK).source();
                all.send(new int[] {next < TASKS ? next : END}, worker, TASK);
            }
        }
        int[] each = new int[TASKS * all.size()];
        all.gather(done, each, 0);
        for (int rank = 0; all.rank() == 0 && rank < all.size(); rank++) {
            StringBuilder line = new StringBuilder("rank " + rank + "  ");
            for (int i = 0; i < TASKS; i++) {
                line.append(each[rank * TASKS + i] == 0 ? "." : "#");
            }
            IO.println(line);
        }
        int[] times = new int[TASKS];
        all.allreduce(done, times, Op.SUM);
        if (!IntStream.of(times).allMatch(count -> count == 1)) {
            throw new IllegalStateException("tasks were done so often: " + Arrays.toString(times));
        }
    }
}

/** Takes a time that depends on the task. */
void solve(World world, int task, int[] done) {
    if (task == END) {
        return;
    }
    int cost = 1 + task * 7 % 10;
    world.spend(20_000L * cost);
    double x = task;
    for (int i = 0; i < 50_000 * cost; i++) {
        x = Math.sqrt(x + i);
    }
    done[task] += x > 0 ? 1 : 0;
}
