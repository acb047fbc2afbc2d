package io.rankwire.tools.sim;

import io.rankwire.sim.Picoseconds;
import io.rankwire.sim.match.MatchRate;
import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.tools.plot.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
                shows(panels, Math.min(32, extent.depth()), extent.depth()),
                "queues reach hundreds of entries a rank; a plurality of matchers searches different requests, or one"
                        + " request, in parallel and keeps the order of the queue.",
                "one queue; " + parameters(MatcherConfig.DEFAULT), hash);
        return Figure.of(text, panels);
    }

    private static String shows(List<Panel> panels, long middle, long deepest) {
        SortedMap<Long, Double> one = panels.get(0).curves().getFirst().values();
        SortedMap<Long, Double> each = panels.get(0).curves().getLast().values();
        SortedMap<Long, Double> shared = panels.get(1).curves().getLast().values();
        return String.format(Locale.ROOT, "One matcher makes %s million matches a second at the head of a queue and %s"
                + " million at a depth of %,d. 64 matchers that take a message each (left) make %s million at a depth"
                + " of %,d and %s million at %,d; 64 that share each message (right) make %s million there, since"
                + " each message waits for the one before.", Figure.digits(one.get(one.firstKey())),
                Figure.digits(one.get(deepest)), deepest, Figure.digits(each.get(middle)), middle,
                Figure.digits(each.get(deepest)), deepest, Figure.digits(shared.get(deepest)));
    }

    private static String parameters(MatcherConfig config) {
        return config.banks() + " banks of headers; a cycle of " + Picoseconds.text(config.cyclePs()) + " a header, "
                + config.startCycles() + " to start and " + config.finishCycles() + " to finish a search.";
    }
}
