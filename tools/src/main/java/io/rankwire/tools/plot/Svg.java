package io.rankwire.tools.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A drawing as text. */
final class Svg {
    static final String INK = "#222222";
    static final int LINE_HEIGHT = 17;
    /** How wide a letter of the small text is on average in the wider of the usual fonts. */
    static final double LETTER = 7.2;
    /** The same of a heading. */
    private static final double HEADING_LETTER = 12.4;
    private static final int HEADING_BASE = 30;
    private static final int HEADING_HEIGHT = 23;
    private static final int TOLD_BASE = 50;

    private final StringBuilder text = new StringBuilder();

    /** A heading with small text below it, each in as many lines as it takes. */
    record Header(List<String> heading, List<String> text) {
        static Header of(String heading, String text, int width) {
            return new Header(wrapped(heading, (int) (width / HEADING_LETTER)), wrapped(text, (int) (width / LETTER)));
        }

        int height() {
            return textBase() + text.size() * LINE_HEIGHT;
        }

        private int textBase() {
            return TOLD_BASE + (heading.size() - 1) * HEADING_HEIGHT;
        }
    }

    void begin(int width, int height, String title) {
        element("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">", width, height, width, height, INK);
        text.append("<title>").append(escaped(title)).append("</title>\n");
        text.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    }

    void header(int x, Header header) {
        for (int i = 0; i < header.heading.size(); i++) {
            words(x, HEADING_BASE + i * HEADING_HEIGHT, "font-size=\"18\" font-weight=\"bold\"",
                    header.heading.get(i));
        }
        for (int i = 0; i < header.text.size(); i++) {
            words(x, header.textBase() + i * LINE_HEIGHT, "", header.text.get(i));
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

    /** Lines of at most this number of letters, broken after blanks. */
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
