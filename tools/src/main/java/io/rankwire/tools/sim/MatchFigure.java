package io.rankwire.tools.sim;

import io.rankwire.sim.match.MatchRate;
import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.tools.plot.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Match rate against queue depth, by matchers. */
final class MatchFigure {
    private static final int[] MATCHERS = {1, 2, 4, 8, 16, 32, 64};

    private MatchFigure() {}

    static Figure make(Extent extent) {
        List<Panel> panels = new ArrayList<>();
        long hash = 0;
        for (int together : new int[] {1, 64}) {
            List<Panel.Curve> curves = new ArrayList<>();
            for (int matchers : MATCHERS) {
                SortedMap<Long, Double> values = new TreeMap<>();
                for (int depth = 1; depth <= extent.depth(); depth *= 2) {
                    MatcherConfig config = MatcherConfig.DEFAULT.withMatchers(matchers, Math.min(together, matchers));
                    double rate = MatchRate.perSecond(config, depth, 1);
                    hash = Figure.mixed(hash, Double.doubleToLongBits(rate));
                    values.put((long) depth, rate / 1e6);
                }
                curves.add(new Panel.Curve(matchers + (matchers == 1 ? " matcher" : ""), true, values));
            }
            panels.add(new Panel(together == 1 ? "A matcher a message" : "All matchers on each message",
                    "million matches a second", Panel.Across.DEPTHS, curves));
        }
        Figure.Text text = new Figure.Text("1-match-rate", "Match rate against queue depth, 1 to 64 matchers",
                "One matcher's rate falls with every header it passes; more of them keep it up, whether each takes a"
                        + " message of its own (left) or all share one (right), until starts and order bound it.",
                "queues reach hundreds of entries a rank; a plurality of matchers searches different requests, or one"
                        + " request, in parallel and keeps the order of the queue (document 000).",
                "one queue; " + MatcherConfig.DEFAULT, hash);
        return Figure.of(text, panels);
    }
}
