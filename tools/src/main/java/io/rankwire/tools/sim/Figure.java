package io.rankwire.tools.sim;

import io.rankwire.tools.plot.Panel;
import io.rankwire.tools.plot.Plot;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A drawing and its table.
 *
 * @param name of the files, without ending
 */
record Figure(String name, String svg, String csv) {
    /**
     * What is written on both.
     *
     * @param shows what is to be seen
     * @param claimed what the source document says of it
     * @param hash of all runs
     */
    record Text(String name, String title, String shows, String claimed, String parameters, long hash) {
        String texts() {
            return shows + "\nClaimed: " + claimed + "\nParameters: " + parameters + "\nTrace hash: "
                    + HexFormat.of().toHexDigits(hash);
        }

        String comments() {
            return "# " + (title + "\n" + texts()).replace("\n", "\n# ") + "\n";
        }
    }

    static Figure of(Text text, List<Panel> panels) {
        StringBuilder csv = new StringBuilder(text.comments());
        csv.append("panel,curve,across,number,value,unit\n");
        for (Panel panel : panels) {
            for (Panel.Curve curve : panel.curves()) {
                for (Map.Entry<Long, Double> point : curve.values().entrySet()) {
                    csv.append(String.format(Locale.ROOT, "%s,%s,%s,%d,%.6g,%s%n", quoted(panel.title()),
                            quoted(curve.name()), panel.across().name().toLowerCase(Locale.ROOT), point.getKey(),
                            point.getValue(), quoted(panel.unit())));
                }
            }
        }
        return new Figure(text.name, Plot.of(text.title, text.title, text.texts(), panels), csv.toString());
    }

    /** The line of the table with the hash. */
    String hashLine() {
        return csv.lines().filter(line -> line.startsWith("# Trace hash")).findFirst().orElseThrow().substring(2);
    }

    static String quoted(String words) {
        return words.contains(",") ? "\"" + words + "\"" : words;
    }

    /** Three digits that count: 0.484, 6.68, 110; all before the point of larger numbers. */
    static String digits(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(3));
        return rounded.scale() > 0 ? rounded.toPlainString() : String.format(Locale.ROOT, "%,d", Math.round(value));
    }

    /** Goes on from the hash of the runs before. */
    static long mixed(long before, long hash) {
        long mixed = (before ^ hash) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 29;
    }
}
