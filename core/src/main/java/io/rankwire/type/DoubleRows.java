package io.rankwire.type;

/** Rows of {@code double}s, all three from the same index on: the compiler makes vectors of such loops. */
final class DoubleRows implements LevelRows {
    private final Reduction reduction;

    DoubleRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        double[] a = (double[]) left;
        double[] b = (double[]) right;
        double[] c = (double[]) target;
        switch (reduction) {
            case SUM -> sum(a, b, c, from, end);
            case PROD -> product(a, b, c, from, end);
            case MIN -> least(a, b, c, from, end);
            case MAX -> greatest(a, b, c, from, end);
            default -> throw new AssertionError(reduction);
        }
    }

    private static void sum(double[] a, double[] b, double[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] + b[i];
        }
    }

    private static void product(double[] a, double[] b, double[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] * b[i];
        }
    }

    private static void least(double[] a, double[] b, double[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.min(a[i], b[i]);
        }
    }

    private static void greatest(double[] a, double[] b, double[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.max(a[i], b[i]);
        }
    }
}
