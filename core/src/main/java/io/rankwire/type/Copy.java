package io.rankwire.type;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bytes between user buffers and frames. A user buffer is a primitive array, a {@code MemorySegment}, or one of them
 * seen through a datatype; offsets into it are in bytes and, for arrays, whole elements. Short copies are done here
 * word by word: a call of the bulk copy costs more than the bytes.
 */
public final class Copy {
    /**
     * Up to this many bytes a loop over words is faster than the bulk copy. Into a line at which its reader looks all
     * the time it is much faster: the bulk copy takes so long that the reader gets the line in between.
     */
    private static final int SHORT_BYTES = 64;
    private static final int SHORT_INTS = 6;
    /** Bytes of one step of a copy of any length: whole elements of every type. */
    private static final int LONGEST = 1 << 30;
    /** Stands for user memory that has ended: takes whatever comes. Nothing can be read from it. */
    public static final Object NOWHERE = new Object();
    private static final VarHandle LONG_OF_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

    private Copy() {}

    /** From a user buffer into a frame. */
    public static void out(Object from, long fromByte, MemorySegment to, long toByte, int bytes) {
        if (from instanceof byte[] a) {
            out(a, (int) fromByte, to, toByte, bytes);
        } else if (from instanceof double[] a) {
            out(a, (int) (fromByte >>> 3), to, toByte, bytes >>> 3);
        } else if (from instanceof int[] a) {
            out(a, (int) (fromByte >>> 2), to, toByte, bytes >>> 2);
        } else if (from instanceof long[] a) {
            out(a, (int) (fromByte >>> 3), to, toByte, bytes >>> 3);
        } else if (from instanceof float[] a) {
            MemorySegment.copy(a, (int) (fromByte >>> 2), to, JAVA_FLOAT_UNALIGNED, toByte, bytes >>> 2);
        } else if (from instanceof char[] a) {
            MemorySegment.copy(a, (int) (fromByte >>> 1), to, JAVA_CHAR_UNALIGNED, toByte, bytes >>> 1);
        } else if (from instanceof short[] a) {
            MemorySegment.copy(a, (int) (fromByte >>> 1), to, JAVA_SHORT_UNALIGNED, toByte, bytes >>> 1);
        } else if (from instanceof boolean[] a) {
            out(a, (int) fromByte, to, toByte, bytes);
        } else if (from instanceof MemorySegment s) {
            copy(Words.accessible(s), fromByte, to, toByte, bytes);
        } else if (from == NOWHERE) {
            throw new IllegalStateException("Already closed");
        } else if (from instanceof Prefixed prefixed) {
            prefixed.out(fromByte, to, toByte, bytes);
        } else {
            boolean interrupted = Words.isInterrupted();
            try {
                ((TypedBuffer) from).out(fromByte, to, toByte, bytes);
            } catch (IllegalStateException e) {
                Words.accessEnded(interrupted);
                throw e;
            }
        }
    }

