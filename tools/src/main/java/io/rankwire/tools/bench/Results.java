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

    /** Line hand-offs of one row, in ns. */
    record HandOffs(double least, double median, double most) {
        /** Beyond this factor the machine was another one, and values may not be comparable. */
        static final double STEADY = 1.5;

        boolean isMeasured() {
            return !Double.isNaN(median);
        }

        boolean haveChanged() {
            return most > STEADY * least;
        }
    }

    private final Map<String, Map<Point, Samples>> sides = new LinkedHashMap<>();
    /** The line hand-off, in ns, around each value. */
    private final Map<String, Map<Point, Samples>> handOffs = new LinkedHashMap<>();
    private final List<String> peers = new ArrayList<>();

    /** Peers have a column even before, and without, any value. */
    Results(List<String> peers) {
        this.peers.addAll(peers);
    }

    void add(String side, int round, Point point, double value) {
        add(sides, side, round, point, value);
    }

    void addHandOff(String side, int round, Point point, double ns) {
        add(handOffs, side, round, point, ns);
    }

    private static void add(
            Map<String, Map<Point, Samples>> to, String side, int round, Point point, double value) {
        to.computeIfAbsent(side, ignored -> new LinkedHashMap<>())
                .computeIfAbsent(point, ignored -> new Samples())
                .add(round, value);
    }

    /** The same without what came of some rounds. */
    Results without(Set<Integer> rounds) {
        Results others = new Results(peers);
        without(rounds, sides, others.sides);
        without(rounds, handOffs, others.handOffs);
        return others;
    }

    private static void without(
            Set<Integer> rounds, Map<String, Map<Point, Samples>> from, Map<String, Map<Point, Samples>> to) {
        from.forEach((side, points) -> {
            Map<Point, Samples> kept = new LinkedHashMap<>();
            points.forEach((point, samples) -> kept.put(point, samples.without(rounds)));
            to.put(side, kept);
        });
    }

    /**
     * The same without the values around which the line hand-off was not as usual, in the rows of which each side keeps
     * two values; other rows stay whole.
     */
    Results alike() {
        Samples all = new Samples();
        handOffs.values().forEach(points -> points.values().forEach(all::addAll));
        double usual = all.median();
        Set<Point> unsteady = new LinkedHashSet<>();
        sides.forEach((side, points) -> points.forEach((point, samples) -> {
            if (samples.without(unusual(side, point, usual)).count() < 2) {
                unsteady.add(point);
            }
        }));
        Results others = new Results(peers);
        alike(usual, unsteady, sides, others.sides);
        alike(usual, unsteady, handOffs, others.handOffs);
        return others;
    }

    private void alike(double usual, Set<Point> unsteady, Map<String, Map<Point, Samples>> from,
            Map<String, Map<Point, Samples>> to) {
        from.forEach((side, points) -> {
            Map<Point, Samples> kept = new LinkedHashMap<>();
            points.forEach((point, samples) -> kept.put(point,
                    unsteady.contains(point) ? samples : samples.without(unusual(side, point, usual))));
            to.put(side, kept);
        });
    }

    private Set<Integer> unusual(String side, Point point, double usual) {
        return handOffs.getOrDefault(side, Map.of()).getOrDefault(point, NONE).apart(usual, HandOffs.STEADY);
    }

    /** How many values there are. */
    int count() {
        return sides.values().stream().flatMap(points -> points.values().stream()).mapToInt(Samples::count).sum();
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
        return of(sides, side, work, point);
    }

    private static Samples of(Map<String, Map<Point, Samples>> values, String side, Work work, Point point) {
        Point its = side.equals(OURS) || side.equals(BEFORE)
                ? point
                : new Point(work.counterpart(point.kind()), point.bytes(), point.depth());
        return values.getOrDefault(side, Map.of()).getOrDefault(its, NONE);
    }

    /** The best of a side; NaN without a value. */
    double best(String side, Work work, Point point) {
        return of(side, work, point).best(work.measure(point.kind()).lowerIsBetter);
    }

    /** Minimum, lower quartile, median, upper quartile and maximum of ours. */
    double[] spread(Work work, Point point) {
        return of(OURS, work, point).spread();
    }

    /** The line hand-off around the values of ours and of some peers at some points; NaN if it was not measured. */
    HandOffs handOffs(Work work, List<Point> points, List<String> with) {
        Samples all = new Samples();
        for (Point point : points) {
            all.addAll(of(handOffs, OURS, work, point));
            with.forEach(peer -> all.addAll(of(handOffs, peer, work, point)));
        }
        double[] spread = all.spread();
        return new HandOffs(spread[0], spread[2], spread[4]);
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
