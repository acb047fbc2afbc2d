package io.rankwire.runtime;

import io.rankwire.collective.Cost;

/**
 * Which of two algorithms with messages a call takes, and what the model says that they cost.
 *
 * @param first whether it is the first of the two
 * @param ns of the one taken, or not a number when nothing was estimated
 * @param other the name of the one not taken, or null when there is none
 */
public record Choice(boolean first, double ns, String other, double otherNs) {
    /** What is not chosen: there is one way only, and no model of it. */
    public static final Choice NONE = only(Double.NaN);

    public static Choice only(double ns) {
        return new Choice(true, ns, null, Double.POSITIVE_INFINITY);
    }

    public static Choice between(String first, double firstNs, String second, double secondNs) {
        return firstNs <= secondNs
                ? new Choice(true, firstNs, second, secondNs)
                : new Choice(false, secondNs, first, firstNs);
    }

    /** Whether shared lines, at this cost, are better still. */
    public boolean isAbove(double linesNs) {
        return linesNs <= ns;
    }

    /** What is taken, and the next best, when shared lines cost so much, or infinitely much. */
    public String describe(String algorithm, double linesNs) {
        if (Double.isNaN(ns)) {
            return algorithm;
        }
        if (isAbove(linesNs)) {
            return way("shared lines", linesNs, algorithm, ns) + "; if not blocking: "
                    + way(algorithm, ns, other, otherNs);
        }
        return linesNs < otherNs ? way(algorithm, ns, "shared lines", linesNs) : way(algorithm, ns, other, otherNs);
    }

    private static String way(String taken, double takenNs, String next, double nextNs) {
        String told = taken + ", about " + Cost.time(takenNs);
        return next == null ? told : told + " (next best: " + next + ", about " + Cost.time(nextNs) + ")";
    }
}
