package io.rankwire.type;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The innermost loops of copy programs: blocks of one length at one distance, between user memory and the packed
 * stream. Blocks of a few elements are copied element by element, each kind of array by a loop of its own, which the
 * JIT can see through; larger ones by {@link Copy}.
 */
final class StrideCopy {
    /** Beyond this a bulk copy for each block is as fast. */
    private static final int SHORT_BYTES = 64;

    private StrideCopy() {}

    static void out(Object base, long at, int block, long stride, int count, MemorySegment to, long toByte) {
        if (block <= SHORT_BYTES) {
            if (base instanceof double[] a) {
                out(a, (int) (at >>> 3), block >>> 3, (int) (stride >> 3), count, to, toByte);
                return;
            } else if (base instanceof int[] a) {
                out(a, (int) (at >>> 2), block >>> 2, (int) (stride >> 2), count, to, toByte);
                return;
            } else if (base instanceof long[] a) {
                out(a, (int) (at >>> 3), block >>> 3, (int) (stride >> 3), count, to, toByte);
                return;
            } else if (base instanceof float[] a) {
                out(a, (int) (at >>> 2), block >>> 2, (int) (stride >> 2), count, to, toByte);
                return;
            } else if (base instanceof char[] a) {
                out(a, (int) (at >>> 1), block >>> 1, (int) (stride >> 1), count, to, toByte);
                return;
            } else if (base instanceof short[] a) {
                out(a, (int) (at >>> 1), block >>> 1, (int) (stride >> 1), count, to, toByte);
                return;
            } else if (base instanceof MemorySegment s) {
                between(s, at, stride, to, toByte, block, block, count);
                return;
            }
        }
        for (int i = 0; i < count; i++) {
            Copy.out(base, at + i * stride, to, toByte + (long) i * block, block);
        }
    }

    static void in(MemorySegment from, long fromByte, Object base, long at, int block, long stride, int count) {
        if (block <= SHORT_BYTES) {
            if (base instanceof double[] a) {
                in(from, fromByte, a, (int) (at >>> 3), block >>> 3, (int) (stride >> 3), count);
                return;
            } else if (base instanceof int[] a) {
                in(from, fromByte, a, (int) (at >>> 2), block >>> 2, (int) (stride >> 2), count);
                return;
            } else if (base instanceof long[] a) {
                in(from, fromByte, a, (int) (at >>> 3), block >>> 3, (int) (stride >> 3), count);
                return;
            } else if (base instanceof float[] a) {
                in(from, fromByte, a, (int) (at >>> 2), block >>> 2, (int) (stride >> 2), count);
                return;
            } else if (base instanceof char[] a) {
                in(from, fromByte, a, (int) (at >>> 1), block >>> 1, (int) (stride >> 1), count);
                return;
            } else if (base instanceof short[] a) {
                in(from, fromByte, a, (int) (at >>> 1), block >>> 1, (int) (stride >> 1), count);
                return;
            } else if (base instanceof MemorySegment s) {
                between(from, fromByte, block, s, at, stride, block, count);
                return;
            }
        }
        for (int i = 0; i < count; i++) {
            Copy.in(from, fromByte + (long) i * block, base, at + i * stride, block);
        }
    }

