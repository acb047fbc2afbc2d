package io.rankwire.tools.bench;

import io.rankwire.World;

/** Agreements without failures beside barriers, in turn. */
final class AgreeLoops extends CallLoops {
    private static final int TURNS = 9;
    private static final int FLAGS = 5;

    AgreeLoops(World world, String kind) {
        super(world, kind);
    }

    @Override
    void run(Cell cell) {
        callNs(this::barriers, cell.warmup());
        callNs(this::agreements, cell.warmup());
        Samples barriers = new Samples();
        Samples agreements = new Samples();
        Samples ratios = new Samples();
        for (int i = 0; i < TURNS; i++) {
            double barrier = callNs(this::barriers, cell.iterations());
            double agreement = callNs(this::agreements, cell.iterations());
            barriers.add(i, barrier / 1e3);
            agreements.add(i, agreement / 1e3);
            ratios.add(i, agreement / barrier);
        }
        report("barrier", cell, barriers.median());
        report(cell, agreements.median());
        report("ratio", cell, ratios.median());
    }

    private void agreements(int turns) {
        for (int i = 0; i < turns; i++) {
            if (all.agree(FLAGS | i << 3) != (FLAGS | i << 3)) {
                throw wrong("agreement", i);
            }
        }
    }
}
