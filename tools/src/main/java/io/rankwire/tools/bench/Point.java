package io.rankwire.tools.bench;

import java.util.Arrays;
import java.util.List;

/**
 * What a value is of.
 *
 * @param kind label of the work, or of a part of it: {@code alloc.persistent}
 */
record Point(String kind, long bytes, long depth) {
    private static final String MARK = "bench ";
    private static final String COLD = ".cold";

    /** A value that a program printed, and the line hand-off in ns before and after: none, one or both. */
    record Measured(Point point, double value, List<Double> handOffs) {}

    /** The same for the first calls of a fresh process. */
    Point cold() {
        return new Point(kind + COLD, bytes, depth);
    }

    boolean isCold() {
        return kind.endsWith(COLD);
    }

    /** Reads {@code bench KIND BYTES DEPTH VALUE}, and hand-offs behind it; null for any other line. */
    static Measured parse(String line) {
        String[] words = line.strip().split(" ");
        if (!line.startsWith(MARK) || words.length < 5 || words.length > 7) {
            return null;
        }
        try {
            List<Double> handOffs = Arrays.stream(words).skip(5).map(Double::valueOf).toList();
            return new Measured(new Point(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])),
                    Double.parseDouble(words[4]), handOffs);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The line that {@link #parse} reads; hand-offs that are NaN were not measured. */
    String line(double value, double... handOffs) {
        StringBuilder text = new StringBuilder(MARK + kind + " " + bytes + " " + depth + " " + value);
        for (double each : handOffs) {
            text.append(Double.isNaN(each) ? "" : " " + each);
        }
        return text.toString();
    }
}
