package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A function of the program that combines elements, as in Open MPI. A subclass overrides one of the methods. Both set
 * {@code inOut[i] = in[i] op inOut[i]} for {@code count} elements of a type.
 */
public abstract class UserFunction {
    /** Makes a function. */
    public UserFunction() {}

    /** Combines arrays of the datatype's base type. */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) throws MPIException {
        throw new UnsupportedOperationException("a UserFunction overrides one of its methods");
    }

    /** Combines memory in the byte order of this machine. */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
        Object left = Elements.array(datatype.base, in);
        Object right = Elements.array(datatype.base, inOut);
        call(left, right, count, datatype);
        Elements.put(right, inOut.clear().order(ByteOrder.nativeOrder()));
    }

    /** Returns whether a subclass works on memory rather than on arrays. */
    final boolean usesMemory() {
        try {
            return getClass().getMethod("call", ByteBuffer.class, ByteBuffer.class, int.class, Datatype.class)
                    .getDeclaringClass() != UserFunction.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }
}
