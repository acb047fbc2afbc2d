package io.rankwire.type;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The innermost loops of copy programs: blocks of one length at one distance, between user memory and bytes on the
 * heap, where they have a distance too. Each kind of memory has a loop of its own in which no call depends on a class:
 * through segments of several kinds each element would cost several calls that the JIT cannot see through. Of many
 * short blocks all first elements are copied, then all second ones: few long loops instead of many short ones. Where
 * the commonest elements lie in a row on the heap, that distance is a constant, which saves a tenth.
 */
final class StrideCopy {
    /** Longer blocks are copied in bulk. */
    private static final int SHORT_BYTES = 64;
    private static final VarHandle DOUBLE = view(double[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle CHAR = view(char[].class);
    private static final VarHandle SHORT = view(short[].class);

    private StrideCopy() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.nativeOrder()).withInvokeExactBehavior();
    }

    static void out(Object base, long at, int block, long stride, int count, byte[] to, int toByte, int toStride) {
        if (block > SHORT_BYTES || count < block >>> 3) {
            for (int i = 0; i < count; i++) {
                row(true, base, at + i * stride, block, to, toByte + i * toStride);
            }
            return;
        }
        if (base instanceof double[] a) {
            for (int j = 0; j < block >>> 3; j++) {
                out(a, (int) (at >>> 3) + j, (int) (stride >> 3), count, to, toByte + (j << 3), toStride);
            }
        } else if (base instanceof long[] a) {
            for (int j = 0; j < block >>> 3; j++) {
                out(a, (int) (at >>> 3) + j, (int) (stride >> 3), count, to, toByte + (j << 3), toStride);
            }
        } else if (base instanceof int[] a) {
            for (int j = 0; j < block >>> 2; j++) {
                out(a, (int) (at >>> 2) + j, (int) (stride >> 2), count, to, toByte + (j << 2), toStride);
            }
        } else if (base instanceof float[] a) {
            for (int j = 0; j < block >>> 2; j++) {
                out(a, (int) (at >>> 2) + j, (int) (stride >> 2), count, to, toByte + (j << 2), toStride);
            }
        } else if (base instanceof char[] a) {
            for (int j = 0; j < block >>> 1; j++) {
                out(a, (int) (at >>> 1) + j, (int) (stride >> 1), count, to, toByte + (j << 1), toStride);
            }
        } else if (base instanceof short[] a) {
            for (int j = 0; j < block >>> 1; j++) {
                out(a, (int) (at >>> 1) + j, (int) (stride >> 1), count, to, toByte + (j << 1), toStride);
            }
        } else {
            bytes(true, base, at, block, stride, count, to, toByte, toStride);
        }
    }

    static void in(byte[] from, int fromByte, int fromStride, Object base, long at, int block, long stride, int count) {
        if (block > SHORT_BYTES || count < block >>> 3) {
            for (int i = 0; i < count; i++) {
                row(false, base, at + i * stride, block, from, fromByte + i * fromStride);
            }
            return;
        }
        if (base instanceof double[] a) {
            for (int j = 0; j < block >>> 3; j++) {
                in(from, fromByte + (j << 3), fromStride, a, (int) (at >>> 3) + j, (int) (stride >> 3), count);
            }
        } else if (base instanceof long[] a) {
            for (int j = 0; j < block >>> 3; j++) {
                in(from, fromByte + (j << 3), fromStride, a, (int) (at >>> 3) + j, (int) (stride >> 3), count);
            }
        } else if (base instanceof int[] a) {
            for (int j = 0; j < block >>> 2; j++) {
                in(from, fromByte + (j << 2), fromStride, a, (int) (at >>> 2) + j, (int) (stride >> 2), count);
            }
        } else if (base instanceof float[] a) {
            for (int j = 0; j < block >>> 2; j++) {
                in(from, fromByte + (j << 2), fromStride, a, (int) (at >>> 2) + j, (int) (stride >> 2), count);
            }
        } else if (base instanceof char[] a) {
            for (int j = 0; j < block >>> 1; j++) {
                in(from, fromByte + (j << 1), fromStride, a, (int) (at >>> 1) + j, (int) (stride >> 1), count);
            }
        } else if (base instanceof short[] a) {
            for (int j = 0; j < block >>> 1; j++) {
                in(from, fromByte + (j << 1), fromStride, a, (int) (at >>> 1) + j, (int) (stride >> 1), count);
            }
        } else {
            bytes(false, base, at, block, stride, count, from, fromByte, fromStride);
        }
    }

