package io.rankwire.type;

/**
 * Rows of the predefined operations. The common ones of the wide types are loops that the JIT compiler turns into
 * vector instructions; {@link #scalar} is their plain twin, which decides what is right and serves all others.
 */
final class Kernels {
    private Kernels() {}

    /** The fastest rows of an operation. */
    static Rows of(Reduction reduction, ElementType type) {
        Rows rows = switch (type) {
            case DOUBLE -> doubles(reduction);
            case FLOAT -> floats(reduction);
            case LONG -> longs(reduction);
            case INT -> ints(reduction);
            default -> null;
        };
        return rows != null ? rows : scalar(reduction, type);
    }

    private static Rows doubles(Reduction reduction) {
        return switch (reduction) {
            case SUM -> (left, l, right, r, target, t, n) -> {
                double[] a = (double[]) left;
                double[] b = (double[]) right;
                double[] c = (double[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = a[l + i] + b[r + i];
                }
            };
            case PROD -> (left, l, right, r, target, t, n) -> {
                double[] a = (double[]) left;
                double[] b = (double[]) right;
                double[] c = (double[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = a[l + i] * b[r + i];
                }
            };
            case MIN -> (left, l, right, r, target, t, n) -> {
                double[] a = (double[]) left;
                double[] b = (double[]) right;
                double[] c = (double[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.min(a[l + i], b[r + i]);
                }
            };
            case MAX -> (left, l, right, r, target, t, n) -> {
                double[] a = (double[]) left;
                double[] b = (double[]) right;
                double[] c = (double[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.max(a[l + i], b[r + i]);
                }
            };
            default -> null;
        };
    }

    private static Rows floats(Reduction reduction) {
        return switch (reduction) {
            case SUM -> (left, l, right, r, target, t, n) -> {
                float[] a = (float[]) left;
                float[] b = (float[]) right;
                float[] c = (float[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = a[l + i] + b[r + i];
                }
            };
            case MIN -> (left, l, right, r, target, t, n) -> {
                float[] a = (float[]) left;
                float[] b = (float[]) right;
                float[] c = (float[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.min(a[l + i], b[r + i]);
                }
            };
            case MAX -> (left, l, right, r, target, t, n) -> {
                float[] a = (float[]) left;
                float[] b = (float[]) right;
                float[] c = (float[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.max(a[l + i], b[r + i]);
                }
            };
            default -> null;
        };
    }

    private static Rows longs(Reduction reduction) {
        return switch (reduction) {
            case SUM -> (left, l, right, r, target, t, n) -> {
                long[] a = (long[]) left;
                long[] b = (long[]) right;
                long[] c = (long[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = a[l + i] + b[r + i];
                }
            };
            case MIN -> (left, l, right, r, target, t, n) -> {
                long[] a = (long[]) left;
                long[] b = (long[]) right;
                long[] c = (long[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.min(a[l + i], b[r + i]);
                }
            };
            case MAX -> (left, l, right, r, target, t, n) -> {
                long[] a = (long[]) left;
                long[] b = (long[]) right;
                long[] c = (long[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.max(a[l + i], b[r + i]);
                }
            };
            default -> null;
        };
    }

    private static Rows ints(Reduction reduction) {
        return switch (reduction) {
            case SUM -> (left, l, right, r, target, t, n) -> {
                int[] a = (int[]) left;
                int[] b = (int[]) right;
                int[] c = (int[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = a[l + i] + b[r + i];
                }
            };
            case MIN -> (left, l, right, r, target, t, n) -> {
                int[] a = (int[]) left;
                int[] b = (int[]) right;
                int[] c = (int[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.min(a[l + i], b[r + i]);
                }
            };
            case MAX -> (left, l, right, r, target, t, n) -> {
                int[] a = (int[]) left;
                int[] b = (int[]) right;
                int[] c = (int[]) target;
                for (int i = 0; i < n; i++) {
                    c[t + i] = Math.max(a[l + i], b[r + i]);
                }
            };
            default -> null;
        };
    }

    /** One element after another, by the definition in {@link Reduction}. */
    static Rows scalar(Reduction reduction, ElementType type) {
        return switch (type) {
            case DOUBLE -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((double[]) target)[t + i] =
                            reduction.ofDoubles(((double[]) left)[l + i], ((double[]) right)[r + i]);
                }
            };
            case FLOAT -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((float[]) target)[t + i] = reduction.ofFloats(((float[]) left)[l + i], ((float[]) right)[r + i]);
                }
            };
            case LONG -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((long[]) target)[t + i] = reduction.combine(((long[]) left)[l + i], ((long[]) right)[r + i]);
                }
            };
            case INT -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((int[]) target)[t + i] = (int) reduction.combine(((int[]) left)[l + i], ((int[]) right)[r + i]);
                }
            };
            case SHORT -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((short[]) target)[t + i] =
                            (short) reduction.combine(((short[]) left)[l + i], ((short[]) right)[r + i]);
                }
            };
            case CHAR -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((char[]) target)[t + i] =
                            (char) reduction.combine(((char[]) left)[l + i], ((char[]) right)[r + i]);
                }
            };
            case BYTE -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((byte[]) target)[t + i] =
                            (byte) reduction.combine(((byte[]) left)[l + i], ((byte[]) right)[r + i]);
                }
            };
            case BOOLEAN -> (left, l, right, r, target, t, n) -> {
                for (int i = 0; i < n; i++) {
                    ((boolean[]) target)[t + i] = reduction.combine(
                            ((boolean[]) left)[l + i] ? 1 : 0, ((boolean[]) right)[r + i] ? 1 : 0) != 0;
                }
            };
            case RAW, OBJECT, MIXED -> throw new AssertionError(type);
        };
    }

    /**
     * Pairs of a value and its place: the lesser (or greater) value wins, and of equal ones that with the lesser place.
     */
    static Rows located(boolean least, ElementType type) {
        return (left, l, right, r, target, t, n) -> {
            for (int i = 0; i < n; i += 2) {
                int order = compare(type, left, l + i, right, r + i);
                if (order == 0) {
                    order = compare(type, left, l + i + 1, right, r + i + 1);
                } else if (!least) {
                    order = -order;
                }
                if (order <= 0) {
                    System.arraycopy(left, l + i, target, t + i, 2);
                } else {
                    System.arraycopy(right, r + i, target, t + i, 2);
                }
            }
        };
    }

    private static int compare(ElementType type, Object left, int l, Object right, int r) {
        return switch (type) {
            case DOUBLE -> Double.compare(((double[]) left)[l], ((double[]) right)[r]);
            case FLOAT -> Float.compare(((float[]) left)[l], ((float[]) right)[r]);
            case LONG -> Long.compare(((long[]) left)[l], ((long[]) right)[r]);
            case INT -> Integer.compare(((int[]) left)[l], ((int[]) right)[r]);
            case SHORT -> Short.compare(((short[]) left)[l], ((short[]) right)[r]);
            case CHAR -> Character.compare(((char[]) left)[l], ((char[]) right)[r]);
            case BYTE -> Byte.compare(((byte[]) left)[l], ((byte[]) right)[r]);
            case BOOLEAN, RAW, OBJECT, MIXED -> throw new AssertionError(type);
        };
    }
}
