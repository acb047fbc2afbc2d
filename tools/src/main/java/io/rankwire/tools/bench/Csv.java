package io.rankwire.tools.bench;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Results as comma-separated values, for programs; {@code rankwire bench --help} documents the columns. */
final class Csv {
    static final String HEAD = "work,bytes,depth,ranks,unit,ours,peer,theirs,cost_ratio";
    private static final String FLOOR = "floor";

    private Csv() {}

    static String of(Results results, Set<Work> works, Floors floors) {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        for (Work work : works) {
            for (Point point : results.points(work)) {
                int ranks = work.ranks(point.kind());
                String unit = work.measure(point.kind()).unit;
                double ours = results.median(Results.OURS, work, point);
                List<String> peers = work.theirs().isEmpty() ? List.of() : results.peers();
                for (String peer : peers) {
                    row(text, point, ranks, unit, ours, peer, results.median(peer, work, point),
                            results.costRatio(work, point, peer));
                }
                if (peers.isEmpty()) {
                    row(text, point, ranks, unit, ours, "", Double.NaN, Double.NaN);
                }
            }
        }
        floors(text, results, floors);
        return text.toString();
    }

    private static void floors(StringBuilder text, Results results, Floors floors) {
        double ours = results.median(Results.OURS, Work.LAT, new Point(Work.LAT.label, 8, 0));
        double lineUs = floors.lineNs() / 1000;
        row(text, new Point(FLOOR, 8, 0), Side.RANKS, Measure.TIME.unit, ours, FLOOR, lineUs, ours / lineUs);
        floors.copies().forEach((bytes, rate) ->
                row(text, new Point(FLOOR, bytes, 0), 1, "GB/s", Double.NaN, FLOOR, rate, Double.NaN));
    }

    private static void row(StringBuilder text, Point point, int ranks, String unit, double ours, String peer,
            double theirs, double ratio) {
        text.append(point.kind()).append(',').append(point.bytes()).append(',').append(point.depth()).append(',');
        text.append(ranks).append(',').append(unit).append(',').append(number(ours)).append(',');
        text.append(peer).append(',').append(number(theirs)).append(',').append(number(ratio)).append('\n');
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
