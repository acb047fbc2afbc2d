package io.rankwire.tools.bench;

import io.rankwire.tools.plot.Axis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The machine's floors at one time: a line hand-off in nanoseconds, and copies in GB/s by size. */
record Floors(double lineNs, Map<Long, Double> copies) {
    private static final double LIMIT_SECONDS = 60;
    private static final double STEADY = 1.1;
    private static final int LEAST_MS = 20;

    static Floors measure(Workbench bench, double effort) throws IOException {
        return measure(bench, 1000 * effort, List.of());
    }

    /** The line hand-off alone, in a third of a second or so. */
    static double lineNs(Workbench bench, double effort) throws IOException {
        return measure(bench, 200 * effort, List.of("line")).lineNs;
    }

    private static Floors measure(Workbench bench, double ms, List<String> part) throws IOException {
        List<String> command = Side.rankwireRun(FloorRank.class);
        command.add(Integer.toString((int) Math.max(LEAST_MS, ms)));
        command.addAll(part);
        Workbench.Outcome outcome = bench.run(command, LIMIT_SECONDS);
        if (!outcome.ok()) {
            throw new IOException("cannot measure the floors: the program " + outcome.failure());
        }
        double line = Double.NaN;
        Map<Long, Double> copies = new LinkedHashMap<>();
        for (String each : outcome.lines()) {
            Point.Measured measured = Point.parse(each);
            if (measured != null && measured.point().kind().equals("line")) {
                line = measured.value();
            } else if (measured != null) {
                copies.put(measured.point().bytes(), measured.value());
            }
        }
        return new Floors(line, copies);
    }

    String describe() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "line hand-off %.1f ns; copy", lineNs));
        String separator = " ";
        for (Map.Entry<Long, Double> copy : copies.entrySet()) {
            text.append(separator)
                    .append(Axis.size(copy.getKey()))
                    .append(String.format(Locale.ROOT, " %.1f GB/s", copy.getValue()));
            separator = ", ";
        }
        return text.toString();
    }

    /** The faster copies of two times, what the machine can do, beside the line hand-off of the rounds between. */
    Floors with(double roundsLineNs, Floors other) {
        Map<Long, Double> best = new LinkedHashMap<>(copies);
        other.copies.forEach((bytes, rate) -> best.merge(bytes, rate, Math::max));
        return new Floors(Double.isNaN(roundsLineNs) ? Math.min(lineNs, other.lineNs) : roundsLineNs, best);
    }

    /** What has changed by more than a tenth since then, a sentence for each. */
    List<String> movedSince(Floors before) {
        List<String> moved = new ArrayList<>();
        if (differ(before.lineNs, lineNs)) {
            moved.add(String.format(
                    Locale.ROOT, "the line hand-off took %.1f ns before and %.1f ns after", before.lineNs, lineNs));
        }
        for (Map.Entry<Long, Double> copy : copies.entrySet()) {
            Double earlier = before.copies.get(copy.getKey());
            if (earlier != null && differ(earlier, copy.getValue())) {
                moved.add(String.format(Locale.ROOT, "copies of %s ran at %.1f GB/s before and %.1f GB/s after",
                        Axis.size(copy.getKey()), earlier, copy.getValue()));
            }
        }
        return moved;
    }

    private static boolean differ(double one, double other) {
        return Math.max(one, other) > STEADY * Math.min(one, other);
    }
}
