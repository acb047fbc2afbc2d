package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * The one place where a buffer of a program becomes what core takes. Arrays are that already; a buffer over an array is
 * the array and an offset into it; any other is its memory. As in Open MPI, position and limit of a buffer do not
 * count: element 0 is the first of its capacity.
 */
final class Memory {
    private static final byte[] NOTHING = new byte[0];

    private Memory() {}

    /**
     * Array or memory behind a buffer, for elements of a type; offsets into it are what {@link #at} says. Null is fine
     * if nothing is moved.
     */
    static Object base(Object buf, Datatype type) {
        if (buf instanceof Buffer buffer) {
            return base(buffer);
        }
        return buf == null ? NOTHING : isOther(buf, type) ? Elements.segment(buf) : buf;
    }

    static Object base(Buffer buffer) {
        if (buffer == null) {
            return NOTHING;
        }
        if (buffer.hasArray()) {
            return buffer.array();
        }
        boolean whole = buffer.position() == 0 && buffer.limit() == buffer.capacity();
        return MemorySegment.ofBuffer(whole ? buffer : buffer.duplicate().clear());
    }

    /** An offset in elements of the buffer as an offset into its {@link #base}. */
    static long at(Object buf, long offset, Datatype type) {
        if (buf instanceof Buffer buffer) {
            return at(buffer, offset);
        }
        return buf != null && isOther(buf, type) ? offset * Elements.typeOf(buf).size() : offset;
    }

    static long at(Buffer buffer, long offset) {
        if (buffer == null) {
            return offset;
        }
        return buffer.hasArray() ? buffer.arrayOffset() + offset : offset * elementBytes(buffer);
    }

    /** What core calls the elements of a buffer. Bytes of a byte buffer are memory, and meet elements of any type. */
    static io.rankwire.Datatype layout(Object buf, Datatype type) {
        return type == MPI.BYTE && buf instanceof ByteBuffer ? io.rankwire.Datatype.RAW : Datatype.core(type);
    }

    /** Where element 0 of a buffer is in its {@link #base}, in bytes. */
    static long startByte(Object buf) {
        return buf instanceof Buffer buffer && buffer.hasArray()
                ? (long) buffer.arrayOffset() * elementBytes(buffer) : 0;
    }

    /** An array of other elements than the type's: the program means its memory. Core takes bytes for that anyway. */
    private static boolean isOther(Object buf, Datatype type) {
        Class<?> kind = buf.getClass();
        return type != null && kind != type.base.array && kind != byte[].class && kind.isArray()
                && kind.getComponentType().isPrimitive() && kind != boolean[].class;
    }

    static int elementBytes(Buffer buffer) {
        if (buffer instanceof ByteBuffer) {
            return Byte.BYTES;
        }
        if (buffer instanceof IntBuffer || buffer instanceof FloatBuffer) {
            return Integer.BYTES;
        }
        if (buffer instanceof DoubleBuffer || buffer instanceof LongBuffer) {
            return Long.BYTES;
        }
        // What is left are CharBuffer and ShortBuffer: the class is sealed.
        return Character.BYTES;
    }
}
