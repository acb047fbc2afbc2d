package io.rankwire.type;

/**
 * Pairs of a value and its place, at any indices: the lesser (or greater) value wins, and of equal ones that with the
 * lesser place. Floating point is ordered as {@link Math#min} and {@link Math#max} order it: not-a-number wins over all
 * numbers, and the negative zero is less than the other.
 */
record LocatedRows(boolean least, ElementType type) implements Rows {
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
            case BOOLEAN, RAW, OBJECT, MIXED -> throw new AssertionError(type);
        }
    }

    /** Whether the left pair wins, from how the values and the places compare. */
    private static boolean keeps(boolean least, int values, int places) {
        return values == 0 ? places <= 0 : values < 0 == least;
    }

    /** Below zero if the first is the lesser; not-a-number is less than all where the least is asked for. */
    static int order(boolean least, double one, double other) {
        int compared = Double.compare(one, other);
        return least && (one != one || other != other) ? -compared : compared;
    }

    private void doubles(double[] a, int l, double[] b, int r, double[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(least, order(least, a[l + i], b[r + i]), Double.compare(a[l + i + 1], b[r + i + 1]));
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }

    private void floats(float[] a, int l, float[] b, int r, float[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(least, order(least, a[l + i], b[r + i]), Float.compare(a[l + i + 1], b[r + i + 1]));
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }

    private void longs(long[] a, int l, long[] b, int r, long[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(least, Long.compare(a[l + i], b[r + i]), Long.compare(a[l + i + 1], b[r + i + 1]));
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }

    private void ints(int[] a, int l, int[] b, int r, int[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(
                    least, Integer.compare(a[l + i], b[r + i]), Integer.compare(a[l + i + 1], b[r + i + 1]));
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }

    private void shorts(short[] a, int l, short[] b, int r, short[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(least, a[l + i] - b[r + i], a[l + i + 1] - b[r + i + 1]);
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }

    private void chars(char[] a, int l, char[] b, int r, char[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(least, a[l + i] - b[r + i], a[l + i + 1] - b[r + i + 1]);
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }

    private void bytes(byte[] a, int l, byte[] b, int r, byte[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean keep = keeps(least, a[l + i] - b[r + i], a[l + i + 1] - b[r + i + 1]);
            c[t + i] = keep ? a[l + i] : b[r + i];
            c[t + i + 1] = keep ? a[l + i + 1] : b[r + i + 1];
        }
    }
}
