package io.rankwire.tools.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Results as comma-separated values, for programs; {@code rankwire bench --help} documents the columns. */
final class Csv {
    static final String HEAD = "work,bytes,depth,ranks,unit,ours,peer,theirs,cost_ratio";
    /** Columns that follow, of ours alone; the tables have them too. */
    static final List<String> SPREAD = List.of("min", "lower_quartile", "median", "upper_quartile", "max");
    /** The last columns, also without a spread: the line hand-off around the values of both sides. */
    static final List<String> HAND_OFF = List.of("hand_off_min_ns", "hand_off_max_ns");
    private static final String FLOOR = "floor";

    private Csv() {}

    static String of(Results results, Set<Work> works, Floors floors, boolean spread) {
        StringBuilder text = new StringBuilder(HEAD);
        text.append(spread ? "," + String.join(",", SPREAD) : "");
        text.append(',').append(String.join(",", HAND_OFF)).append('\n');
        for (Work work : works) {
            for (Point point : results.points(work)) {
                int ranks = work.ranks(point.kind());
                String unit = work.measure(point.kind()).unit;
                double ours = results.median(Results.OURS, work, point);
                double[] last = last(spread ? results.spread(work, point) : new double[0]);
                List<String> peers = results.peers(work);
                for (String peer : peers) {
                    take(last, results.handOffs(work, List.of(point), List.of(peer)));
                    row(text, point, ranks, unit, ours, peer, results.median(peer, work, point),
                            results.costRatio(work, point, peer), last);
                }
                if (peers.isEmpty()) {
                    take(last, results.handOffs(work, List.of(point), peers));
                    row(text, point, ranks, unit, ours, "", Double.NaN, Double.NaN, last);
                }
            }
        }
        double[] none = last(new double[spread ? SPREAD.size() : 0]);
        Arrays.fill(none, Double.NaN);
        floors(text, results, floors, none);
        return text.toString();
    }

    /** Room for the columns at the end. */
    private static double[] last(double[] spread) {
        return Arrays.copyOf(spread, spread.length + HAND_OFF.size());
    }

    private static void take(double[] last, Results.HandOffs handOffs) {
        last[last.length - 2] = handOffs.least();
        last[last.length - 1] = handOffs.most();
    }

    private static void floors(StringBuilder text, Results results, Floors floors, double[] last) {
        double ours = results.median(Results.OURS, Work.LAT, new Point(Work.LAT.label, 8, 0));
        double lineUs = floors.lineNs() / 1000;
        row(text, new Point(FLOOR, 8, 0), Side.RANKS, Measure.TIME.unit, ours, FLOOR, lineUs, ours / lineUs, last);
        floors.copies().forEach((bytes, rate) ->
                row(text, new Point(FLOOR, bytes, 0), 1, "GB/s", Double.NaN, FLOOR, rate, Double.NaN, last));
    }

    private static void row(StringBuilder text, Point point, int ranks, String unit, double ours, String peer,
            double theirs, double ratio, double[] last) {
        text.append(point.kind()).append(',').append(point.bytes()).append(',').append(point.depth()).append(',');
        text.append(ranks).append(',').append(unit).append(',').append(number(ours)).append(',');
        text.append(peer).append(',').append(number(theirs)).append(',').append(number(ratio));
        for (double value : last) {
            text.append(',').append(number(value));
        }
        text.append('\n');
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
