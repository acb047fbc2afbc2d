package io.rankwire.tools.bench;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The values of one measurement, one or more from each round. */
final class Samples {
    private double[] values = new double[8];
    private int[] rounds = new int[8];
    private int count;

    void add(int round, double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
            rounds = Arrays.copyOf(rounds, count * 2);
        }
        rounds[count] = round;
        values[count++] = value;
    }

    void addAll(Samples others) {
        for (int i = 0; i < others.count; i++) {
            add(others.rounds[i], others.values[i]);
        }
    }

    Samples without(Set<Integer> left) {
        Samples others = new Samples();
        for (int i = 0; i < count; i++) {
            if (!left.contains(rounds[i])) {
                others.add(rounds[i], values[i]);
            }
        }
        return others;
    }

    int count() {
        return count;
    }

    /** The rounds with a value that is more than a factor away from another one. */
    Set<Integer> apart(double from, double factor) {
        Set<Integer> apart = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            if (Math.max(values[i], from) > factor * Math.min(values[i], from)) {
                apart.add(rounds[i]);
            }
        }
        return apart;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** NaN without a value. */
    double best(boolean lowerIsBetter) {
        double best = count == 0 ? Double.NaN : values[0];
        for (int i = 1; i < count; i++) {
            best = lowerIsBetter ? Math.min(best, values[i]) : Math.max(best, values[i]);
        }
        return best;
    }

    /** NaN without a value. */
    double median() {
        return quantile(0.5);
    }

    /** Minimum, lower quartile, median, upper quartile, maximum. */
    double[] spread() {
        return new double[] {quantile(0), quantile(0.25), quantile(0.5), quantile(0.75), quantile(1)};
    }

    /** Between two values in proportion; NaN without a value. */
    private double quantile(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        double at = share * (count - 1);
        int below = (int) at;
        int above = Math.min(below + 1, count - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
