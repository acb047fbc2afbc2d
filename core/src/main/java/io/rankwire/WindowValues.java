package io.rankwire;

/** The calls of a {@link Window} on single values; they wait for their answer. */
abstract sealed class WindowValues extends Attributed permits TypedWindow {
    abstract void fetchAndOp(Object origin, Object result, int to, long displacement, Op op);

    abstract void compareAndSwap(Object origin, Object expected, Object result, int to, long displacement);

    /** Waits until the answer is here. */
    abstract void finish(String call, int to);

    /** Combines a {@code long} with the one at a target, and returns what was there; waits for it. */
    public long fetchAndOp(long value, int to, long displacement, Op op) {
        long[] result = {0};
        fetchAndOp(new long[] {value}, result, to, displacement, op);
        finish("fetchAndOp", to);
        return result[0];
    }

    /** As above, for an {@code int}. */
    public int fetchAndOp(int value, int to, long displacement, Op op) {
        int[] result = {0};
        fetchAndOp(new int[] {value}, result, to, displacement, op);
        finish("fetchAndOp", to);
        return result[0];
    }

    /** As above, for a {@code double}. */
    public double fetchAndOp(double value, int to, long displacement, Op op) {
        double[] result = {0};
        fetchAndOp(new double[] {value}, result, to, displacement, op);
        finish("fetchAndOp", to);
        return result[0];
    }

    /** Replaces a {@code long} at a target if it equals the expected one; returns what was there. */
    public long compareAndSwap(long expected, long value, int to, long displacement) {
        long[] result = {0};
        compareAndSwap(new long[] {value}, new long[] {expected}, result, to, displacement);
        finish("compareAndSwap", to);
        return result[0];
    }

    /** As above, for an {@code int}. */
    public int compareAndSwap(int expected, int value, int to, long displacement) {
        int[] result = {0};
        compareAndSwap(new int[] {value}, new int[] {expected}, result, to, displacement);
        finish("compareAndSwap", to);
        return result[0];
    }
}