    /** Blocks in memory that has bytes: word by word, then what is left of a word. */
    private static void bytes(
            boolean out, Object base, long at, int block, long stride, int count, byte[] heap, int place, int step) {
        if (!(base instanceof byte[] || base instanceof ByteBuffer)) {
            for (int i = 0; i < count; i++) {
                others(out, base, at + i * stride, block, heap, place + i * step);
            }
            return;
        }
        int done = 0;
        for (; done + 8 <= block; done += 8) {
            words(8, out, base, (int) at + done, (int) stride, count, heap, place + done, step);
        }
        if (done + 4 <= block) {
            words(4, out, base, (int) at + done, (int) stride, count, heap, place + done, step);
            done += 4;
        }
        for (; done < block; done++) {
            words(1, out, base, (int) at + done, (int) stride, count, heap, place + done, step);
        }
    }

    private static void words(
            int bytes, boolean out, Object base, int at, int stride, int count, byte[] heap, int place, int step) {
        if (base instanceof byte[] a) {
            if (out) {
                between(bytes, a, at, stride, heap, place, step, count);
            } else {
                between(bytes, heap, place, step, a, at, stride, count);
            }
        } else if (out) {
            out(bytes, (ByteBuffer) base, at, stride, count, heap, place, step);
        } else {
            in(bytes, heap, place, step, (ByteBuffer) base, at, stride, count);
        }
    }

    private static void row(boolean out, Object base, long at, int bytes, byte[] heap, int place) {
        if (base instanceof byte[] a) {
            if (out) {
                System.arraycopy(a, (int) at, heap, place, bytes);
            } else {
                System.arraycopy(heap, place, a, (int) at, bytes);
            }
        } else if (base instanceof ByteBuffer a) {
            if (out) {
                a.get((int) at, heap, place, bytes);
            } else {
                a.put((int) at, heap, place, bytes);
            }
        } else if (out) {
            Copy.out(base, at, MemorySegment.ofArray(heap), place, bytes);
        } else {
            Copy.in(MemorySegment.ofArray(heap), place, base, at, bytes);
        }
    }

