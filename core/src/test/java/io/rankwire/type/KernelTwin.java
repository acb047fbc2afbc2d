package io.rankwire.type;

import io.rankwire.memory.Rand;

/** A second implementation of reductions of single elements, to test the first. Elements are kept as bits. */
final class KernelTwin {
    private static final double[] DOUBLES = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, 1, -1, 1.5};
    private static final float[] FLOATS = {0.0f, -0.0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
        Float.MIN_VALUE, -Float.MIN_VALUE, Float.MAX_VALUE, 1, -1, 1.5f};

    private KernelTwin() {}

    static long combine(Reduction op, ElementType type, long x, long y) {
        if (op == Reduction.REPLACE || op == Reduction.NO_OP) {
            return op == Reduction.REPLACE ? y : x;
        }
        return switch (type) {
            case DOUBLE -> Double.doubleToRawLongBits(
                    combine(op, Double.longBitsToDouble(x), Double.longBitsToDouble(y)));
            // A sum or product of floats in doubles is rounded only once.
            case FLOAT -> Float.floatToRawIntBits(
                    (float) combine(op, Float.intBitsToFloat((int) x), Float.intBitsToFloat((int) y)));
            default -> wholes(op, type, x, y);
        };
    }

    private static double combine(Reduction op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            default -> {
                if (a != a || b != b) {
                    yield Double.NaN;
                }
                boolean less = a < b || a == b && 1 / a < 1 / b;
                yield less == (op == Reduction.MIN) ? a : b;
            }
        };
    }

    private static long wholes(Reduction op, ElementType type, long x, long y) {
        long z = switch (op) {
            case SUM -> x + y;
            case PROD -> x * y;
            case MIN -> x < y ? x : y;
            case MAX -> x > y ? x : y;
            case LAND -> x == 0 || y == 0 ? 0 : 1;
            case LOR -> x == 0 && y == 0 ? 0 : 1;
            case LXOR -> (x == 0) == (y == 0) ? 0 : 1;
            case BAND -> x & y;
            case BOR -> x | y;
            default -> x ^ y;
        };
        return narrow(type, z);
    }

    private static long narrow(ElementType type, long bits) {
        return switch (type) {
            case BYTE -> (byte) bits;
            case BOOLEAN -> bits & 1;
            case SHORT -> (short) bits;
            case CHAR -> (char) bits;
            case INT, FLOAT -> (int) bits;
            default -> bits;
        };
    }

    /** Whether the left of two pairs wins. */
    static boolean leftWins(boolean least, ElementType type, long x, long xPlace, long y, long yPlace) {
        int values = isNumber(type, x) && isNumber(type, y) ? order(type, x, y)
                : Boolean.compare(isNumber(type, x), isNumber(type, y)) * (least ? 1 : -1);
        return values == 0 ? order(type, xPlace, yPlace) <= 0 : least ? values < 0 : values > 0;
    }

    private static boolean isNumber(ElementType type, long x) {
        return switch (type) {
            case DOUBLE -> !Double.isNaN(Double.longBitsToDouble(x));
            case FLOAT -> !Float.isNaN(Float.intBitsToFloat((int) x));
            default -> true;
        };
    }

    private static int order(ElementType type, long x, long y) {
        return switch (type) {
            case DOUBLE -> Double.compare(Double.longBitsToDouble(x), Double.longBitsToDouble(y));
            case FLOAT -> Float.compare(Float.intBitsToFloat((int) x), Float.intBitsToFloat((int) y));
            default -> Long.compare(x, y);
        };
    }

    /** Whether both have the same bits, or both are NaN with any bits. */
    static boolean same(ElementType type, long x, long y) {
        return x == y || switch (type) {
            case DOUBLE -> Double.isNaN(Double.longBitsToDouble(x)) && Double.isNaN(Double.longBitsToDouble(y));
            case FLOAT -> Float.isNaN(Float.intBitsToFloat((int) x)) && Float.isNaN(Float.intBitsToFloat((int) y));
            default -> false;
        };
    }

    /** A random element, often an extreme value of its type. */
    static long random(ElementType type, Rand rand) {
        if (rand.chance(1, 3)) {
            return narrow(type, rand.nextLong());
        }
        return switch (type) {
            case DOUBLE -> Double.doubleToRawLongBits(
                    rand.chance(1, 2) ? DOUBLES[rand.below(DOUBLES.length)] : rand.between(-1000, 1000) / 8.0);
            case FLOAT -> Float.floatToRawIntBits(
                    rand.chance(1, 2) ? FLOATS[rand.below(FLOATS.length)] : rand.between(-1000, 1000) / 8.0f);
            default -> narrow(type, rand.chance(1, 3) ? Long.MIN_VALUE >> (64 - 8 * type.bytes())
                    : rand.chance(1, 3) ? ~(Long.MIN_VALUE >> (64 - 8 * type.bytes())) : rand.between(-2, 2));
        };
    }

    static long get(ElementType type, Object array, int i) {
        return switch (type) {
            case DOUBLE -> Double.doubleToRawLongBits(((double[]) array)[i]);
            case FLOAT -> Float.floatToRawIntBits(((float[]) array)[i]);
            case LONG -> ((long[]) array)[i];
            case INT -> ((int[]) array)[i];
            case SHORT -> ((short[]) array)[i];
            case CHAR -> ((char[]) array)[i];
            case BYTE -> ((byte[]) array)[i];
            default -> ((boolean[]) array)[i] ? 1 : 0;
        };
    }

    static void set(ElementType type, Object array, int i, long bits) {
        switch (type) {
            case DOUBLE -> ((double[]) array)[i] = Double.longBitsToDouble(bits);
            case FLOAT -> ((float[]) array)[i] = Float.intBitsToFloat((int) bits);
            case LONG -> ((long[]) array)[i] = bits;
            case INT -> ((int[]) array)[i] = (int) bits;
            case SHORT -> ((short[]) array)[i] = (short) bits;
            case CHAR -> ((char[]) array)[i] = (char) bits;
            case BYTE -> ((byte[]) array)[i] = (byte) bits;
            default -> ((boolean[]) array)[i] = bits != 0;
        }
    }
}
