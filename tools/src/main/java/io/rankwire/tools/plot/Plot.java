package io.rankwire.tools.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Panels as a drawing: log axes, a line with marks of its own shape for each curve, so that no colour is needed to
 * distinguish them. Ours have full marks and whole lines, the others hollow marks and broken lines.
 */
public final class Plot {
    private static final int PANEL_WIDTH = 620;
    private static final int PANEL_HEIGHT = 440;
    private static final int LEFT = 74;
    private static final int RIGHT = 24;
    private static final int TOP = 40;
    private static final int BOTTOM = 86;
    /** Keeps marks at the ends off the axis and its labels. */
    private static final int INSET = 12;
    private static final int LEGEND_MARK = 34;
    private static final int LEGEND_GAP = 22;
    /** A row of a legend is centred below the axis, and no wider than that leaves room for on both sides. */
    private static final int LEGEND_WIDTH = 2 * (PANEL_WIDTH - (LEFT + PANEL_WIDTH - RIGHT) / 2) - RIGHT;
    /** Rows of a legend that a panel has room for. */
    private static final int USUAL_LEGENDS = 2;

    private static final List<Style> OURS = List.of(
            new Style("#0b5fa5", "M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", null),
            new Style("#00785a", "M0,-6L6,0L0,6L-6,0z", null),
            new Style("#222222", "M0,-5.5L5.5,4.5L-5.5,4.5z", null),
            new Style("#b03060", "M-4.5,-4.5h9v9h-9z", null),
            new Style("#7a5c00", "M0,5.5L5.5,-4.5L-5.5,-4.5z", null),
            new Style("#6a3fb5", "M-5.5,-2h3.5v-3.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5z", null),
            new Style("#c44e00", "M-6,0L-2,-5.5L5.5,-3.5L5.5,3.5L-2,5.5z", null));
    private static final List<Style> OTHERS = List.of(
            new Style("#c44e00", "M-4.5,-4.5h9v9h-9z", "7 4"),
            new Style("#9c3f86", "M0,5.5L5.5,-4.5L-5.5,-4.5z", "2 3"),
            new Style("#555555", "M0,-6L6,0L0,6L-6,0z", "9 3 2 3"),
            new Style("#7a5c00", "M0,-5.5L5.5,4.5L-5.5,4.5z", "4 2"),
            new Style("#00785a", "M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", "12 3"));

    /** How a curve looks; others than ours have dashes. */
    private record Style(String colour, String mark, String dashes) {
        String stroke() {
            return "stroke=\"" + colour + "\" stroke-width=\"" + (dashes == null ? 2.2 : 1.6) + "\""
                    + (dashes == null ? "" : " stroke-dasharray=\"" + dashes + "\"");
        }

        String markAt(double x, double y) {
            return String.format(Locale.ROOT, "<path transform=\"translate(%.1f,%.1f)\" d=\"%s\" fill=\"%s\""
                    + " stroke=\"%s\" stroke-width=\"1.6\"", x, y, mark, dashes == null ? colour : "#ffffff", colour);
        }
    }

    private final Svg svg = new Svg();

    private Plot() {}

    /**
     * @param title of the document
     * @param text below the heading, broken into lines as it fits
     */
    public static String of(String title, String heading, String text, List<Panel> panels) {
        return new Plot().draw(title, heading, text, panels);
    }

    private String draw(String title, String heading, String text, List<Panel> panels) {
        int columns = Math.clamp(panels.size(), 1, 2);
        int width = columns * PANEL_WIDTH;
        Svg.Header words = Svg.Header.of(heading, text, width - LEFT - RIGHT);
        int header = words.height();
        int legends = 0;
        for (Panel panel : panels) {
            legends = Math.max(legends, legendRows(panel).size());
        }
        int each = PANEL_HEIGHT + Math.max(0, legends - USUAL_LEGENDS) * Svg.LINE_HEIGHT;
        svg.begin(width, header + (panels.size() + columns - 1) / columns * each, title);
        svg.header(LEFT, words);
        for (int i = 0; i < panels.size(); i++) {
            svg.element("<g transform=\"translate(%d,%d)\">",
                    i % columns * PANEL_WIDTH, header + i / columns * each);
            panel(panels.get(i));
            svg.raw("</g>\n");
        }
        return svg.end();
    }

