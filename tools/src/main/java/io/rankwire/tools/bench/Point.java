package io.rankwire.tools.bench;

/**
 * What a value is of.
 *
 * @param kind label of the work, or of a part of it: {@code alloc.persistent}
 */
record Point(String kind, long bytes, long depth) {
    private static final String MARK = "bench ";
    private static final String COLD = ".cold";

    /** A value that a program printed. */
    record Measured(Point point, double value) {}

    /** The same for the first calls of a fresh process. */
    Point cold() {
        return new Point(kind + COLD, bytes, depth);
    }

    boolean isCold() {
        return kind.endsWith(COLD);
    }

    /** Reads {@code bench KIND BYTES DEPTH VALUE}; null for any other line. */
    static Measured parse(String line) {
        if (!line.startsWith(MARK)) {
            return null;
        }
        String[] words = line.strip().split(" ");
        try {
            return words.length != 5
                    ? null
                    : new Measured(
                            new Point(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])),
                            Double.parseDouble(words[4]));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The line that {@link #parse} reads. */
    String line(double value) {
        return MARK + kind + " " + bytes + " " + depth + " " + value;
    }
}
