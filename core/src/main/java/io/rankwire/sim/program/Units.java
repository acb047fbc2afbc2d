package io.rankwire.sim.program;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Times, sizes and rates as people write them. */
final class Units {
    private static final Map<String, String> TIMES =
            Map.of("s", "1e12", "ms", "1e9", "us", "1e6", "µs", "1e6", "ns", "1e3", "ps", "1");
    private static final Map<String, String> SIZES = Map.of(
            "GiB", "1073741824", "MiB", "1048576", "KiB", "1024", "GB", "1e9", "MB", "1e6", "kB", "1e3", "B", "1");
    private static final int MOST = 1 << 20;
    private static final BigDecimal PS_PER_SECOND_AND_KIB = new BigDecimal("1024e12");

    private Units() {}

    /** {@code 100 ns}, {@code 2.5 ms}, or {@code 0}. */
    static long ps(String text) {
        return wholeNumber(text, number(text, TIMES, "a time such as 100 ns (ps, ns, us, ms, s)"));
    }

    static int bytes(String text) {
        long bytes = wholeNumber(text, number(text, SIZES, "a size such as 4 KiB (B, kB, KiB, MB, MiB)"));
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(text + " is too much");
        }
        return (int) bytes;
    }

    /** {@code 10 GB/s}, or {@code unlimited}. */
    static long psPerKib(String text) {
        if (text.equals("unlimited")) {
            return 0;
        }
        String kind = "a rate such as 10 GB/s (B/s, kB/s, MB/s, MiB/s, GB/s, GiB/s, unlimited)";
        if (!text.endsWith("/s")) {
            throw new IllegalArgumentException(text + " is not " + kind);
        }
        BigDecimal rate = number(text.substring(0, text.length() - 2), SIZES, kind);
        if (rate.signum() <= 0) {
            throw new IllegalArgumentException(text + " is not " + kind);
        }
        return wholeNumber(text, PS_PER_SECOND_AND_KIB.divide(rate, 0, RoundingMode.HALF_EVEN));
    }

    static boolean yes(String key, String text) {
        if (!text.equals("yes") && !text.equals("no")) {
            throw new IllegalArgumentException(key + ": " + text + " is neither yes nor no");
        }
        return text.equals("yes");
    }

    /** A whole number, not too large, from a least one on. */
    static int from(String key, String text, int least) {
        int number = Integer.parseInt(text);
        if (number < least || number > MOST) {
            throw new IllegalArgumentException(key + ": " + text + " is no number from " + least + " to " + MOST);
        }
        return number;
    }

    /** One of several names, as {@link #name} writes them. */
    static <E extends Enum<E>> E choice(String key, String text, E[] choices) {
        StringJoiner names = new StringJoiner(", ");
        for (E choice : choices) {
            if (text.equals(name(choice))) {
                return choice;
            }
            names.add(name(choice));
        }
        throw new IllegalArgumentException(key + ": " + text + " is none of " + names);
    }

    static String name(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static BigDecimal number(String text, Map<String, String> units, String kind) {
        int end = 0;
        while (end < text.length() && (Character.isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        String unit = text.substring(end).strip();
        BigDecimal value = end == 0 ? null : new BigDecimal(text.substring(0, end));
        if (value != null && value.signum() == 0 && unit.isEmpty()) {
            return value;
        }
        String scale = units.get(unit);
        if (value == null || scale == null) {
            throw new IllegalArgumentException(text + " is not " + kind);
        }
        return value.multiply(new BigDecimal(scale));
    }

    private static long wholeNumber(String text, BigDecimal value) {
        BigDecimal rounded = value.setScale(0, RoundingMode.HALF_EVEN);
        if (rounded.precision() > 18) {
            throw new IllegalArgumentException(text + " is too much");
        }
        return rounded.longValueExact();
    }

    /** In the largest unit that needs no fraction. */
    static String time(long ps) {
        long scale = 1;
        String[] names = {"ps", "ns", "us", "ms", "s"};
        int name = 0;
        while (name < names.length - 1 && ps != 0 && ps % (scale * 1000) == 0) {
            scale *= 1000;
            name++;
        }
        return ps / scale + " " + names[name];
    }

    static String rate(long psPerKib) {
        return psPerKib == 0 ? "unlimited"
                : PS_PER_SECOND_AND_KIB.divide(BigDecimal.valueOf(psPerKib), 0, RoundingMode.HALF_EVEN) + " B/s";
    }
}
