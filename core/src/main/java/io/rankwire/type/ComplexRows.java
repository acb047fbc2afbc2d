package io.rankwire.type;

/** Products of complex numbers: pairs of real and imaginary part, at any indices. */
record ComplexRows(ElementType type) implements Rows {
    @Override
    public void combine(Object left, int l, Object right, int r, Object target, int t, int count) {
        if (type == ElementType.DOUBLE) {
            doubles((double[]) left, l, (double[]) right, r, (double[]) target, t, count);
        } else {
            floats((float[]) left, l, (float[]) right, r, (float[]) target, t, count);
        }
    }

    private static void doubles(double[] a, int l, double[] b, int r, double[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            double real = a[l + i] * b[r + i] - a[l + i + 1] * b[r + i + 1];
            double imaginary = a[l + i] * b[r + i + 1] + a[l + i + 1] * b[r + i];
            c[t + i] = real;
            c[t + i + 1] = imaginary;
        }
    }

    private static void floats(float[] a, int l, float[] b, int r, float[] c, int t, int count) {
        for (int i = 0; i < count; i += 2) {
            float real = a[l + i] * b[r + i] - a[l + i + 1] * b[r + i + 1];
            float imaginary = a[l + i] * b[r + i + 1] + a[l + i + 1] * b[r + i];
            c[t + i] = real;
            c[t + i + 1] = imaginary;
        }
    }
}
