package io.rankwire.type;

/**
 * One element after another, at any indices, by the definition in {@link Reduction}: the plain twin of all fast rows,
 * which decides what is right, and the quickest way to combine a few.
 */
record ScalarRows(Reduction reduction, ElementType type) implements Rows {
    @Override
    public void combine(Object left, int l, Object right, int r, Object target, int t, int count) {
        switch (type) {
            case DOUBLE -> doubles((double[]) left, l, (double[]) right, r, (double[]) target, t, count);
            case FLOAT -> floats((float[]) left, l, (float[]) right, r, (float[]) target, t, count);
            case LONG -> longs((long[]) left, l, (long[]) right, r, (long[]) target, t, count);
            case INT -> ints((int[]) left, l, (int[]) right, r, (int[]) target, t, count);
            case SHORT -> shorts((short[]) left, l, (short[]) right, r, (short[]) target, t, count);
            case CHAR -> chars((char[]) left, l, (char[]) right, r, (char[]) target, t, count);
            case BYTE -> bytes((byte[]) left, l, (byte[]) right, r, (byte[]) target, t, count);
            case BOOLEAN -> booleans((boolean[]) left, l, (boolean[]) right, r, (boolean[]) target, t, count);
            case RAW, OBJECT, MIXED -> throw new AssertionError(type);
        }
    }

    private void doubles(double[] a, int l, double[] b, int r, double[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = reduction.ofDoubles(a[l + i], b[r + i]);
        }
    }

    private void floats(float[] a, int l, float[] b, int r, float[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = (float) reduction.ofDoubles(a[l + i], b[r + i]);
        }
    }

    private void longs(long[] a, int l, long[] b, int r, long[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = reduction.combine(a[l + i], b[r + i]);
        }
    }

    private void ints(int[] a, int l, int[] b, int r, int[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = (int) reduction.combine(a[l + i], b[r + i]);
        }
    }

    private void shorts(short[] a, int l, short[] b, int r, short[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = (short) reduction.combine(a[l + i], b[r + i]);
        }
    }

    private void chars(char[] a, int l, char[] b, int r, char[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = (char) reduction.combine(a[l + i], b[r + i]);
        }
    }

    private void bytes(byte[] a, int l, byte[] b, int r, byte[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = (byte) reduction.combine(a[l + i], b[r + i]);
        }
    }

    private void booleans(boolean[] a, int l, boolean[] b, int r, boolean[] c, int t, int count) {
        for (int i = 0; i < count; i++) {
            c[t + i] = reduction.combine(a[l + i] ? 1 : 0, b[r + i] ? 1 : 0) != 0;
        }
    }
}
