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
    /** Core names it by its class, which nothing else has that comes to it from here: {@link CallSite} knows it. */
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private Memory() {}

    /** Returns whether a buffer is an array of the type that its datatype names: core takes it unchanged. */
    static boolean isPlain(Object buf, Datatype type) {
        return type != null && buf != null && buf.getClass() == type.array;
    }

    /**
     * Returns the array or memory behind a buffer, for elements of a type; {@link #at} returns offsets into it. The
     * buffer may be null if no element is moved.
     */
    static Object base(Object buf, Datatype type) {
        if (buf instanceof Buffer buffer) {
            return reachesBack(buffer, type) ? DirectMemory.around(DirectMemory.all(buffer)) : base(buffer);
        }
        if (buf == null) {
            return NOTHING;
        }
        checkKind(buf, type);
        return isOther(buf, type) ? Elements.segment(buf) : buf;
    }

    /** Throws if a buffer is not a buffer, or does not go with its datatype. */
    private static void checkKind(Object buf, Datatype type) {
        if (type == null || type.base.array == null || buf == Collectives.IN_PLACE
                || buf instanceof MemorySegment) {
            return;
        }
        Class<?> kind = buf.getClass();
        if (buf instanceof Object[]) {
            throw new MPIException(MPI.ERR_BUFFER, "argument buf: a " + kind.getTypeName()
                    + " is an array of objects and goes with MPI.OBJECT, not with " + typeName(type)
                    + (kind.getComponentType().isArray() ? ", or row by row" : ""));
        }
        if (!kind.isArray()) {
            throw new MPIException(MPI.ERR_BUFFER, "argument buf: a " + kind.getTypeName() + " is no buffer; "
                    + typeName(type) + " goes with a " + type.base.array.getTypeName()
                    + ", and objects in an Object[] with MPI.OBJECT");
        }
        if (kind == boolean[].class && type.base != Datatype.Base.BOOLEAN && type.core != null) {
            throw new MPIException(MPI.ERR_TYPE, "argument type: a boolean[] goes with MPI.BOOLEAN, not with "
                    + typeName(type));
        }
    }

    private static String typeName(Datatype type) {
        return (type.array == null ? "a type of MPI." : "MPI.") + type.base;
    }

    static Object base(Buffer buffer) {
        if (buffer == null) {
            return NOTHING;
        }
        if (buffer.hasArray()) {
            return buffer.array();
        }
        return DirectMemory.all(buffer);
    }

    private static boolean reachesBack(Buffer buffer, Datatype type) {
        return type != null && type.reachesBack && !buffer.hasArray();
    }

    /** Turns an offset in elements of a buffer into an offset into its {@link #base}. */
    static long at(Object buf, long offset, Datatype type) {
        if (buf instanceof Buffer buffer) {
            return at(buffer, offset) + (reachesBack(buffer, type) ? placeInMemory(buffer) : 0);
        }
        return buf != null && isOther(buf, type) ? offset * Elements.typeOf(buf).size() : offset;
    }

    static long at(Buffer buffer, long offset) {
        if (buffer == null) {
            return offset;
        }
        return buffer.hasArray() ? buffer.arrayOffset() + offset : offset * elementBytes(buffer);
    }

    private static long placeInMemory(Buffer buffer) {
        MemorySegment part = DirectMemory.all(buffer);
        return part.address() - DirectMemory.around(part).address();
    }

    /** Returns core's datatype for the elements of a buffer. Bytes of a byte buffer match elements of any type. */
    static io.rankwire.Datatype layout(Object buf, Datatype type) {
        return type == MPI.BYTE && buf instanceof ByteBuffer ? io.rankwire.Datatype.RAW : Datatype.core(type);
    }

    /** Returns the offset of element 0 of a buffer in its {@link #base}, in bytes. */
    static long startByte(Object buf) {
        return buf instanceof Buffer buffer && buffer.hasArray()
                ? (long) buffer.arrayOffset() * elementBytes(buffer) : 0;
    }

    /** Returns whether an array has other elements than its datatype: then the program means its memory. */
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
        // CharBuffer or ShortBuffer: the class is sealed.
        return Character.BYTES;
    }
}
