package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Elements of base types between arrays and memory. */
final class Elements {
    private Elements() {}

    /** Returns a new array. */
    static Object newArray(Datatype.Base base, int count) {
        return switch (base) {
            case BYTE, PACKED -> new byte[count];
            case CHAR -> new char[count];
            case SHORT -> new short[count];
            case BOOLEAN -> new boolean[count];
            case INT -> new int[count];
            case LONG -> new long[count];
            case FLOAT -> new float[count];
            case DOUBLE -> new double[count];
            case OBJECT -> new Object[count];
            default -> throw new MPIException(MPI.ERR_TYPE, base + " has no elements");
        };
    }

    /** Returns an array with the elements of a memory. */
    static Object array(Datatype.Base base, ByteBuffer memory) {
        ByteBuffer from = memory.duplicate().clear().order(ByteOrder.nativeOrder());
        Object array = newArray(base, from.capacity() / base.bytes);
        if (array instanceof boolean[] flags) {
            for (int i = 0; i < flags.length; i++) {
                flags[i] = from.get(i) != 0;
            }
        } else {
            segment(array).copyFrom(MemorySegment.ofBuffer(from).asSlice(0, segment(array).byteSize()));
        }
        return array;
    }

    /** Copies the elements of an array to the start of a memory. */
    static void put(Object array, ByteBuffer memory) {
        if (array instanceof boolean[] flags) {
            for (int i = 0; i < flags.length; i++) {
                memory.put(i, (byte) (flags[i] ? 1 : 0));
            }
        } else {
            MemorySegment.ofBuffer(memory).copyFrom(segment(array));
        }
    }

    /** Returns core's datatype for the elements of an array. */
    static io.rankwire.Datatype typeOf(Object array) {
        return switch (array) {
            case byte[] a -> io.rankwire.Datatype.BYTE;
            case char[] a -> io.rankwire.Datatype.CHAR;
            case short[] a -> io.rankwire.Datatype.SHORT;
            case boolean[] a -> io.rankwire.Datatype.BOOLEAN;
            case int[] a -> io.rankwire.Datatype.INT;
            case long[] a -> io.rankwire.Datatype.LONG;
            case float[] a -> io.rankwire.Datatype.FLOAT;
            case double[] a -> io.rankwire.Datatype.DOUBLE;
            default -> throw new MPIException(MPI.ERR_TYPE, "a " + array.getClass().getTypeName() + " is no buffer");
        };
    }

    static MemorySegment segment(Object array) {
        return switch (array) {
            case byte[] a -> MemorySegment.ofArray(a);
            case char[] a -> MemorySegment.ofArray(a);
            case short[] a -> MemorySegment.ofArray(a);
            case int[] a -> MemorySegment.ofArray(a);
            case long[] a -> MemorySegment.ofArray(a);
            case float[] a -> MemorySegment.ofArray(a);
            case double[] a -> MemorySegment.ofArray(a);
            default -> throw new MPIException(MPI.ERR_TYPE, "a " + array.getClass().getTypeName() + " is no memory");
        };
    }
}
