package io.rankwire.tools.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A drawing as text. */
final class Svg {
    static final String INK = "#222222";
    static final int LINE_HEIGHT = 17;
    /** An estimate of the width of a letter of the small text. */
    static final double LETTER = 6.6;
    private static final int HEADING_BASE = 30;
    private static final int TOLD_BASE = 50;

    private final StringBuilder text = new StringBuilder();

    /** Height of a heading with lines of small text below it. */
    static int header(int lines) {
        return TOLD_BASE + lines * LINE_HEIGHT;
    }

    void begin(int width, int height, String title) {
        element("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">", width, height, width, height, INK);
        text.append("<title>").append(escaped(title)).append("</title>\n");
        text.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    }

    void heading(int x, String heading, List<String> told) {
        words(x, HEADING_BASE, "font-size=\"18\" font-weight=\"bold\"", heading);
        for (int i = 0; i < told.size(); i++) {
            words(x, TOLD_BASE + i * LINE_HEIGHT, "", told.get(i));
        }
    }

    String end() {
        return text.append("</svg>\n").toString();
    }

    void element(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    void raw(CharSequence elements) {
        text.append(elements);
    }

    void rule(double x1, double y1, double x2, double y2, String colour) {
        element("<path d=\"M%.1f,%.1fL%.1f,%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, colour);
    }

    void words(double x, double y, String attributes, String words) {
        element("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>", x, y, attributes, escaped(words));
    }

    /** Lines of so many letters at most, broken after blanks. */
    static List<String> wrapped(String words, int most) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : words.split("\n")) {
            StringBuilder line = new StringBuilder();
            for (String part : paragraph.split("(?<= )")) {
                if (!line.isEmpty() && line.length() + part.stripTrailing().length() > most) {
                    lines.add(line.toString().strip());
                    line.setLength(0);
                }
                line.append(part);
            }
            lines.add(line.toString().strip());
        }
        return lines;
    }

    static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
