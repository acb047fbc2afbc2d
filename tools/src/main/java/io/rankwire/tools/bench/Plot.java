package io.rankwire.tools.bench;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Panels as a drawing: log axes, a line with marks of its own shape for each curve, so that no colour is needed to tell
 * them apart. Ours have full marks and whole lines, peers hollow marks and broken lines.
 */
final class Plot {
    private static final int PANEL_WIDTH = 620;
    private static final int PANEL_HEIGHT = 440;
    private static final int LEFT = 74;
    private static final int RIGHT = 24;
    private static final int TOP = 40;
    private static final int BOTTOM = 86;
    /** Keeps marks at the ends off the axis and its labels. */
    private static final int INSET = 12;
    private static final int LINE_HEIGHT = 17;
    /** An estimate of the width of a letter of the small text. */
    private static final double LETTER = 6.6;
    private static final int LEGEND_MARK = 34;
    private static final int LEGEND_GAP = 22;

    private static final String INK = "#222222";
    private static final List<Style> OURS = List.of(
            new Style("#0b5fa5", "M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", null),
            new Style("#00785a", "M0,-6L6,0L0,6L-6,0z", null),
            new Style("#222222", "M0,-5.5L5.5,4.5L-5.5,4.5z", null));
    private static final List<Style> PEERS = List.of(
            new Style("#c44e00", "M-4.5,-4.5h9v9h-9z", "7 4"),
            new Style("#9c3f86", "M0,5.5L5.5,-4.5L-5.5,-4.5z", "2 3"));

    /** How a curve looks; peers have dashes. */
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

    private final StringBuilder text = new StringBuilder();

    private Plot() {}

    static String of(List<Panel> panels, String machine, LocalDateTime when) {
        return new Plot().draw(panels, machine, when);
    }

    private String draw(List<Panel> panels, String machine, LocalDateTime when) {
        int columns = Math.clamp(panels.size(), 1, 2);
        int width = columns * PANEL_WIDTH;
        List<String> told = wrapped(machine, (int) ((width - LEFT - RIGHT) / LETTER));
        int header = 50 + told.size() * LINE_HEIGHT;
        int height = header + (panels.size() + columns - 1) / columns * PANEL_HEIGHT;
        element("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">", width, height, width, height, INK);
        text.append("<title>rankwire bench</title>\n");
        text.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        String date = when.format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT));
        words(LEFT, 30, "font-size=\"18\" font-weight=\"bold\"", "rankwire bench, " + date + ", medians of the rounds");
        for (int i = 0; i < told.size(); i++) {
            words(LEFT, 50 + i * LINE_HEIGHT, "", told.get(i));
        }
        for (int i = 0; i < panels.size(); i++) {
            element("<g transform=\"translate(%d,%d)\">",
                    i % columns * PANEL_WIDTH, header + i / columns * PANEL_HEIGHT);
            panel(panels.get(i));
            text.append("</g>\n");
        }
        return text.append("</svg>\n").toString();
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
        LogAxis x = LogAxis.sizes(smallest, largest, LEFT + INSET, right - INSET);
        LogAxis y = LogAxis.values(least, most, bottom, TOP);
        words(LEFT, TOP - 14, "font-size=\"14\" font-weight=\"bold\"", panel.title() + " (" + panel.unit() + ")");
        for (LogAxis.Mark mark : x.marks()) {
            double at = x.at(mark.value());
            rule(at, TOP, at, bottom, "#dddddd");
            words(at, bottom + 18, "text-anchor=\"middle\"", mark.label());
        }
        for (LogAxis.Mark mark : y.marks()) {
            double at = y.at(mark.value());
            rule(LEFT, at, right, at, mark.label() == null ? "#eeeeee" : "#cccccc");
            if (mark.label() != null) {
                words(LEFT - 8, at + 4, "text-anchor=\"end\"", mark.label());
            }
        }
        rule(LEFT, TOP, LEFT, bottom, INK);
        rule(LEFT, bottom, right, bottom, INK);
        words((LEFT + right) / 2.0, bottom + 38, "text-anchor=\"middle\"", "message size");
        words(0, 0, "text-anchor=\"middle\" transform=\"translate(16," + (TOP + bottom) / 2 + ") rotate(-90)\"",
                panel.unit());
        List<Style> styles = styles(panel);
        for (int i = 0; i < styles.size(); i++) {
            curve(panel.curves().get(i), panel.unit(), styles.get(i), x, y);
        }
        legend(panel, styles, bottom + 64);
    }

    private static List<Style> styles(Panel panel) {
        List<Style> styles = new ArrayList<>();
        int ours = 0;
        int peers = 0;
        for (Panel.Curve curve : panel.curves()) {
            styles.add(curve.ours() ? OURS.get(ours++ % OURS.size()) : PEERS.get(peers++ % PEERS.size()));
        }
        return styles;
    }

    private void curve(Panel.Curve curve, String unit, Style style, LogAxis x, LogAxis y) {
        StringBuilder points = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        for (Map.Entry<Long, Double> each : curve.values().entrySet()) {
            double atX = x.at(each.getKey());
            double atY = y.at(each.getValue());
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX, atY));
            String tip = curve.name() + ", " + Floors.size(each.getKey()) + ": " + Tables.number(each.getValue()) + " "
                    + unit;
            marks.append(style.markAt(atX, atY)).append("><title>").append(escaped(tip)).append("</title></path>\n");
        }
        text.append("<polyline fill=\"none\" ").append(style.stroke()).append(" points=\"");
        text.append(points.toString().strip()).append("\"/>\n").append(marks);
    }

    /** In one row, or ours in one and peers in the next when that is too wide. */
    private void legend(Panel panel, List<Style> styles, int y) {
        List<Integer> all = new ArrayList<>();
        List<Integer> ours = new ArrayList<>();
        List<Integer> peers = new ArrayList<>();
        for (int i = 0; i < styles.size(); i++) {
            all.add(i);
            (panel.curves().get(i).ours() ? ours : peers).add(i);
        }
        if (legendWidth(panel, all) <= PANEL_WIDTH) {
            legend(panel, styles, all, y);
        } else {
            legend(panel, styles, ours, y - 6);
            legend(panel, styles, peers, y + LINE_HEIGHT - 6);
        }
    }

    private void legend(Panel panel, List<Style> styles, List<Integer> row, int y) {
        double x = Math.max(8, (LEFT + PANEL_WIDTH - RIGHT + LEGEND_GAP - legendWidth(panel, row)) / 2);
        for (int i : row) {
            Style style = styles.get(i);
            String name = panel.curves().get(i).name();
            element("<path d=\"M%.1f,%dh%d\" %s/>", x, y, LEGEND_MARK - 6, style.stroke());
            text.append(style.markAt(x + (LEGEND_MARK - 6) / 2.0, y)).append("/>\n");
            words(x + LEGEND_MARK, y + 4, "", name);
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
        return LEGEND_MARK + name.length() * LETTER + LEGEND_GAP;
    }

    private void rule(double x1, double y1, double x2, double y2, String colour) {
        element("<path d=\"M%.1f,%.1fL%.1f,%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, colour);
    }

    private void element(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void words(double x, double y, String attributes, String words) {
        element("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>", x, y, attributes, escaped(words));
    }

    /** Lines of so many letters at most, broken after commas. */
    private static List<String> wrapped(String words, int most) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String part : words.split("(?<=, )")) {
            if (!line.isEmpty() && line.length() + part.length() > most) {
                lines.add(line.toString().strip());
                line.setLength(0);
            }
            line.append(part);
        }
        lines.add(line.toString().strip());
        return lines;
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
