package io.rankwire.type;

/** Rows of {@code int}s, see {@link LongRows}. */
final class IntRows implements LevelRows {
    private final Reduction reduction;

    IntRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        int[] a = (int[]) left;
        int[] b = (int[]) right;
        int[] c = (int[]) target;
        switch (reduction) {
            case SUM -> sum(a, b, c, from, end);
            case PROD -> product(a, b, c, from, end);
            case MIN -> least(a, b, c, from, end);
            case MAX -> greatest(a, b, c, from, end);
            case LAND -> logicalAnd(a, b, c, from, end);
            case LOR -> logicalOr(a, b, c, from, end);
            case LXOR -> logicalXor(a, b, c, from, end);
            case BAND -> and(a, b, c, from, end);
            case BOR -> or(a, b, c, from, end);
            case BXOR -> xor(a, b, c, from, end);
            default -> throw new AssertionError(reduction);
        }
    }

    private static void sum(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] + b[i];
        }
    }

    private static void product(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] * b[i];
        }
    }

    private static void least(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.min(a[i], b[i]);
        }
    }

    private static void greatest(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.max(a[i], b[i]);
        }
    }

    private static void logicalAnd(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = ((a[i] | -a[i]) & (b[i] | -b[i])) >>> 31;
        }
    }

    private static void logicalOr(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = ((a[i] | b[i]) | -(a[i] | b[i])) >>> 31;
        }
    }

    private static void logicalXor(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = ((a[i] | -a[i]) ^ (b[i] | -b[i])) >>> 31;
        }
    }

    private static void and(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] & b[i];
        }
    }

    private static void or(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] | b[i];
        }
    }

    private static void xor(int[] a, int[] b, int[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] ^ b[i];
        }
    }
}
