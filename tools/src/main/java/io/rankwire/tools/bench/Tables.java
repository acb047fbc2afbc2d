package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as tables for people, in the manner of the OSU benchmarks. */
final class Tables {
    private static final int FIRST = 12;

    private Tables() {}

    static String of(Results results, Work work) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(work.title).append(" (").append(work.unit).append(")\n");
        List<String> head = new ArrayList<>(List.of("# " + work.rowName, "ours best", "ours median"));
        boolean deep = isDeep(work);
        if (deep) {
            head.add("ours/depth 0");
        }
        List<String> peers = work.hasPeers() ? results.peers() : List.of();
        for (String peer : peers) {
            head.add(peer + " best");
            head.add(peer + " median");
        }
        if (!peers.isEmpty()) {
            head.add("cost_ratio");
        }
        line(text, head, head);
        for (Point point : results.points(work)) {
            List<String> row = new ArrayList<>(List.of(name(work, point)));
            double best = results.best(Results.OURS, work, point);
            row.add(number(best));
            row.add(number(results.median(Results.OURS, point)));
            if (deep) {
                row.add(number(best / results.best(Results.OURS, work, new Point(point.kind(), point.bytes(), 0))));
            }
            for (String peer : peers) {
                row.add(number(results.best(peer, work, point)));
                row.add(number(results.median(peer, point)));
            }
            if (!peers.isEmpty()) {
                row.add(number(results.costRatio(work, point)));
            }
            line(text, head, row);
        }
        return text.append('\n').toString();
    }

    private static boolean isDeep(Work work) {
        return work == Work.PRQ || work == Work.UEQ;
    }

    private static String name(Work work, Point point) {
        return switch (work) {
            case PRQ, UEQ -> Long.toString(point.depth());
            case ALLOC -> point.kind().substring(work.label.length() + 1);
            case START -> Side.RANKS + " ranks";
            default -> Long.toString(point.bytes());
        };
    }

    /** Columns as wide as their heads, and the first ones wide enough for all rows. */
    private static void line(StringBuilder text, List<String> head, List<String> row) {
        StringBuilder line = new StringBuilder(pad(row.get(0), FIRST, false));
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
