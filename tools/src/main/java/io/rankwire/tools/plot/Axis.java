package io.rankwire.tools.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** A logarithmic axis from one coordinate to another, which may run backwards, with its marks. */
public record Axis(double least, double most, double from, double to, List<Mark> marks) {
    private static final double[] STEPS = {1, 2, 5};
    private static final int MOST_SIZES = 8;
    /** Above this many decades only the ends and the powers of ten are labelled. */
    private static final double WIDE = 2.1;

    /** A line across; without a label a faint one. */
    public record Mark(double value, String label) {}

    public double at(double value) {
        return from + (to - from) * Math.log(value / least) / Math.log(most / least);
    }

    /** Bytes, marked at powers of two. */
    public static Axis sizes(double least, double most, double from, double to) {
        int first = floorLog(least);
        int last = Math.max(first + 1, ceilLog(most));
        return powers(first, last, (last - first) / MOST_SIZES + 1, from, to, Axis::size);
    }

    /** Numbers of things, marked at powers of two, the last of them too. */
    public static Axis counts(double least, double most, double from, double to) {
        int first = floorLog(least);
        int last = Math.max(first + 1, ceilLog(most));
        int step = 1;
        while ((last - first) % step != 0 || (last - first) / step > MOST_SIZES) {
            step++;
        }
        return powers(first, last, step, from, to, count -> String.format(Locale.ROOT, "%,d", count));
    }

    private static int floorLog(double value) {
        return (int) Math.floor(Math.log(value) / Math.log(2) + 1e-9);
    }

    private static int ceilLog(double value) {
        return (int) Math.ceil(Math.log(value) / Math.log(2) - 1e-9);
    }

    private static Axis powers(int first, int last, int step, double from, double to, LongFunction<String> labels) {
        List<Mark> marks = new ArrayList<>();
        for (int power = first; power <= last; power += step) {
            marks.add(new Mark(Math.scalb(1.0, power), labels.apply(1L << power)));
        }
        return new Axis(Math.scalb(1.0, first), Math.scalb(1.0, last), from, to, marks);
    }

    /** A number of bytes, for people. */
    public static String size(long bytes) {
        if (bytes == 0 || bytes % 1024 != 0) {
            return bytes + " B";
        }
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
    }

    /** Any values above 0, marked at 1, 2 and 5 of each decade. */
    public static Axis values(double least, double most, double from, double to) {
        int step = (int) Math.floor(Math.log10(least)) * STEPS.length - 1;
        while (value(step + 1) <= least) {
            step++;
        }
        double start = value(step);
        List<Mark> marks = new ArrayList<>();
        List<Double> values = new ArrayList<>(List.of(start));
        while (values.size() < 2 || values.getLast() < most) {
            values.add(value(++step));
        }
        boolean wide = Math.log10(values.getLast() / start) > WIDE;
        for (double value : values) {
            boolean decade = Math.abs(Math.log10(value) - Math.rint(Math.log10(value))) < 1e-9;
            boolean end = value == start || value == values.getLast();
            marks.add(new Mark(value, wide && !decade && !end ? null : label(value)));
        }
        return new Axis(start, values.getLast(), from, to, marks);
    }

    private static double value(int step) {
        return STEPS[Math.floorMod(step, STEPS.length)] * Math.pow(10, Math.floorDiv(step, STEPS.length));
    }

    private static String label(double value) {
        return value >= 1
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.6f", value).replaceFirst("0+$", "");
    }
}