    private static void out(double[] a, int at, int block, int step, int count, MemorySegment to, long toByte) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                to.set(JAVA_DOUBLE_UNALIGNED, toByte + 8L * i, a[at + i * step]);
            }
            return;
        }
        long next = toByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 8) {
                to.set(JAVA_DOUBLE_UNALIGNED, next, a[at + i * step + j]);
            }
        }
    }

    private static void in(MemorySegment from, long fromByte, double[] a, int at, int block, int step, int count) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = from.get(JAVA_DOUBLE_UNALIGNED, fromByte + 8L * i);
            }
            return;
        }
        long next = fromByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 8) {
                a[at + i * step + j] = from.get(JAVA_DOUBLE_UNALIGNED, next);
            }
        }
    }

    private static void out(long[] a, int at, int block, int step, int count, MemorySegment to, long toByte) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                to.set(JAVA_LONG_UNALIGNED, toByte + 8L * i, a[at + i * step]);
            }
            return;
        }
        long next = toByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 8) {
                to.set(JAVA_LONG_UNALIGNED, next, a[at + i * step + j]);
            }
        }
    }

    private static void in(MemorySegment from, long fromByte, long[] a, int at, int block, int step, int count) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = from.get(JAVA_LONG_UNALIGNED, fromByte + 8L * i);
            }
            return;
        }
        long next = fromByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 8) {
                a[at + i * step + j] = from.get(JAVA_LONG_UNALIGNED, next);
            }
        }
    }

    private static void out(int[] a, int at, int block, int step, int count, MemorySegment to, long toByte) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                to.set(JAVA_INT_UNALIGNED, toByte + 4L * i, a[at + i * step]);
            }
            return;
        }
        long next = toByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 4) {
                to.set(JAVA_INT_UNALIGNED, next, a[at + i * step + j]);
            }
        }
    }

    private static void in(MemorySegment from, long fromByte, int[] a, int at, int block, int step, int count) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = from.get(JAVA_INT_UNALIGNED, fromByte + 4L * i);
            }
            return;
        }
        long next = fromByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 4) {
                a[at + i * step + j] = from.get(JAVA_INT_UNALIGNED, next);
            }
        }
    }

    private static void out(float[] a, int at, int block, int step, int count, MemorySegment to, long toByte) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                to.set(JAVA_FLOAT_UNALIGNED, toByte + 4L * i, a[at + i * step]);
            }
            return;
        }
        long next = toByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 4) {
                to.set(JAVA_FLOAT_UNALIGNED, next, a[at + i * step + j]);
            }
        }
    }

    private static void in(MemorySegment from, long fromByte, float[] a, int at, int block, int step, int count) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = from.get(JAVA_FLOAT_UNALIGNED, fromByte + 4L * i);
            }
            return;
        }
        long next = fromByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 4) {
                a[at + i * step + j] = from.get(JAVA_FLOAT_UNALIGNED, next);
            }
        }
    }

    private static void out(char[] a, int at, int block, int step, int count, MemorySegment to, long toByte) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                to.set(JAVA_CHAR_UNALIGNED, toByte + 2L * i, a[at + i * step]);
            }
            return;
        }
        long next = toByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 2) {
                to.set(JAVA_CHAR_UNALIGNED, next, a[at + i * step + j]);
            }
        }
    }

    private static void in(MemorySegment from, long fromByte, char[] a, int at, int block, int step, int count) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = from.get(JAVA_CHAR_UNALIGNED, fromByte + 2L * i);
            }
            return;
        }
        long next = fromByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 2) {
                a[at + i * step + j] = from.get(JAVA_CHAR_UNALIGNED, next);
            }
        }
    }

    private static void out(short[] a, int at, int block, int step, int count, MemorySegment to, long toByte) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                to.set(JAVA_SHORT_UNALIGNED, toByte + 2L * i, a[at + i * step]);
            }
            return;
        }
        long next = toByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 2) {
                to.set(JAVA_SHORT_UNALIGNED, next, a[at + i * step + j]);
            }
        }
    }

    private static void in(MemorySegment from, long fromByte, short[] a, int at, int block, int step, int count) {
        if (block == 1) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = from.get(JAVA_SHORT_UNALIGNED, fromByte + 2L * i);
            }
            return;
        }
        long next = fromByte;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < block; j++, next += 2) {
                a[at + i * step + j] = from.get(JAVA_SHORT_UNALIGNED, next);
            }
        }
    }

    private static void between(MemorySegment from, long fromByte, long fromStride, MemorySegment to, long toByte,
            long toStride, int block, int count) {
        switch (block) {
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    to.set(JAVA_LONG_UNALIGNED, toByte + i * toStride,
                            from.get(JAVA_LONG_UNALIGNED, fromByte + i * fromStride));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    to.set(JAVA_INT_UNALIGNED, toByte + i * toStride,
                            from.get(JAVA_INT_UNALIGNED, fromByte + i * fromStride));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    few(from, fromByte + i * fromStride, to, toByte + i * toStride, block);
                }
            }
        }
    }

    private static void few(MemorySegment from, long fromByte, MemorySegment to, long toByte, int bytes) {
        int done = 0;
        for (; done + 8 <= bytes; done += 8) {
            to.set(JAVA_LONG_UNALIGNED, toByte + done, from.get(JAVA_LONG_UNALIGNED, fromByte + done));
        }
        for (; done < bytes; done++) {
            to.set(JAVA_BYTE, toByte + done, from.get(JAVA_BYTE, fromByte + done));
        }
    }
}