    /** From a frame into a user buffer. */
    public static void in(MemorySegment from, long fromByte, Object to, long toByte, int bytes) {
        if (to instanceof byte[] a) {
            in(from, fromByte, a, (int) toByte, bytes);
        } else if (to instanceof double[] a) {
            in(from, fromByte, a, (int) (toByte >>> 3), bytes >>> 3);
        } else if (to instanceof int[] a) {
            in(from, fromByte, a, (int) (toByte >>> 2), bytes >>> 2);
        } else if (to instanceof long[] a) {
            in(from, fromByte, a, (int) (toByte >>> 3), bytes >>> 3);
        } else if (to instanceof float[] a) {
            MemorySegment.copy(from, JAVA_FLOAT_UNALIGNED, fromByte, a, (int) (toByte >>> 2), bytes >>> 2);
        } else if (to instanceof char[] a) {
            MemorySegment.copy(from, JAVA_CHAR_UNALIGNED, fromByte, a, (int) (toByte >>> 1), bytes >>> 1);
        } else if (to instanceof short[] a) {
            MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, fromByte, a, (int) (toByte >>> 1), bytes >>> 1);
        } else if (to instanceof boolean[] a) {
            in(from, fromByte, a, (int) toByte, bytes);
        } else if (to instanceof MemorySegment s) {
            copy(from, fromByte, Words.accessible(s), toByte, bytes);
        } else if (to instanceof Combining c) {
            c.take(from, fromByte, toByte, bytes);
        } else if (to instanceof TypedBuffer typed) {
            boolean interrupted = Words.isInterrupted();
            try {
                typed.in(from, fromByte, toByte, bytes);
            } catch (IllegalStateException e) {
                Words.accessEnded(interrupted);
                throw e;
            }
        } else if (to instanceof Prefixed prefixed) {
            prefixed.in(from, fromByte, toByte, bytes);
        } else if (to != NOWHERE) {
            ((OwnedBuffer) to).in(from, fromByte, toByte, bytes);
        }
    }

    private static void copy(MemorySegment from, long fromByte, MemorySegment to, long toByte, int bytes) {
        boolean interrupted = Words.isInterrupted();
        try {
            MemorySegment.copy(from, fromByte, to, toByte, bytes);
        } catch (IllegalStateException e) {
            Words.accessEnded(interrupted);
            throw e;
        }
    }

    /** Between two user buffers, which may be of different kinds. */
    public static void between(Object from, long fromByte, Object to, long toByte, long bytes) {
        boolean interrupted = Words.isInterrupted();
        try {
            move(from, fromByte, to, toByte, bytes);
        } catch (IllegalStateException e) {
            Words.accessEnded(interrupted);
            throw e;
        }
    }

    private static void move(Object from, long fromByte, Object to, long toByte, long bytes) {
        if (from instanceof MemorySegment source) {
            MemorySegment s = Words.accessible(source);
            for (long done = 0; done < bytes; done += LONGEST) {
                in(s, fromByte + done, to, toByte + done, (int) Math.min(LONGEST, bytes - done));
            }
        } else if (to instanceof MemorySegment target) {
            MemorySegment s = Words.accessible(target);
            for (long done = 0; done < bytes; done += LONGEST) {
                out(from, fromByte + done, s, toByte + done, (int) Math.min(LONGEST, bytes - done));
            }
        } else if (from instanceof TypedBuffer typed) {
            typed.between(fromByte, to, toByte, bytes);
        } else if (from.getClass() == to.getClass()) {
            int size = ElementType.ofBuffer(from).bytes();
            System.arraycopy(from, (int) (fromByte / size), to, (int) (toByte / size), (int) (bytes / size));
        } else if (from instanceof boolean[]) {
            byte[] copy = new byte[(int) bytes];
            toBytes(from, fromByte, copy);
            in(MemorySegment.ofArray(copy), 0, to, toByte, copy.length);
        } else {
            in(segment(from), fromByte, to, toByte, (int) bytes);
        }
    }

    /** Whether a copy from or to this user buffer fails because its memory was closed. */
    public static boolean hasEnded(Object buffer) {
        // Not a switch over types, which takes milliseconds when it first runs: in the first error of a rank.
        return buffer instanceof MemorySegment segment ? !segment.scope().isAlive()
                : buffer instanceof TypedBuffer typed ? typed.memory() != null && !typed.memory().scope().isAlive()
                : buffer instanceof OwnedBuffer owned ? owned.hasEnded()
                : buffer instanceof Combining combining ? combining.hasEnded()
                : buffer instanceof Prefixed prefixed ? hasEnded(prefixed.base())
                : buffer == NOWHERE;
    }

    /** The whole buffer as a segment, or null if Java has no such view of it. */
    public static MemorySegment segment(Object buffer) {
        return buffer instanceof MemorySegment segment ? segment : Words.ofArray(buffer);
    }

    /** As {@link #in} for a short frame and the commonest arrays, where nothing can go wrong; else false. */
    public static boolean intoArray(MemorySegment from, long fromByte, Object to, long toByte, int bytes) {
        if (to instanceof byte[] a) {
            in(from, fromByte, a, (int) toByte, bytes);
            return true;
        }
        if (to instanceof double[] a) {
            in(from, fromByte, a, (int) (toByte >>> 3), bytes >>> 3);
            return true;
        }
        return false;
    }

    /** As {@link #out} for a word of the commonest arrays; else false. Short, so that compilers put it in line. */
    public static boolean wordOfArray(Object from, long fromByte, MemorySegment to, long toByte) {
        long word;
        if (from instanceof byte[] a) {
            word = (long) LONG_OF_BYTES.get(a, (int) fromByte);
        } else if (from instanceof double[] a) {
            word = Double.doubleToRawLongBits(a[(int) (fromByte >>> 3)]);
        } else {
            return false;
        }
        Words.storeUnaligned(to, toByte, word);
        return true;
    }

    /** From a user buffer into a whole array of bytes. */
    public static void toBytes(Object from, long fromByte, byte[] to) {
        out(from, fromByte, MemorySegment.ofArray(to), 0, to.length);
    }

    private static void out(byte[] from, int at, MemorySegment to, long toByte, int bytes) {
        if (bytes > SHORT_BYTES) {
            MemorySegment.copy(from, at, to, JAVA_BYTE, toByte, bytes);
            return;
        }
        if (bytes == 8) {
            Words.storeUnaligned(to, toByte, (long) LONG_OF_BYTES.get(from, at));
            return;
        }
        int done = 0;
        for (; done + 8 <= bytes; done += 8) {
            Words.storeUnaligned(to, toByte + done, (long) LONG_OF_BYTES.get(from, at + done));
        }
        if (done > 0 && done < bytes) {
            done = bytes - 8;
            Words.storeUnaligned(to, toByte + done, (long) LONG_OF_BYTES.get(from, at + done));
            return;
        }
        for (; done < bytes; done++) {
            to.set(JAVA_BYTE, toByte + done, from[at + done]);
        }
    }

    private static void in(MemorySegment from, long fromByte, byte[] to, int at, int bytes) {
        if (bytes > SHORT_BYTES) {
            MemorySegment.copy(from, JAVA_BYTE, fromByte, to, at, bytes);
            return;
        }
        if (bytes == 8) {
            LONG_OF_BYTES.set(to, at, Words.loadUnaligned(from, fromByte));
            return;
        }
        int done = 0;
        for (; done + 8 <= bytes; done += 8) {
            LONG_OF_BYTES.set(to, at + done, Words.loadUnaligned(from, fromByte + done));
        }
        if (done > 0 && done < bytes) {
            done = bytes - 8;
            LONG_OF_BYTES.set(to, at + done, Words.loadUnaligned(from, fromByte + done));
            return;
        }
        for (; done < bytes; done++) {
            to[at + done] = from.get(JAVA_BYTE, fromByte + done);
        }
    }

    private static void out(double[] from, int at, MemorySegment to, long toByte, int count) {
        if (count > SHORT_BYTES / 8) {
            MemorySegment.copy(from, at, to, JAVA_DOUBLE_UNALIGNED, toByte, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            Words.storeUnaligned(to, toByte + 8L * i, Double.doubleToRawLongBits(from[at + i]));
        }
    }

    private static void in(MemorySegment from, long fromByte, double[] to, int at, int count) {
        if (count > SHORT_BYTES / 8) {
            MemorySegment.copy(from, JAVA_DOUBLE_UNALIGNED, fromByte, to, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[at + i] = Double.longBitsToDouble(Words.loadUnaligned(from, fromByte + 8L * i));
        }
    }

    private static void out(long[] from, int at, MemorySegment to, long toByte, int count) {
        if (count > SHORT_BYTES / 8) {
            MemorySegment.copy(from, at, to, JAVA_LONG_UNALIGNED, toByte, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            Words.storeUnaligned(to, toByte + 8L * i, from[at + i]);
        }
    }

    private static void in(MemorySegment from, long fromByte, long[] to, int at, int count) {
        if (count > SHORT_BYTES / 8) {
            MemorySegment.copy(from, JAVA_LONG_UNALIGNED, fromByte, to, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[at + i] = Words.loadUnaligned(from, fromByte + 8L * i);
        }
    }

    private static void out(int[] from, int at, MemorySegment to, long toByte, int count) {
        if (count > SHORT_INTS) {
            MemorySegment.copy(from, at, to, JAVA_INT_UNALIGNED, toByte, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to.set(JAVA_INT_UNALIGNED, toByte + 4L * i, from[at + i]);
        }
    }

    private static void in(MemorySegment from, long fromByte, int[] to, int at, int count) {
        if (count > SHORT_INTS) {
            MemorySegment.copy(from, JAVA_INT_UNALIGNED, fromByte, to, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[at + i] = from.get(JAVA_INT_UNALIGNED, fromByte + 4L * i);
        }
    }

    private static void out(boolean[] from, int at, MemorySegment to, long toByte, int count) {
        for (int i = 0; i < count; i++) {
            to.set(JAVA_BYTE, toByte + i, from[at + i] ? (byte) 1 : 0);
        }
    }

    private static void in(MemorySegment from, long fromByte, boolean[] to, int at, int count) {
        for (int i = 0; i < count; i++) {
            to[at + i] = from.get(JAVA_BYTE, fromByte + i) != 0;
        }
    }
}
