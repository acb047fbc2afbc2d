package io.rankwire.type;

/**
 * Rows of {@code long}s, see {@link DoubleRows}. A number is true if it or its negative has the sign bit, which
 * takes no branch.
 */
final class LongRows implements LevelRows {
    private final Reduction reduction;

    LongRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        long[] a = (long[]) left;
        long[] b = (long[]) right;
        long[] c = (long[]) target;
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

    private static void sum(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] + b[i];
        }
    }

    private static void product(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] * b[i];
        }
    }

    private static void least(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.min(a[i], b[i]);
        }
    }

    private static void greatest(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = Math.max(a[i], b[i]);
        }
    }

    private static void logicalAnd(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = ((a[i] | -a[i]) & (b[i] | -b[i])) >>> 63;
        }
    }

    private static void logicalOr(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = ((a[i] | b[i]) | -(a[i] | b[i])) >>> 63;
        }
    }

    private static void logicalXor(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = ((a[i] | -a[i]) ^ (b[i] | -b[i])) >>> 63;
        }
    }

    private static void and(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] & b[i];
        }
    }

    private static void or(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] | b[i];
        }
    }

    private static void xor(long[] a, long[] b, long[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] ^ b[i];
        }
    }
}
