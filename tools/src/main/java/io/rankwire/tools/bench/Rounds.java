package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The line hand-off before each round, which shows when the machine was another one: the cores of a virtual machine
 * are now and then one core, and what was measured in such a minute is not to be compared with the others.
 */
final class Rounds {
    private final double factor;
    private final List<Double> floors = new ArrayList<>();

    /** @param factor how far from the median a floor may be */
    Rounds(double factor) {
        this.factor = factor;
    }

    void add(double lineNs) {
        floors.add(lineNs);
    }

    /** Those of the first rounds, as many as given. */
    Rounds first(int count) {
        Rounds first = new Rounds(factor);
        first.floors.addAll(floors.subList(0, count));
        return first;
    }

    /** Numbers of the rounds, from 1, whose floor differs from the median by more than the factor. */
    Set<Integer> apart() {
        double median = median(Set.of());
        Set<Integer> apart = new TreeSet<>();
        for (int i = 0; i < floors.size(); i++) {
            double floor = floors.get(i);
            if (Math.max(floor, median) > factor * Math.min(floor, median)) {
                apart.add(i + 1);
            }
        }
        return apart;
    }

    /** Those of them that do not count: all, if at least two rounds and half of them remain; otherwise none. */
    Set<Integer> leftOut() {
        Set<Integer> apart = apart();
        int others = floors.size() - apart.size();
        return others >= 2 && 2 * others >= floors.size() ? apart : Set.of();
    }

    /** The median floor of the rounds that count; NaN without any. */
    double lineNs() {
        return median(leftOut());
    }

    private double median(Set<Integer> without) {
        Samples samples = new Samples();
        for (int i = 0; i < floors.size(); i++) {
            samples.add(i + 1, floors.get(i));
        }
        return samples.without(without).median();
    }

    String describe() {
        Set<Integer> apart = apart();
        StringBuilder text = new StringBuilder("Line hand-off before each round, ns:");
        for (int i = 0; i < floors.size(); i++) {
            text.append(String.format(Locale.ROOT, " %.1f", floors.get(i))).append(apart.contains(i + 1) ? "*" : "");
        }
        if (!apart.isEmpty()) {
            text.append(String.format(Locale.ROOT, "; * differs from the median by more than a factor of %.1f, so the"
                    + " machine was another one: ", factor));
            text.append(leftOut().isEmpty() ? "kept, since too few others remain" : "left out of all that follows");
        }
        return text.toString();
    }
}
