package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Results as tables for people, in the manner of the OSU benchmarks. */
final class Tables {
    private static final int FIRST = 16;

    private Tables() {}

    static String of(Results results, Work work) {
        return work == Work.CURVE ? curves(results) : rows(results, work);
    }

    /** A table for each unit that the work is measured in. */
    private static String rows(Results results, Work work) {
        Map<Measure, List<Point>> parts = new EnumMap<>(Measure.class);
        for (Point point : results.points(work)) {
            parts.computeIfAbsent(work.measure(point.kind()), ignored -> new ArrayList<>()).add(point);
        }
        StringBuilder text = new StringBuilder();
        parts.forEach((measure, points) -> rows(text, results, work, measure, points));
        return text.toString();
    }

    private static void rows(StringBuilder text, Results results, Work work, Measure measure, List<Point> points) {
        text.append("# ").append(work.title).append(" (").append(measure.unit).append(")\n");
        List<String> head = new ArrayList<>(List.of("# " + work.rowName, "ours median", "ours best"));
        boolean deep = isDeep(work);
        if (deep) {
            head.add("ours/depth 0");
        }
        List<String> peers = work.theirs().isEmpty() ? List.of() : results.peers();
        for (String peer : peers) {
            head.add(peer + " median");
            head.add(peer + " best");
        }
        if (!peers.isEmpty()) {
            head.add("cost_ratio");
        }
        int width = FIRST;
        for (Point point : points) {
            width = Math.max(width, name(work, point).length() + 1);
        }
        line(text, width, head, head);
        for (Point point : points) {
            List<String> row = new ArrayList<>(List.of(name(work, point)));
            double median = results.median(Results.OURS, work, point);
            row.add(number(median));
            row.add(number(results.best(Results.OURS, work, point)));
            if (deep) {
                Point shallow = new Point(point.kind(), point.bytes(), 0);
                row.add(number(median / results.median(Results.OURS, work, shallow)));
            }
            for (String peer : peers) {
                row.add(number(results.median(peer, work, point)));
                row.add(number(results.best(peer, work, point)));
            }
            if (!peers.isEmpty()) {
                row.add(number(results.costRatio(work, point)));
            }
            line(text, width, head, row);
        }
        text.append('\n');
    }

    /** A row for each size, and the protocols and peers side by side. */
    private static String curves(Results results) {
        Work work = Work.CURVE;
        StringBuilder text = new StringBuilder();
        text.append("# ").append(work.title).append(" (").append(Measure.TIME.unit).append(")\n");
        List<String> head = new ArrayList<>(List.of("# " + work.rowName));
        work.ours.forEach(kind -> head.add(work.part(kind)));
        head.addAll(results.peers());
        line(text, FIRST, head, head);
        Set<Long> sizes = new TreeSet<>();
        results.points(work).forEach(point -> sizes.add(point.bytes()));
        for (long bytes : sizes) {
            List<String> row = new ArrayList<>(List.of(Long.toString(bytes)));
            for (String kind : work.ours) {
                row.add(number(results.median(Results.OURS, work, new Point(kind, bytes, 0))));
            }
            for (String peer : results.peers()) {
                row.add(number(results.median(peer, work, new Point(work.label, bytes, 0))));
            }
            line(text, FIRST, head, row);
        }
        return text.append('\n').toString();
    }

    private static boolean isDeep(Work work) {
        return work == Work.PRQ || work == Work.UEQ;
    }

    private static String name(Work work, Point point) {
        String part = work.part(point.kind());
        return switch (work) {
            case PRQ, UEQ -> Long.toString(point.depth());
            case ALLOC -> part;
            case START -> Side.RANKS + " ranks";
            default -> part.isEmpty() ? Long.toString(point.bytes()) : part + " " + point.bytes();
        };
    }

    /** Columns as wide as their heads, and the first ones wide enough for all rows. */
    private static void line(StringBuilder text, int width, List<String> head, List<String> row) {
        StringBuilder line = new StringBuilder(pad(row.get(0), width, false));
        for (int i = 1; i < row.size(); i++) {
            line.append(pad(row.get(i), Math.max(11, head.get(i).length()) + 2, true));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static String pad(String word, int width, boolean right) {
        String blanks = " ".repeat(Math.max(0, width - word.length()));
        return right ? blanks + word : word + blanks;
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value >= 1000 ? "%.1f" : "%.3f", value);
    }
}
