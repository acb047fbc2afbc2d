package io.rankwire.runtime;

import java.util.Arrays;

/**
 * Finds the dimensions of a grid for a number of nodes, as near to a cube as its divisors allow. Of all products that
 * give the number it takes the one whose largest and smallest factor differ least, then the one with the smallest
 * largest factor, then the one with the smallest second largest factor, and so on. The facade of Cartesian
 * communicators calls it.
 */
public final class GridDimensions {
    private final int[] divisors;
    private final int[] best;
    private final int[] tried;

    private GridDimensions(int nodes, int count) {
        divisors = divisors(nodes);
        best = new int[count];
        Arrays.fill(best, 1);
        best[0] = nodes;
        tried = new int[count];
    }

    /** Returns this count of factors of a number, largest first. */
    public static int[] factors(int nodes, int count) {
        if (count == 0) {
            return new int[0];
        }
        GridDimensions search = new GridDimensions(nodes, count);
        search.fill(0, nodes);
        return search.best;
    }

    private static int[] divisors(int nodes) {
        int[] found = new int[64];
        int count = 0;
        for (int low = 1; (long) low * low <= nodes; low++) {
            if (nodes % low == 0) {
                if (count + 2 > found.length) {
                    found = Arrays.copyOf(found, 2 * found.length);
                }
                found[count++] = low;
                if (low != nodes / low) {
                    found[count++] = nodes / low;
                }
            }
        }
        int[] divisors = Arrays.copyOf(found, count);
        Arrays.sort(divisors);
        return divisors;
    }

    /** Tries for a place all divisors that are at most the factor before and leave enough for the places behind. */
    private void fill(int place, int rest) {
        int left = tried.length - place;
        int most = place == 0 ? rest : tried[place - 1];
        if (left == 1) {
            tried[place] = rest;
            if (rest <= most && better()) {
                System.arraycopy(tried, 0, best, 0, best.length);
            }
            return;
        }
        int least = root(rest, left);
        // The smallest factor is at most this bound: if the largest is too far above the bound, no choice is better.
        if (place > 0 && tried[0] - least > spread(best)) {
            return;
        }
        for (int divisor : divisors) {
            if (divisor >= least && divisor <= most && rest % divisor == 0) {
                tried[place] = divisor;
                fill(place + 1, rest / divisor);
            }
        }
    }

    /** Returns the smallest number whose power reaches the product: a lower bound of the largest factor. */
    private static int root(int product, int power) {
        int root = (int) Math.pow(product, 1.0 / power);
        while (root > 1 && reaches(root - 1, power, product)) {
            root--;
        }
        while (!reaches(root, power, product)) {
            root++;
        }
        return root;
    }

    private static boolean reaches(int base, int power, int product) {
        long value = 1;
        for (int i = 0; i < power; i++) {
            value *= base;
            if (value >= product) {
                return true;
            }
        }
        return false;
    }

    private boolean better() {
        int difference = spread(tried) - spread(best);
        return difference != 0 ? difference < 0 : Arrays.compare(tried, best) < 0;
    }

    private static int spread(int[] factors) {
        return factors[0] - factors[factors.length - 1];
    }
}
