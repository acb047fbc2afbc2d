package io.rankwire.tools.plot;

import java.util.List;
import java.util.SortedMap;

/**
 * Curves that are drawn on the same axes.
 *
 * @param unit of the values
 * @param across what the values are drawn over
 */
public record Panel(String title, String unit, Across across, List<Curve> curves) {
    /** What values are drawn over. */
    public enum Across {
        SIZES("message size"),
        RANKS("ranks"),
        DEPTHS("receives in the queue before the one that fits"),
        SHARES("share of the posted receives in the device, in percent");

        final String label;

        Across(String label) {
            this.label = label;
        }
    }

    /**
     * One line: values above 0 by numbers above 0, since no other has a place on log axes.
     *
     * @param ours whether it is what the others are held against; they have hollow marks and broken lines
     */
    public record Curve(String name, boolean ours, SortedMap<Long, Double> values) {}
}
