package io.rankwire.type;

/**
 * Rows of {@code short}s, see {@link DoubleRows}. The negative of a number without its sign has the sign bit if
 * the number is true.
 */
final class ShortRows implements LevelRows {
    private final Reduction reduction;

    ShortRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        short[] a = (short[]) left;
        short[] b = (short[]) right;
        short[] c = (short[]) target;
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

    private static void sum(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) (a[i] + b[i]);
        }
    }

    private static void product(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) (a[i] * b[i]);
        }
    }

    private static void least(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) Math.min(a[i], b[i]);
        }
    }

    private static void greatest(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) Math.max(a[i], b[i]);
        }
    }

    private static void logicalAnd(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) ((-(a[i] & 0xFFFF) & -(b[i] & 0xFFFF)) >>> 31);
        }
    }

    private static void logicalOr(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) (-((a[i] | b[i]) & 0xFFFF) >>> 31);
        }
    }

    private static void logicalXor(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) ((-(a[i] & 0xFFFF) ^ -(b[i] & 0xFFFF)) >>> 31);
        }
    }

    private static void and(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) (a[i] & b[i]);
        }
    }

    private static void or(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) (a[i] | b[i]);
        }
    }

    private static void xor(short[] a, short[] b, short[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (short) (a[i] ^ b[i]);
        }
    }
}
