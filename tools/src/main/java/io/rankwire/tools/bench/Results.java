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
    /** The side of another build of ours, the only peer when there is one. */
    static final String BEFORE = "before";

    private static final Samples NONE = new Samples();

    private final Map<String, Map<Point, Samples>> sides = new LinkedHashMap<>();
    private final List<String> peers = new ArrayList<>();

    /** Peers have a column even before, and without, any value. */
    Results(List<String> peers) {
        this.peers.addAll(peers);
    }

    void add(String side, int round, Point point, double value) {
        sides.computeIfAbsent(side, ignored -> new LinkedHashMap<>())
                .computeIfAbsent(point, ignored -> new Samples())
                .add(round, value);
    }

    /** The same without what came of some rounds. */
    Results without(Set<Integer> rounds) {
        Results others = new Results(peers);
        sides.forEach((side, points) -> {
            Map<Point, Samples> kept = new LinkedHashMap<>();
            points.forEach((point, samples) -> kept.put(point, samples.without(rounds)));
            others.sides.put(side, kept);
        });
        return others;
    }

    boolean isEmpty() {
        return sides.isEmpty();
    }

    List<String> peers() {
        return peers;
    }

    /** The peers that can do a work. */
    List<String> peers(Work work) {
        return isCompared() || !work.theirs().isEmpty() ? peers : List.of();
    }

    /** Whether this is about two builds of ours. */
    boolean isCompared() {
        return peers.contains(BEFORE);
    }

    /** The points of a work that ours or a peer has, in the order they came, each as ours would name it. */
    Set<Point> points(Work work) {
        Set<Point> points = new LinkedHashSet<>();
        for (Map<Point, Samples> side : sides.values()) {
            for (Point point : side.keySet()) {
                if (work.has(point.kind()) && (work != Work.CURVE || work.ours.contains(point.kind()))) {
                    points.add(point);
                }
            }
        }
        return points;
    }

    /** The values of a side beside a point of ours. */
    private Samples of(String side, Work work, Point point) {
        Point its = side.equals(OURS) || side.equals(BEFORE)
                ? point
                : new Point(work.counterpart(point.kind()), point.bytes(), point.depth());
        return sides.getOrDefault(side, Map.of()).getOrDefault(its, NONE);
    }

    /** The best of a side; NaN without a value. */
    double best(String side, Work work, Point point) {
        return of(side, work, point).best(work.measure(point.kind()).lowerIsBetter);
    }

    /** Minimum, lower quartile, median, upper quartile and maximum of ours. */
    double[] spread(Work work, Point point) {
        return of(OURS, work, point).spread();
    }

    double median(String side, Work work, Point point) {
        return of(side, work, point).median();
    }

    /** Ours against one peer, medians of rounds; NaN when one of them has no value. */
    double costRatio(Work work, Point point, String peer) {
        double ours = median(OURS, work, point);
        double theirs = median(peer, work, point);
        return work.measure(point.kind()).costRatio(ours, theirs);
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
