package io.rankwire.type;

/** Rows of {@code float}s, see {@link DoubleRows}. */
final class FloatRows implements LevelRows {
    private final Reduction reduction;

    FloatRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        float[] a = (float[]) left;
        float[] b = (float[]) right;
        float[] c = (float[]) target;
        switch (reduction) {
            case SUM -> sum(a, b, c, from, end);
            case PROD -> product(a, b, c, from, end);
            case MIN -> least(a, b, c, from, end);
            case MAX -> greatest(a, b, c, from, end);
            default -> throw new AssertionError(reduction);
        }
    }

    private static void sum(float[] a, float[] b, float[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] + b[i];
        }
    }

    private static void product(float[] a, float[] b, float[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] * b[i];
        }
    }

    private static void least(float[] a, float[] b, float[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.min(a[i], b[i]);
        }
    }

    private static void greatest(float[] a, float[] b, float[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.max(a[i], b[i]);
        }
    }
}
