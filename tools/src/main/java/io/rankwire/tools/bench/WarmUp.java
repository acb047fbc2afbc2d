package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.List;

/** How a loop that starts cold becomes steady: the mean time of a call in slices of 10 ms. */
final class WarmUp {
    private static final long SLICE_NS = 10_000_000;
    private static final double STEADY = 1.5;
    /** One fast slice between slow ones is not yet the steady state. */
    private static final int IN_A_ROW = 5;

    private record Slice(long startNs, double callNs) {}

    private final List<Slice> slices = new ArrayList<>();
    private long startNs;
    private long taken;
    private long calls;

    /** Calls from one time to another since the start; those in 10 ms or more are a slice. */
    void add(long fromNs, long toNs, long takenNs, long count) {
        if (calls == 0) {
            startNs = fromNs;
        }
        taken += takenNs;
        calls += count;
        if (toNs - startNs >= SLICE_NS) {
            slices.add(new Slice(startNs, (double) taken / calls));
            taken = 0;
            calls = 0;
        }
    }

    /** The median of the last quarter of the slices; NaN without any. */
    double steadyNs() {
        Samples last = new Samples();
        for (int i = slices.size() * 3 / 4; i < slices.size(); i++) {
            last.add(0, slices.get(i).callNs);
        }
        return last.median();
    }

    /** The start of the first slices in a row that are all within 1.5 times the steady state; NaN without any. */
    double seconds() {
        double most = STEADY * steadyNs();
        int row = 0;
        for (int i = 0; i < slices.size(); i++) {
            row = slices.get(i).callNs <= most ? row + 1 : 0;
            if (row == IN_A_ROW) {
                return slices.get(i + 1 - row).startNs / 1e9;
            }
        }
        return Double.NaN;
    }
}
