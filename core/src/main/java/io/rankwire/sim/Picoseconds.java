package io.rankwire.sim;

import java.math.BigDecimal;

/** Simulated times as people read them. */
public final class Picoseconds {
    private static final String[] UNITS = {"ps", "ns", "µs", "ms", "s"};

    private Picoseconds() {}

    /** All digits, in the largest unit that has something before the point: {@code 2.5 µs}. */
    public static String text(long ps) {
        int unit = 0;
        long scale = 1;
        while (unit + 1 < UNITS.length && Math.abs(ps) / 1000 >= scale) {
            scale *= 1000;
            unit++;
        }
        BigDecimal value = BigDecimal.valueOf(ps).movePointLeft(3 * unit).stripTrailingZeros();
        return value.toPlainString() + " " + UNITS[unit];
    }
}
