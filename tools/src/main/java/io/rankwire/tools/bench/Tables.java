package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Results as tables for people, in the manner of the OSU benchmarks. */
final class Tables {
    private static final int FIRST = 16;
    private static final String HAND_OFF = "hand-off";
    /** A build that costs more than this times what the one before costs is worse, and not only measured so. */
    private static final double WORSE = 1.03;

    private Tables() {}

    /** A column of a table after the first. */
    private record Column(String head, Function<Point, String> text) {}

    /** @param spread whether the quartiles of ours follow in every row */
    static String of(Results results, Work work, boolean spread) {
        boolean plain = !spread && !results.isCompared();
        return work == Work.CURVE && plain ? curves(results) : rows(results, work, spread);
    }

    /** A table for each unit that the work is measured in. */
    private static String rows(Results results, Work work, boolean spread) {
        Map<Measure, List<Point>> parts = new EnumMap<>(Measure.class);
        boolean cold = false;
        for (Point point : results.points(work)) {
            if (point.isCold() && !results.isCompared()) {
                cold = true;
            } else {
                parts.computeIfAbsent(work.measure(point.kind()), ignored -> new ArrayList<>()).add(point);
            }
        }
        List<Column> columns = results.isCompared() ? compared(results, work) : columns(results, work, cold);
        if (spread) {
            for (int i = 0; i < Csv.SPREAD.size(); i++) {
                int at = i;
                columns.add(column(Csv.SPREAD.get(i), point -> results.spread(work, point)[at]));
            }
        }
        if (hasHandOffs(results, work)) {
            columns.add(new Column(HAND_OFF, point -> text(handOffs(results, work, point))));
        }
        if (results.isCompared()) {
            columns.add(new Column("", point -> isWorse(results.costRatio(work, point)) ? "worse" : ""));
        }
        StringBuilder text = new StringBuilder();
        parts.forEach((measure, points) -> rows(text, work, measure, points, columns));
        return text.toString();
    }

    private static Results.HandOffs handOffs(Results results, Work work, Point point) {
        return results.handOffs(work, List.of(point), results.peers(work));
    }

    private static boolean hasHandOffs(Results results, Work work) {
        return results.points(work).stream().anyMatch(point -> handOffs(results, work, point).isMeasured());
    }

    /** Least and most with a mark when they are far apart. */
    private static String text(Results.HandOffs ns) {
        return !ns.isMeasured() ? "-" : ns.haveChanged() ? String.format(Locale.ROOT, "%.0f-%.0f*", ns.least(),
                ns.most()) : String.format(Locale.ROOT, "%.0f", ns.median());
    }

    /** How many rows were measured on a machine that changed; empty if none was. */
    static String changed(Results results, Set<Work> works) {
        String share = share(results, works, (work, point) -> handOffs(results, work, point).haveChanged());
        return share.startsWith("0 ") ? "" : share + " were measured while the line hand-off changed by more than a"
                + " factor of 1.5 (*): their values may not be comparable";
    }

    private static String share(Results results, Set<Work> works, BiPredicate<Work, Point> isMarked) {
        int rows = 0;
        int marked = 0;
        for (Work work : works) {
            for (Point point : results.points(work)) {
                rows++;
                marked += isMarked.test(work, point) ? 1 : 0;
            }
        }
        return marked + " of " + rows + " rows";
    }

    private static Column column(String head, ToDoubleFunction<Point> value) {
        return new Column(head, point -> number(value.applyAsDouble(point)));
    }

    /** Two builds of ours. */
    private static List<Column> compared(Results results, Work work) {
        List<Column> columns = new ArrayList<>();
        columns.add(column(Results.BEFORE, point -> results.median(Results.BEFORE, work, point)));
        columns.add(column("after", point -> results.median(Results.OURS, work, point)));
        columns.add(column("ratio", point -> results.costRatio(work, point)));
        return columns;
    }

    /** How many rows of all are marked. */
    static String worse(Results results, Set<Work> works) {
        return share(results, works, (work, point) -> isWorse(results.costRatio(work, point)))
                + " are more than 3 % worse than before";
    }

    private static boolean isWorse(double ratio) {
        return ratio > WORSE;
    }

    /** @param cold whether the first calls of fresh processes are shown beside */
    private static List<Column> columns(Results results, Work work, boolean cold) {
        List<String> peers = results.peers(work);
        List<Column> columns = new ArrayList<>(side(results, work, Results.OURS, cold));
        if (work == Work.DEATHS) {
            columns.add(column("ours worst", point -> results.spread(work, point)[4]));
        }
        if (isDeep(work)) {
            columns.add(2, column("ours/depth 0", point -> results.median(Results.OURS, work, point)
                    / results.median(Results.OURS, work, new Point(point.kind(), point.bytes(), 0))));
        }
        for (String peer : peers) {
            columns.addAll(side(results, work, peer, cold));
        }
        if (!peers.isEmpty()) {
            columns.add(column("cost_ratio", point -> results.costRatio(work, point)));
        }
        if (!peers.isEmpty() && cold) {
            columns.add(column("cold_ratio", point -> results.costRatio(work, point.cold())));
        }
        return columns;
    }

    private static List<Column> side(Results results, Work work, String side, boolean cold) {
        List<Column> columns = new ArrayList<>();
        columns.add(column(side + " median", point -> results.median(side, work, point)));
        columns.add(column(side + " best", point -> results.best(side, work, point)));
        if (cold) {
            columns.add(column(side + " cold", point -> results.median(side, work, point.cold())));
        }
        return columns;
    }

    private static void rows(StringBuilder text, Work work, Measure measure, List<Point> points,
            List<Column> columns) {
        text.append("# ").append(work.title).append(" (").append(measure.unit).append(")\n");
        List<String> head = new ArrayList<>(List.of("# " + work.rowName));
        columns.forEach(column -> head.add(column.head));
        int width = FIRST;
        for (Point point : points) {
            width = Math.max(width, name(work, point).length() + 1);
        }
        line(text, width, head, head);
        for (Point point : points) {
            List<String> row = new ArrayList<>(List.of(name(work, point)));
            columns.forEach(column -> row.add(column.text.apply(point)));
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
        boolean hasHandOffs = hasHandOffs(results, work);
        if (hasHandOffs) {
            head.add(HAND_OFF);
        }
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
            if (hasHandOffs) {
                List<Point> points = work.ours.stream().map(kind -> new Point(kind, bytes, 0)).toList();
                row.add(text(results.handOffs(work, points, results.peers())));
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
            case ALLOC, DEATHS -> part;
            case START -> Side.RANKS + " ranks";
            default -> part.isEmpty() ? Long.toString(point.bytes()) : part + " " + point.bytes();
        };
    }

    /** Columns as wide as their heads, and the first ones wide enough for all rows; a wider value keeps a blank. */
    private static void line(StringBuilder text, int width, List<String> head, List<String> row) {
        StringBuilder line = new StringBuilder(pad(row.get(0), width, false));
        for (int i = 1; i < row.size(); i++) {
            line.append(pad(" " + row.get(i), Math.max(11, head.get(i).length()) + 2, true));
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