    private static void out(double[] a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        if (toStep == 8) {
            for (int i = 0; i < count; i++) {
                DOUBLE.set(to, toByte + 8 * i, a[at + i * step]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            DOUBLE.set(to, toByte + i * toStep, a[at + i * step]);
        }
    }

    private static void in(byte[] from, int fromByte, int fromStep, double[] a, int at, int step, int count) {
        if (fromStep == 8) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = (double) DOUBLE.get(from, fromByte + 8 * i);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            a[at + i * step] = (double) DOUBLE.get(from, fromByte + i * fromStep);
        }
    }

    private static void out(long[] a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        if (toStep == 8) {
            for (int i = 0; i < count; i++) {
                LONG.set(to, toByte + 8 * i, a[at + i * step]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            LONG.set(to, toByte + i * toStep, a[at + i * step]);
        }
    }

    private static void in(byte[] from, int fromByte, int fromStep, long[] a, int at, int step, int count) {
        if (fromStep == 8) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = (long) LONG.get(from, fromByte + 8 * i);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            a[at + i * step] = (long) LONG.get(from, fromByte + i * fromStep);
        }
    }

    private static void out(int[] a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        if (toStep == 4) {
            for (int i = 0; i < count; i++) {
                INT.set(to, toByte + 4 * i, a[at + i * step]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            INT.set(to, toByte + i * toStep, a[at + i * step]);
        }
    }

    private static void in(byte[] from, int fromByte, int fromStep, int[] a, int at, int step, int count) {
        if (fromStep == 4) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = (int) INT.get(from, fromByte + 4 * i);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            a[at + i * step] = (int) INT.get(from, fromByte + i * fromStep);
        }
    }

    private static void out(float[] a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        if (toStep == 4) {
            for (int i = 0; i < count; i++) {
                FLOAT.set(to, toByte + 4 * i, a[at + i * step]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            FLOAT.set(to, toByte + i * toStep, a[at + i * step]);
        }
    }

    private static void in(byte[] from, int fromByte, int fromStep, float[] a, int at, int step, int count) {
        if (fromStep == 4) {
            for (int i = 0; i < count; i++) {
                a[at + i * step] = (float) FLOAT.get(from, fromByte + 4 * i);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            a[at + i * step] = (float) FLOAT.get(from, fromByte + i * fromStep);
        }
    }

    private static void out(char[] a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        for (int i = 0; i < count; i++) {
            CHAR.set(to, toByte + i * toStep, a[at + i * step]);
        }
    }

    private static void in(byte[] from, int fromByte, int fromStep, char[] a, int at, int step, int count) {
        for (int i = 0; i < count; i++) {
            a[at + i * step] = (char) CHAR.get(from, fromByte + i * fromStep);
        }
    }

    private static void out(short[] a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        for (int i = 0; i < count; i++) {
            SHORT.set(to, toByte + i * toStep, a[at + i * step]);
        }
    }

    private static void in(byte[] from, int fromByte, int fromStep, short[] a, int at, int step, int count) {
        for (int i = 0; i < count; i++) {
            a[at + i * step] = (short) SHORT.get(from, fromByte + i * fromStep);
        }
    }

    private static void between(
            int bytes, byte[] from, int fromByte, int fromStep, byte[] to, int toByte, int toStep, int count) {
        if (bytes == 8) {
            for (int i = 0; i < count; i++) {
                LONG.set(to, toByte + i * toStep, (long) LONG.get(from, fromByte + i * fromStep));
            }
        } else if (bytes == 4) {
            for (int i = 0; i < count; i++) {
                INT.set(to, toByte + i * toStep, (int) INT.get(from, fromByte + i * fromStep));
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[toByte + i * toStep] = from[fromByte + i * fromStep];
            }
        }
    }

    private static void out(int bytes, ByteBuffer a, int at, int step, int count, byte[] to, int toByte, int toStep) {
        if (bytes == 8) {
            for (int i = 0; i < count; i++) {
                LONG.set(to, toByte + i * toStep, a.getLong(at + i * step));
            }
        } else if (bytes == 4) {
            for (int i = 0; i < count; i++) {
                INT.set(to, toByte + i * toStep, a.getInt(at + i * step));
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[toByte + i * toStep] = a.get(at + i * step);
            }
        }
    }

    private static void in(
            int bytes, byte[] from, int fromByte, int fromStep, ByteBuffer a, int at, int step, int count) {
        if (bytes == 8) {
            for (int i = 0; i < count; i++) {
                a.putLong(at + i * step, (long) LONG.get(from, fromByte + i * fromStep));
            }
        } else if (bytes == 4) {
            for (int i = 0; i < count; i++) {
                a.putInt(at + i * step, (int) INT.get(from, fromByte + i * fromStep));
            }
        } else {
            for (int i = 0; i < count; i++) {
                a.put(at + i * step, from[fromByte + i * fromStep]);
            }
        }
    }

    /** Booleans, and segments that no buffer can stand for. */
    private static void others(boolean out, Object base, long at, int bytes, byte[] heap, int place) {
        if (base instanceof boolean[]) {
            row(out, base, at, bytes, heap, place);
            return;
        }
        MemorySegment memory = (MemorySegment) base;
        for (int i = 0; i < bytes; i++) {
            if (out) {
                heap[place + i] = memory.get(ValueLayout.JAVA_BYTE, at + i);
            } else {
                memory.set(ValueLayout.JAVA_BYTE, at + i, heap[place + i]);
            }
        }
    }
}
