package io.rankwire.tools.bench;

import io.rankwire.tools.plot.Panel;
import io.rankwire.tools.plot.Panel.Across;
import io.rankwire.tools.plot.Panel.Curve;
import io.rankwire.tools.plot.Plot;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Measured curves over message sizes, put on axes. */
final class Panels {
    /** What can be drawn. */
    static final Set<Work> WORKS = EnumSet.of(Work.LAT, Work.BW, Work.BIBW, Work.CURVE);

    private Panels() {}

    /** The drawing. */
    static String plot(List<Panel> panels, String machine, LocalDateTime when) {
        String date = when.format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT));
        return Plot.of("rankwire bench", "rankwire bench, " + date + ", medians of the rounds", machine, panels);
    }

    /** A panel for each of the works that has any value. */
    static List<Panel> of(Results results, Set<Work> works) {
        List<Panel> panels = new ArrayList<>();
        for (Work work : works) {
            List<Curve> curves = WORKS.contains(work) ? curves(results, work) : List.of();
            if (!curves.isEmpty()) {
                panels.add(new Panel(work.title, drawn(work.measure(work.label)), Across.SIZES, curves));
            }
            if (work == Work.CURVE && !curves.isEmpty()) {
                panels.add(new Panel("The same as bytes in that time", Measure.BANDWIDTH.unit, Across.SIZES,
                        rates(curves)));
            }
        }
        return panels;
    }

    /** Tables keep to letters that every terminal has; a drawing need not. */
    private static String drawn(Measure measure) {
        return measure == Measure.TIME ? "µs" : measure.unit;
    }

    /** Times over four decades hide differences that the bytes of a microsecond show, which are MB/s. */
    private static List<Curve> rates(List<Curve> times) {
        List<Curve> rates = new ArrayList<>();
        for (Curve time : times) {
            SortedMap<Long, Double> values = new TreeMap<>();
            time.values().forEach((bytes, us) -> values.put(bytes, bytes / us));
            rates.add(new Curve(time.name(), time.ours(), values));
        }
        return rates;
    }

    private static List<Curve> curves(Results results, Work work) {
        List<Curve> curves = new ArrayList<>();
        for (String kind : work.ours) {
            add(curves, name("rankwire", work, kind), results, Results.OURS, work, kind);
        }
        for (String peer : results.peers()) {
            for (String kind : work.theirs()) {
                add(curves, name(peer, work, kind), results, peer, work, kind);
            }
        }
        return curves;
    }

    private static String name(String side, Work work, String kind) {
        String part = work.part(kind);
        return part.isEmpty() ? side
                : side + " " + part.replace("twoended", "two-ended").replace("alloc", "allocated");
    }

    private static void add(List<Curve> curves, String name, Results results, String side, Work work, String kind) {
        SortedMap<Long, Double> values = new TreeMap<>();
        for (Point point : results.points(work)) {
            double value = results.median(side, work, new Point(kind, point.bytes(), point.depth()));
            if (point.bytes() > 0 && value > 0) {
                values.put(point.bytes(), value);
            }
        }
        if (!values.isEmpty()) {
            curves.add(new Curve(name, side.equals(Results.OURS), values));
        }
    }
}
