package io.rankwire.type;

/** Rows of {@code boolean}s, see {@link DoubleRows}. Bitwise and logical are the same. */
final class BooleanRows implements LevelRows {
    private final Reduction reduction;

    BooleanRows(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(Object left, Object right, Object target, int from, int end) {
        boolean[] a = (boolean[]) left;
        boolean[] b = (boolean[]) right;
        boolean[] c = (boolean[]) target;
        switch (reduction) {
            case LAND, BAND -> and(a, b, c, from, end);
            case LOR, BOR -> or(a, b, c, from, end);
            case LXOR, BXOR -> xor(a, b, c, from, end);
            default -> throw new AssertionError(reduction);
        }
    }

    private static void and(boolean[] a, boolean[] b, boolean[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] & b[i];
        }
    }

    private static void or(boolean[] a, boolean[] b, boolean[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] | b[i];
        }
    }

    private static void xor(boolean[] a, boolean[] b, boolean[] c, int from, int end) {
        for (int i = from; i < end; i++) {
            c[i] = a[i] ^ b[i];
        }
    }
}
