package io.rankwire.tools.bench;

import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;

/** How much of an allreduce is hidden behind compute of its own length, as {@link OverlapLoops} does for messages. */
final class CallOverlapLoops extends CallLoops {
    private final Computing computing = new Computing();

    CallOverlapLoops(World world, String kind) {
        super(world, kind);
    }

    @Override
    void run(Cell cell) {
        int count = cell.bytes() / Double.BYTES;
        double[] in = new double[count];
        double[] out = new double[count];
        double stepNs = computing.stepNs();
        callNs(turns -> sums(in, out, count, 0, turns), cell.warmup());
        int turns = cell.iterations() > 0 ? cell.iterations() : cell.warmup();
        hidden("one", cell, in, out, rank == 0 ? stepNs : 0, turns);
        hidden("both", cell, in, out, stepNs, turns);
    }

    private void hidden(String who, Cell cell, double[] in, double[] out, double stepNs, int turns) {
        int count = in.length;
        double pure = callNs(each -> sums(in, out, count, 0, each), turns);
        double none = callNs(each -> sums(in, out, 1, 0, each), turns);
        int steps = stepNs == 0 ? 0 : (int) (pure / stepNs);
        double compute = callNs(each -> sums(in, out, 1, steps, each), turns);
        double total = callNs(each -> sums(in, out, count, steps, each), turns);
        if (cell.iterations() > 0) {
            report(who, cell, 100 * Math.clamp(1 - (total - compute) / (pure - none), 0, 1));
        }
    }

    private void sums(double[] in, double[] out, int count, int steps, int turns) {
        for (int i = 0; i < turns; i++) {
            in[0] = i;
            Request sum = all.iallreduce(in, 0, out, 0, count, Op.SUM);
            computing.steps(steps);
            sum.await();
            if (out[0] != (double) i * size) {
                throw wrong("sum", i);
            }
        }
    }
}
