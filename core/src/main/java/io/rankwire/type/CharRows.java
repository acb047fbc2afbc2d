package io.rankwire.type;

/** Rows of {@code char}s, see {@link ShortRows}. */
final class CharRows implements LevelRows {
    private final Reduction reduction;

    CharRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        char[] a = (char[]) left;
        char[] b = (char[]) right;
        char[] c = (char[]) target;
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

    private static void sum(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) (a[i] + b[i]);
        }
    }

    private static void product(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) (a[i] * b[i]);
        }
    }

    private static void least(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) Math.min(a[i], b[i]);
        }
    }

    private static void greatest(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) Math.max(a[i], b[i]);
        }
    }

    private static void logicalAnd(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) ((-a[i] & -b[i]) >>> 31);
        }
    }

    private static void logicalOr(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) (-(a[i] | b[i]) >>> 31);
        }
    }

    private static void logicalXor(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) ((-a[i] ^ -b[i]) >>> 31);
        }
    }

    private static void and(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) (a[i] & b[i]);
        }
    }

    private static void or(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) (a[i] | b[i]);
        }
    }

    private static void xor(char[] a, char[] b, char[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = (char) (a[i] ^ b[i]);
        }
    }
}
