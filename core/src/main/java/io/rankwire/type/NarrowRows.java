package io.rankwire.type;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Rows of elements of one and two bytes, see {@link WideRows}. */
final class NarrowRows {
    private NarrowRows() {}

    /** Rows of {@code short}s. The negative of a number without its sign has the sign bit if the number is true. */
    record Shorts(Reduction reduction) implements LevelRows<short[]> {    @Override
        public void combine(short[] a, short[] b, short[] c, int from, int end) {
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

    /** Rows of {@code char}s, as those of {@code short}s. */
    record Chars(Reduction reduction) implements LevelRows<char[]> {    @Override
        public void combine(char[] a, char[] b, char[] c, int from, int end) {
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

    /**
     * Rows of {@code byte}s. The compiler has no vectors for comparisons of bytes; these are done eight at a time in a
     * {@code long}, of which it makes vectors in turn.
     */
    record Bytes(Reduction reduction) implements LevelRows<byte[]> {
        private static final VarHandle WORD =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();
        /** The sign bit of each byte, and all others. */
        private static final long SIGNS = 0x8080_8080_8080_8080L;
        private static final long REST = ~SIGNS;

        @Override
        public void combine(byte[] a, byte[] b, byte[] c, int from, int end) {
            int words = from + (end - from & -8);
            switch (reduction) {
                case SUM -> sum(a, b, c, from, end);
                case PROD -> product(a, b, c, from, end);
                case MIN -> least(a, b, c, from, words);
                case MAX -> greatest(a, b, c, from, words);
                case LAND -> logicalAnd(a, b, c, from, words);
                case LOR -> logicalOr(a, b, c, from, words);
                case LXOR -> logicalXor(a, b, c, from, words);
                case BAND -> and(a, b, c, from, end);
                case BOR -> or(a, b, c, from, end);
                case BXOR -> xor(a, b, c, from, end);
                default -> throw new AssertionError(reduction);
            }
            switch (reduction) {
                case MIN, MAX, LAND, LOR, LXOR -> {
                    for (int i = words; i < end; i++) {
                        c[i] = (byte) reduction.combine(a[i], b[i]);
                    }
                }
                default -> { }
            }
        }

        private static void sum(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i++) {
                c[i] = (byte) (a[i] + b[i]);
            }
        }

        private static void product(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i++) {
                c[i] = (byte) (a[i] * b[i]);
            }
        }

        private static void least(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i += 8) {
                long x = (long) WORD.get(a, i) ^ SIGNS;
                long y = (long) WORD.get(b, i) ^ SIGNS;
                long less = less(x, y);
                WORD.set(c, i, (x & less | y & ~less) ^ SIGNS);
            }
        }

        private static void greatest(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i += 8) {
                long x = (long) WORD.get(a, i) ^ SIGNS;
                long y = (long) WORD.get(b, i) ^ SIGNS;
                long less = less(x, y);
                WORD.set(c, i, (y & less | x & ~less) ^ SIGNS);
            }
        }

        private static void logicalAnd(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i += 8) {
                WORD.set(c, i, (truth((long) WORD.get(a, i)) & truth((long) WORD.get(b, i)) & SIGNS) >>> 7);
            }
        }

        private static void logicalOr(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i += 8) {
                WORD.set(c, i, (truth((long) WORD.get(a, i) | (long) WORD.get(b, i)) & SIGNS) >>> 7);
            }
        }

        private static void logicalXor(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i += 8) {
                WORD.set(c, i, ((truth((long) WORD.get(a, i)) ^ truth((long) WORD.get(b, i))) & SIGNS) >>> 7);
            }
        }

        private static void and(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i++) {
                c[i] = (byte) (a[i] & b[i]);
            }
        }

        private static void or(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i++) {
                c[i] = (byte) (a[i] | b[i]);
            }
        }

        private static void xor(byte[] a, byte[] b, byte[] c, int from, int end) {
            for (int i = from; i < end; i++) {
                c[i] = (byte) (a[i] ^ b[i]);
            }
        }

        /** The sign bit of each byte of which any bit is set; other bits are of no meaning. */
        private static long truth(long x) {
            return (x & REST) + REST | x;
        }

        /** All bits of each byte that is less than the other's, taken without sign. */
        private static long less(long x, long y) {
            long borrow = (~x & y | ~(x ^ y) & ~((x | SIGNS) - (y & REST))) & SIGNS;
            long ones = borrow >>> 7;
            return (ones << 8) - ones;
        }
    }

    /** Rows of {@code boolean}s. Bitwise and logical are the same. */
    record Booleans(Reduction reduction) implements LevelRows<boolean[]> {    @Override
        public void combine(boolean[] a, boolean[] b, boolean[] c, int from, int end) {
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
}
