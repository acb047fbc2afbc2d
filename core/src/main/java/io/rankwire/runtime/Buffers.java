package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.memory.Words;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/** User buffers: what kind one is, how large, and what the device copies from or to. */
public final class Buffers {
    /** Stands for a buffer whose content is in another one already. */
    public static final Object IN_PLACE = new Object() {
        @Override
        public String toString() {
            return "IN_PLACE";
        }
    };

    private Buffers() {}

    public static ElementType type(Object buffer) {
        ElementType type = ElementType.ofBuffer(buffer);
        if (type == null) {
            throw notABuffer(buffer);
        }
        return type;
    }

    /** Elements in the buffer; for a {@code ByteBuffer} the bytes between position and limit. */
    public static long length(Object buffer) {
        if (buffer instanceof byte[] a) {
            return a.length;
        }
        if (buffer instanceof double[] a) {
            return a.length;
        }
        if (buffer instanceof int[] a) {
            return a.length;
        }
        if (buffer instanceof MemorySegment s) {
            return s.byteSize();
        }
        return buffer instanceof ByteBuffer b ? b.remaining() : Array.getLength(buffer);
    }

    /** The array or segment behind the buffer. */
    public static Object base(Object buffer) {
        return buffer instanceof ByteBuffer b ? (b.hasArray() ? b.array() : MemorySegment.ofBuffer(b)) : buffer;
    }

    /** Where the buffer's first byte is in its base. */
    public static long start(Object buffer) {
        return buffer instanceof ByteBuffer b && b.hasArray() ? b.arrayOffset() + b.position() : 0;
    }

    /** Whether this thread may touch memory that is no array. */
    public static void checkReachable(Object buffer) {
        Object base = base(buffer);
        if (base instanceof MemorySegment memory && !Words.isOwn(memory)) {
            throw new RankwireException(ErrorClass.BUFFER, "argument buffer: memory of Arena.ofConfined() that belongs"
                    + " to another thread than " + Thread.currentThread().getName() + CallSite.find());
        }
        if (base instanceof MemorySegment memory && !memory.scope().isAlive()) {
            throw new RankwireException(ErrorClass.BUFFER, "argument buffer: its memory is closed" + CallSite.find());
        }
    }

    public static boolean isReadOnly(Object buffer) {
        return buffer instanceof ByteBuffer b && b.isReadOnly() || buffer instanceof MemorySegment s && s.isReadOnly();
    }

    public static void checkWritable(Object buffer) {
        if (isReadOnly(buffer)) {
            throw new RankwireException(ErrorClass.BUFFER, "argument buffer: " + describe(buffer)
                    + " is read-only and cannot receive" + CallSite.find());
        }
    }

    public static String describe(Object buffer) {
        return buffer == null ? "null" : buffer.getClass().getSimpleName();
    }

    public static RankwireException outside(Object buffer, long offset, long count) {
        return new RankwireException(ErrorClass.COUNT, "arguments offset " + offset + " and count " + count
                + " do not fit a " + describe(buffer) + " of length " + length(buffer) + CallSite.find());
    }

    public static RankwireException notABuffer(Object buffer) {
        String hint = buffer == null
                ? "argument buffer is null"
                : "argument buffer: a " + buffer.getClass().getName()
                        + " is no primitive array, ByteBuffer or MemorySegment; objects go with sendObject and"
                        + " receiveObject";
        return new RankwireException(ErrorClass.BUFFER, hint + CallSite.find());
    }
}
