package io.rankwire.type;

/**
 * Rows of elements of four and eight bytes, all three from the same index on: the compiler makes vectors of such loops.
 */
final class WideRows {
    private WideRows() {}

    /** Rows of {@code double}s. */
    record Doubles(Reduction reduction) implements LevelRows<double[]> {    @Override
        public void combine(double[] a, double[] b, double[] c, int from, int end) {
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

    /** Rows of {@code float}s. */
    record Floats(Reduction reduction) implements LevelRows<float[]> {    @Override
        public void combine(float[] a, float[] b, float[] c, int from, int end) {
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

    /** Rows of {@code long}s. A number is true if it or its negative has the sign bit, which takes no branch. */
    record Longs(Reduction reduction) implements LevelRows<long[]> {    @Override
        public void combine(long[] a, long[] b, long[] c, int from, int end) {
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

    /** Rows of {@code int}s, as those of {@code long}s. */
    record Ints(Reduction reduction) implements LevelRows<int[]> {    @Override
        public void combine(int[] a, int[] b, int[] c, int from, int end) {
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
}
