package io.rankwire.tools.plot;

import java.util.List;
import java.util.Locale;

/** Maps of shares from 0 to 1, three in a row: the darker a field, the larger its share. */
public final class HeatMap {
    private static final int COLUMNS = 3;
    private static final int FIELD = 15;
    private static final int LEFT = 60;
    private static final int GAP = 64;
    private static final int ABOVE = 46;
    private static final int BELOW = 34;
    private static final int SCALE_HEIGHT = 56;
    private static final int SCALE_STEPS = 10;
    /** From white over yellow and red to almost black, so that it can be read without colours too. */
    private static final int[][] COLOURS = {
        {255, 255, 255}, {254, 224, 144}, {253, 141, 60}, {189, 0, 38}, {60, 0, 30}};

    /**
     * One map.
     *
     * @param shares by row and column
     * @param gapEvery rows after which there is a little room
     */
    public record Field(String title, String across, String down, double[][] shares, int gapEvery) {}

    private HeatMap() {}

    /** Maps of the same size. */
    public static String of(String title, String text, List<Field> fields) {
        Field first = fields.get(0);
        int across = first.shares[0].length * FIELD;
        int down = y(first, first.shares.length);
        int width = LEFT + COLUMNS * (across + GAP);
        Svg.Header words = Svg.Header.of(title, text, width - LEFT);
        int header = words.height() + SCALE_HEIGHT;
        int rows = (fields.size() + COLUMNS - 1) / COLUMNS;
        Svg svg = new Svg();
        svg.begin(width, header + rows * (ABOVE + down + BELOW) + 16, title);
        svg.header(LEFT, words);
        scale(svg, header - SCALE_HEIGHT);
        for (int i = 0; i < fields.size(); i++) {
            svg.element("<g transform=\"translate(%d,%d)\">", LEFT + i % COLUMNS * (across + GAP),
                    header + ABOVE + i / COLUMNS * (ABOVE + down + BELOW));
            draw(svg, fields.get(i), across, down);
            svg.raw("</g>\n");
        }
        return svg.end();
    }

    private static int y(Field field, int row) {
        return row * FIELD + Math.max(0, row - 1) / field.gapEvery * 4;
    }

    private static void scale(Svg svg, int y) {
        for (int i = 0; i <= SCALE_STEPS; i++) {
            double share = (double) i / SCALE_STEPS;
            svg.element("<rect x=\"%d\" y=\"%d\" width=\"44\" height=\"16\" fill=\"%s\" stroke=\"#999999\"/>",
                    LEFT + i * 44, y, colour(share));
            svg.words(LEFT + i * 44 + 22, y + 31, "text-anchor=\"middle\"", i * 100 / SCALE_STEPS + " %");
        }
        svg.words(LEFT + (SCALE_STEPS + 1) * 44 + 12, y + 13, "", "of the time a link carries packets");
    }

    private static void draw(Svg svg, Field field, int across, int down) {
        svg.words(0, -22, "font-size=\"14\" font-weight=\"bold\"", field.title);
        svg.words(0, -7, "", range(field.shares));
        StringBuilder cells = new StringBuilder();
        for (int row = 0; row < field.shares.length; row++) {
            int top = row * FIELD + row / field.gapEvery * 4;
            for (int column = 0; column < field.shares[row].length; column++) {
                double share = field.shares[row][column];
                cells.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\""
                        + " fill=\"%s\" stroke=\"#bbbbbb\" stroke-width=\"0.5\">"
                        + "<title>%d, %d: %.1f %%</title></rect>%n",
                        column * FIELD, top, FIELD, FIELD, colour(share), column, row, 100 * share));
            }
        }
        svg.raw(cells);
        svg.words(across / 2.0, down + 20, "text-anchor=\"middle\"", field.across);
        svg.words(0, 0, "text-anchor=\"middle\" transform=\"translate(-10," + down / 2 + ") rotate(-90)\"", field.down);
    }

    private static String range(double[][] shares) {
        double least = 1;
        double most = 0;
        for (double[] row : shares) {
            for (double share : row) {
                least = Math.min(least, share);
                most = Math.max(most, share);
            }
        }
        return String.format(Locale.ROOT, "%.1f %% to %.1f %%", 100 * least, 100 * most);
    }

    private static String colour(double share) {
        double at = Math.clamp(share, 0, 1) * (COLOURS.length - 1);
        int below = Math.min((int) at, COLOURS.length - 2);
        int[] rgb = new int[3];
        for (int i = 0; i < 3; i++) {
            rgb[i] = (int) Math.round(COLOURS[below][i] + (at - below) * (COLOURS[below + 1][i] - COLOURS[below][i]));
        }
        return String.format(Locale.ROOT, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    }
}