    private void panel(Panel panel) {
        double least = Double.MAX_VALUE;
        double most = 0;
        long smallest = Long.MAX_VALUE;
        long largest = 0;
        for (Panel.Curve curve : panel.curves()) {
            smallest = Math.min(smallest, curve.values().firstKey());
            largest = Math.max(largest, curve.values().lastKey());
            for (double value : curve.values().values()) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        int right = PANEL_WIDTH - RIGHT;
        int bottom = PANEL_HEIGHT - BOTTOM;
        Axis x = panel.across() == Panel.Across.SIZES
                ? Axis.sizes(smallest, largest, LEFT + INSET, right - INSET)
                : Axis.counts(smallest, largest, LEFT + INSET, right - INSET);
        Axis y = Axis.values(least, most, bottom, TOP);
        svg.words(LEFT, TOP - 14, "font-size=\"14\" font-weight=\"bold\"", panel.title() + " (" + panel.unit() + ")");
        for (Axis.Mark mark : x.marks()) {
            double at = x.at(mark.value());
            svg.rule(at, TOP, at, bottom, "#dddddd");
            svg.words(at, bottom + 18, "text-anchor=\"middle\"", mark.label());
        }
        for (Axis.Mark mark : y.marks()) {
            double at = y.at(mark.value());
            svg.rule(LEFT, at, right, at, mark.label() == null ? "#eeeeee" : "#cccccc");
            if (mark.label() != null) {
                svg.words(LEFT - 8, at + 4, "text-anchor=\"end\"", mark.label());
            }
        }
        svg.rule(LEFT, TOP, LEFT, bottom, Svg.INK);
        svg.rule(LEFT, bottom, right, bottom, Svg.INK);
        svg.words((LEFT + right) / 2.0, bottom + 38, "text-anchor=\"middle\"", panel.across().label);
        svg.words(0, 0, "text-anchor=\"middle\" transform=\"translate(16," + (TOP + bottom) / 2 + ") rotate(-90)\"",
                panel.unit());
        List<Style> styles = styles(panel);
        for (int i = 0; i < styles.size(); i++) {
            curve(panel.curves().get(i), panel, styles.get(i), x, y);
        }
        legend(panel, styles, bottom + 64);
    }

    private static List<Style> styles(Panel panel) {
        List<Style> styles = new ArrayList<>();
        int ours = 0;
        int others = 0;
        for (Panel.Curve curve : panel.curves()) {
            styles.add(curve.ours() ? OURS.get(ours++ % OURS.size()) : OTHERS.get(others++ % OTHERS.size()));
        }
        return styles;
    }

    private void curve(Panel.Curve curve, Panel panel, Style style, Axis x, Axis y) {
        StringBuilder points = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        for (Map.Entry<Long, Double> each : curve.values().entrySet()) {
            double atX = x.at(each.getKey());
            double atY = y.at(each.getValue());
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX, atY));
            String over = panel.across() == Panel.Across.SIZES ? Axis.size(each.getKey())
                    : each.getKey() + " " + panel.across().label;
            String tip = String.format(Locale.ROOT, "%s, %s: %.3f %s", curve.name(), over, each.getValue(),
                    panel.unit());
            marks.append(style.markAt(atX, atY)).append("><title>").append(Svg.escaped(tip));
            marks.append("</title></path>\n");
        }
        svg.raw("<polyline fill=\"none\" " + style.stroke() + " points=\"" + points.toString().strip() + "\"/>\n");
        svg.raw(marks);
    }

    private void legend(Panel panel, List<Style> styles, int y) {
        List<List<Integer>> rows = legendRows(panel);
        int first = rows.size() == 1 ? y : y - 6;
        for (int row = 0; row < rows.size(); row++) {
            legend(panel, styles, rows.get(row), first + row * Svg.LINE_HEIGHT);
        }
    }

    /** As many rows as it takes; a row that would be too wide goes on in the next. */
    private static List<List<Integer>> legendRows(Panel panel) {
        List<List<Integer>> rows = new ArrayList<>(List.of(new ArrayList<>()));
        for (int i = 0; i < panel.curves().size(); i++) {
            List<Integer> row = rows.getLast();
            row.add(i);
            if (row.size() > 1 && legendWidth(panel, row) > LEGEND_WIDTH) {
                row.removeLast();
                rows.add(new ArrayList<>(List.of(i)));
            }
        }
        return rows;
    }

    private void legend(Panel panel, List<Style> styles, List<Integer> row, int y) {
        double x = Math.max(8, (LEFT + PANEL_WIDTH - RIGHT + LEGEND_GAP - legendWidth(panel, row)) / 2);
        for (int i : row) {
            Style style = styles.get(i);
            String name = panel.curves().get(i).name();
            svg.element("<path d=\"M%.1f,%dh%d\" %s/>", x, y, LEGEND_MARK - 6, style.stroke());
            svg.raw(style.markAt(x + (LEGEND_MARK - 6) / 2.0, y) + "/>\n");
            svg.words(x + LEGEND_MARK, y + 4, "", name);
            x += legendWidth(name);
        }
    }

    private static double legendWidth(Panel panel, List<Integer> row) {
        double width = 0;
        for (int i : row) {
            width += legendWidth(panel.curves().get(i).name());
        }
        return width;
    }

    private static double legendWidth(String name) {
        return LEGEND_MARK + name.length() * Svg.LETTER + LEGEND_GAP;
    }
}
