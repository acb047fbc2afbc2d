package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.memory.Words;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/**
 * Properties of the buffers that programs pass to calls: element type, length, and the memory that the device copies
 * from or to. Every call with a buffer uses it.
 */
public final class Buffers {
    /** Replaces the buffer of a collective call whose content is in the other buffer already. */
    public static final Object IN_PLACE = new Object() {
        @Override
        public String toString() {
            return "IN_PLACE";
        }
    };

    private Buffers() {}

    /** Returns the element type of a buffer; throws if the object is no buffer. */
    public static ElementType type(Object buffer) {
        ElementType type = ElementType.ofBuffer(buffer);
        if (type == null) {
            throw notABuffer(buffer);
        }
        return type;
    }

    /** Returns the number of elements in the buffer; for a {@code ByteBuffer} the bytes between position and limit. */
    public static long length(Object buffer) {
        return buffer instanceof byte[] a ? a.length
                : buffer instanceof double[] a ? a.length
                : buffer instanceof int[] a ? a.length
                : buffer instanceof MemorySegment s ? s.byteSize()
                : buffer instanceof ByteBuffer b ? b.remaining() : Array.getLength(buffer);
    }

    /** Returns the array or segment that holds the buffer. */
    public static Object base(Object buffer) {
        return buffer instanceof ByteBuffer b ? (b.hasArray() ? b.array() : MemorySegment.ofBuffer(b)) : buffer;
    }

    /** Returns the offset in bytes of the buffer in its {@link #base}. */
    public static long start(Object buffer) {
        return buffer instanceof ByteBuffer b && b.hasArray() ? b.arrayOffset() + b.position() : 0;
    }

    /** Throws if the buffer is a segment that this thread may not access. */
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

    /** Throws if the buffer is read-only. */
    public static void checkWritable(Object buffer) {
        if (isReadOnly(buffer)) {
            throw new RankwireException(ErrorClass.BUFFER, "argument buffer: " + describe(buffer)
                    + " is read-only and cannot receive" + CallSite.find());
        }
    }

    /** Returns the name of the buffer's class, for errors. */
    public static String describe(Object buffer) {
        return buffer == null ? "null" : buffer.getClass().getSimpleName();
    }

    /** Returns the error for a part that does not lie within the buffer. */
    public static RankwireException outside(Object buffer, long offset, long count) {
        return new RankwireException(ErrorClass.COUNT, "arguments offset " + offset + " and count " + count
                + " do not fit a " + describe(buffer) + " of length " + length(buffer) + CallSite.find());
    }

    /** Returns the error for an object that is no buffer. */
    public static RankwireException notABuffer(Object buffer) {
        String hint = buffer == null
                ? "argument buffer is null"
                : "argument buffer: a " + buffer.getClass().getName()
                        + " is no primitive array, ByteBuffer or MemorySegment; objects go with sendObject and"
                        + " receiveObject";
        return new RankwireException(ErrorClass.BUFFER, hint + CallSite.find());
    }
}
