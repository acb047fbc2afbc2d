package io.rankwire.tools.bench;

import java.util.Arrays;

/** The values of one measurement, one or more from each round. */
final class Samples {
    private double[] values = new double[8];
    private int count;

    void add(double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
        }
        values[count++] = value;
    }

    int count() {
        return count;
    }

    double best(boolean lowerIsBetter) {
        double best = values[0];
        for (int i = 1; i < count; i++) {
            best = lowerIsBetter ? Math.min(best, values[i]) : Math.max(best, values[i]);
        }
        return best;
    }

    double median() {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        int middle = count / 2;
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
