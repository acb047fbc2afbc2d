// Heat on a square plate, in strips of rows. When a rank dies, a new process takes its place, all ranks go back to the
// last checkpoint, and the numbers are those of a run without a failure. Give a step at which rank 1 kills itself:
//     bin/rankwire run -n 4 --on-failure=continue examples/SurvivingHeat.java 120
// Or give -1 and a number of steps that take some time, and kill a rank by hand:
//     bin/rankwire run -n 4 --on-failure=continue examples/SurvivingHeat.java -1 500000
import io.rankwire.*;

static final int CELLS = 64;
static final int STEPS_BETWEEN_SAVES = 10;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int fatal = args.length > 0 && !world.isReplacement() && all.rank() == 1 ? Integer.parseInt(args[0]) : -1;
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        if (args.length > 1) {
            IO.println("rank " + all.rank() + " is process " + ProcessHandle.current().pid());
        }
        Checkpoint safe = Checkpoint.on(all);
        int[] step = {0};
        double[] heat = start(Strip.of(all.rank(), all.size()));
        boolean isRestored = !world.isReplacement();
        boolean isDone = false;
        while (!isDone) {
            try {
                if (!isRestored) {
                    safe.restore("heat", step, heat);
                    isRestored = true;
                }
                if (step[0] == fatal) {
                    Runtime.getRuntime().halt(1);
                }
                isDone = step[0] == steps;
                if (isDone) {
                    check(all, heat, steps);
                } else {
                    exchange(all, heat);
                    heat = warmed(Strip.of(all.rank(), all.size()), heat);
                    step[0]++;
                }
                // The last save is also the proof that no rank has to go back.
                if (isDone || step[0] % STEPS_BETWEEN_SAVES == 0) {
                    safe.save("heat", step, heat);
                }
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                    throw e;
                }
                all.revoke();
                all = all.replace();
                safe = safe.moveTo(all);
                step[0] = 0;
                heat = start(Strip.of(all.rank(), all.size()));
                isRestored = false;
                isDone = false;
            }
        }
        if (all.rank() == 0) {
            IO.println(steps + " steps on " + CELLS + " × " + CELLS + " cells: as by one rank");
        }
    }
}

/** Rows {@code from} (inclusive) to {@code to} (exclusive); an array of them has one more row at each end. */
record Strip(int from, int to) {
    static Strip of(int rank, int ranks) {
        return new Strip(CELLS * rank / ranks, CELLS * (rank + 1) / ranks);
    }
}

double[] start(Strip strip) {
    double[] heat = new double[(strip.to - strip.from + 2) * CELLS];
    for (int row = strip.from; row < strip.to; row++) {
        for (int column = 0; column < CELLS; column++) {
            heat[(row - strip.from + 1) * CELLS + column] = row * 31 % 17 + column * 7 % 13;
        }
    }
    return heat;
}

void exchange(Communicator all, double[] heat) {
    int up = all.rank() > 0 ? all.rank() - 1 : Communicator.NONE;
    int down = all.rank() + 1 < all.size() ? all.rank() + 1 : Communicator.NONE;
    int last = heat.length - 2 * CELLS;
    all.sendReceive(heat, CELLS, CELLS, up, 1, heat, last + CELLS, CELLS, down, 1);
    all.sendReceive(heat, last, CELLS, down, 2, heat, 0, CELLS, up, 2);
}

/** The border of the plate keeps its temperature. */
double[] warmed(Strip strip, double[] heat) {
    double[] next = heat.clone();
    for (int row = Math.max(strip.from, 1); row < Math.min(strip.to, CELLS - 1); row++) {
        for (int column = 1; column < CELLS - 1; column++) {
            int at = (row - strip.from + 1) * CELLS + column;
            next[at] += 0.125 * (heat[at - CELLS] + heat[at + CELLS] + heat[at - 1] + heat[at + 1] - 4 * heat[at]);
        }
    }
    return next;
}

/** The same steps on one rank give the same numbers to the last bit. */
void check(Communicator all, double[] heat, int steps) {
    int[] counts = new int[all.size()];
    int[] offsets = new int[all.size()];
    for (int rank = 0; rank < all.size(); rank++) {
        Strip strip = Strip.of(rank, all.size());
        offsets[rank] = strip.from * CELLS;
        counts[rank] = (strip.to - strip.from) * CELLS;
    }
    double[] whole = new double[CELLS * CELLS];
    all.gatherv(heat, CELLS, heat.length - 2 * CELLS, whole, counts, offsets, 0);
    Strip plate = new Strip(0, CELLS);
    double[] serial = start(plate);
    for (int step = 0; step < steps && all.rank() == 0; step++) {
        serial = warmed(plate, serial);
    }
    for (int i = 0; i < whole.length && all.rank() == 0; i++) {
        if (whole[i] != serial[CELLS + i]) {
            throw new IllegalStateException("cell " + i + " is " + whole[i] + ", not " + serial[CELLS + i]);
        }
    }
}
