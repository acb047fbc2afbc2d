package io.rankwire.launch;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a network costs, as all ranks of a job have agreed on it.
 *
 * @param roundNs the time in which a small message gets to another host; 0 if it is not known because
 *     other work has disturbed the measurement
 * @param messageNs one more small message at the same time; 0 likewise
 * @param byteNs a byte of a long message; 0 likewise
 * @param inside what messages cost inside a host, as rank 0 has it in its environment; empty if it has nothing
 */
public record NetworkCost(double roundNs, double messageNs, double byteNs, String inside) {
    private static final int FIELDS = 4;

    /** How many pairs of hosts measure, all at the same time; of one host, two of its ranks. */
    static int pairs(int hosts) {
        return Math.max(1, hosts / 2);
    }

    /** What is known where no measurement was made. */
    static NetworkCost unknown(String inside) {
        return new NetworkCost(0, 0, 0, inside);
    }

    /** Three numbers of nanoseconds, and the rest. */
    String text() {
        return String.format(Locale.ROOT, "%.3f %.3f %.6f %s", roundNs, messageNs, byteNs, inside);
    }

    /**
     * What {@link #text} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static NetworkCost parse(String text) {
        String[] parts = text.split(" ", FIELDS);
        if (parts.length != FIELDS) {
            throw new IllegalArgumentException("costs of a network: \"" + text + "\"");
        }
        return new NetworkCost(number(parts[0]), number(parts[1]), number(parts[2]), parts[3]);
    }

    private static double number(String text) {
        double value = Double.parseDouble(text);
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a cost of " + text);
        }
        return value;
    }

    /** What is agreed on when several pairs of hosts have measured: the middle of those that are not 0. */
    static NetworkCost agreed(List<NetworkCost> measured) {
        String inside = measured.stream().map(NetworkCost::inside).filter(each -> !each.isEmpty()).findFirst()
                .orElse("");
        return new NetworkCost(middle(measured, NetworkCost::roundNs), middle(measured, NetworkCost::messageNs),
                middle(measured, NetworkCost::byteNs), inside);
    }

    private static double middle(List<NetworkCost> all, ToDoubleFunction<NetworkCost> field) {
        double[] measured = all.stream().mapToDouble(field).filter(each -> each > 0).sorted().toArray();
        return measured.length == 0 ? 0 : measured[measured.length / 2];
    }
}
