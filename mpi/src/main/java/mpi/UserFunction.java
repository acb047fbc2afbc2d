package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An operation of the program's own, as Open MPI has it: one of the two methods is overridden. Both set
 * {@code inOut[i] = in[i] op inOut[i]} for {@code count} elements of a type.
 */
public abstract class UserFunction {
    /** Over arrays of the type's base type. */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) throws MPIException {
        throw new UnsupportedOperationException("a UserFunction overrides one of its methods");
    }

    /** Over memory, in the order of this machine. */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
        Object left = Elements.array(datatype.base, in);
        Object right = Elements.array(datatype.base, inOut);
        call(left, right, count, datatype);
        Elements.put(right, inOut.clear().order(ByteOrder.nativeOrder()));
    }

    /** Whether a subclass works on memory rather than on arrays. */
    final boolean usesMemory() {
        try {
            return getClass().getMethod("call", ByteBuffer.class, ByteBuffer.class, int.class, Datatype.class)
                    .getDeclaringClass() != UserFunction.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }
}
