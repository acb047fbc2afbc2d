package io.rankwire.lab;

import io.rankwire.lab.MatchLoad.Order;
import io.rankwire.lab.MatchLoad.Shape;
import java.util.Locale;

/**
 * A quick measurement of matching on one core, in less than half a minute: million pairs per second by depth and shape
 * (of all orders, or of the named one), and the growth of the cost of a pair when the depth doubles. {@link MatchBench}
 * is more precise. Run with {@code -XX:+UseTransparentHugePages} to measure deep queues without the cost of small
 * pages.
 */
public final class MatchRate {
    private static final int[] DEPTHS = {1, 16, 1024, 32_768, 1 << 20};
    private static final int DOUBLINGS = 20;
    private static final long WINDOW_NS = 2_000_000;
    private static final int WINDOWS = 30;

    private MatchRate() {}

    public static void main(String[] arguments) {
        long begin = System.nanoTime();
        warmUp();
        Order[] orders = arguments.length == 0 ? Order.values() : new Order[] {Order.valueOf(arguments[0])};
        for (Order order : orders) {
            System.out.printf("%-16s", order);
            for (int depth : DEPTHS) {
                System.out.printf("%10d", depth);
            }
            System.out.println("   M pairs/s; growth per doubling");
            for (Shape shape : Shape.values()) {
                row(shape, order);
            }
        }
        System.out.printf(Locale.ROOT, "%.1f s%n", (System.nanoTime() - begin) / 1e9);
    }

    /** Runs all shapes and orders before the first measurement, so that no cell runs code compiled for it alone. */
    private static void warmUp() {
        for (int round = 0; round < 2; round++) {
            for (Order order : Order.values()) {
                for (Shape shape : Shape.values()) {
                    nsPerPair(new MatchLoad(shape, order, 64), WINDOW_NS / 2);
                }
            }
        }
    }

    private static void row(Shape shape, Order order) {
        System.out.printf("  %-14s", shape);
        double first = 0;
        double ns = 0;
        for (int depth : DEPTHS) {
            ns = nsPerPair(new MatchLoad(shape, order, depth), WINDOW_NS);
            first = first == 0 ? ns : first;
            System.out.printf(Locale.ROOT, "%10.1f", 1e3 / ns);
        }
        System.out.printf(Locale.ROOT, "%10.3f%n", Math.pow(ns / first, 1.0 / DOUBLINGS));
    }

    /** The best of several short intervals: load on a shared machine only adds time. */
    private static double nsPerPair(MatchLoad load, long windowNs) {
        double best = Double.MAX_VALUE;
        for (int window = 0; window < WINDOWS; window++) {
            long pairs = 0;
            long ns = 0;
            while (ns < windowNs) {
                load.prepare();
                long begin = System.nanoTime();
                load.run();
                ns += System.nanoTime() - begin;
                pairs += MatchLoad.PAIRS;
            }
            best = Math.min(best, (double) ns / pairs);
        }
        return best;
    }
}
