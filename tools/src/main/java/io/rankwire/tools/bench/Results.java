package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that was measured so far, by side. */
final class Results {
    static final String OURS = "ours";

    private final Map<String, Map<Point, Samples>> sides = new LinkedHashMap<>();
    private final List<String> peers = new ArrayList<>();

    /** Peers have a column even before, and without, any value. */
    Results(List<String> peers) {
        this.peers.addAll(peers);
    }

    void add(String side, Point point, double value) {
        sides.computeIfAbsent(side, ignored -> new LinkedHashMap<>())
                .computeIfAbsent(point, ignored -> new Samples())
                .add(value);
    }

    List<String> peers() {
        return peers;
    }

    /** The values of a side, or null. */
    Samples of(String side, Point point) {
        return sides.getOrDefault(side, Map.of()).get(point);
    }

    /** The points of a work that any side has, in the order they came. */
    Set<Point> points(Work work) {
        Set<Point> points = new LinkedHashSet<>();
        for (Map<Point, Samples> side : sides.values()) {
            for (Point point : side.keySet()) {
                if (point.kind().equals(work.label) || point.kind().startsWith(work.label + ".")) {
                    points.add(point);
                }
            }
        }
        return points;
    }

    /** The best of a side; NaN without a value. */
    double best(String side, Work work, Point point) {
        Samples samples = of(side, point);
        return samples == null ? Double.NaN : samples.best(work.lowerIsBetter);
    }

    double median(String side, Point point) {
        Samples samples = of(side, point);
        return samples == null ? Double.NaN : samples.median();
    }

    /** Ours against one peer, best of rounds; NaN when one of them has no value. */
    double costRatio(Work work, Point point, String peer) {
        return work.costRatio(best(OURS, work, point), best(peer, work, point));
    }

    /** Ours against the better peer: the largest of the ratios; NaN when there is none. */
    double costRatio(Work work, Point point) {
        double worst = Double.NaN;
        for (String peer : peers) {
            double ratio = costRatio(work, point, peer);
            worst = Double.isNaN(worst) ? ratio : Double.isNaN(ratio) ? worst : Math.max(worst, ratio);
        }
        return worst;
    }
}
