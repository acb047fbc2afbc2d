package mpi;

import io.rankwire.Op.Function;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An operation that combines elements: predefined, or a function of the program in either dialect. */
public final class Op implements Freeable {
    /** The code of operations without a number in mpiJava. */
    static final int NO_CODE = -1;

    /** The number of a predefined operation in mpiJava, or the one that the program gave; -1 for none. */
    public final int opCode;

    private final String name;
    private final boolean commute;
    /** Null for functions of the program. */
    private final io.rankwire.Op core;
    private final User_function mpiJava;
    private final UserFunction openMpi;
    /** Whether the function works on memory rather than on arrays. */
    private final boolean memory;
    private boolean freed;
    /** The operation for the datatype that was used last: core caches by this object. */
    private Made made;

    private record Made(Datatype type, io.rankwire.Datatype layout, io.rankwire.Op core) {}

    Op(String name, io.rankwire.Op core, int opCode) {
        this.name = name;
        this.opCode = opCode;
        this.commute = true;
        this.core = core;
        this.mpiJava = null;
        this.openMpi = null;
        this.memory = false;
    }

    /** Makes an operation of a function of the program (MPI_Op_create). */
    public Op(User_function function, boolean commute) throws MPIException {
        this(function, commute, NO_CODE);
    }

    /** As {@link #Op(User_function, boolean)}, with a code that the program chooses. */
    public Op(User_function function, boolean commute, int opCode) throws MPIException {
        this.opCode = opCode;
        this.name = "user function";
        this.commute = commute;
        this.core = null;
        this.mpiJava = function;
        this.openMpi = null;
        this.memory = false;
    }

    /** Makes an operation of a function of the program (MPI_Op_create). */
    public Op(UserFunction function, boolean commute) {
        this.opCode = NO_CODE;
        this.name = "user function";
        this.commute = commute;
        this.core = null;
        this.mpiJava = null;
        this.openMpi = function;
        this.memory = function != null && function.usesMemory();
    }

    /** Returns whether the operands may be exchanged (MPI_Op_commutative). */
    public boolean isCommutative() {
        return commute;
    }

    /** Returns whether this is a function of the program. */
    boolean isOwn() {
        return core == null;
    }

    @Override
    public void free() throws MPIException {
        if (!isOwn()) {
            throw MPI.failed(new MPIException(MPI.ERR_OP, "free: " + name + " is predefined"));
        }
        freed = true;
    }

    /** As {@link #free}. */
    public void Free() throws MPIException {
        free();
    }

    /** Does nothing; the JVM ignores a finalizer that is empty. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    /** Returns whether this is a null operation. */
    public boolean isNull() {
        return freed || core == null && mpiJava == null && openMpi == null;
    }

    /** Returns core's operation for elements of a type. */
    static io.rankwire.Op core(Op op, Datatype type) {
        if (op == null || op.isNull()) {
            throw new MPIException(MPI.ERR_OP, "argument op is null");
        }
        if (!op.isOwn()) {
            boolean complex = type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX;
            return complex && op.core == io.rankwire.Op.PROD ? io.rankwire.Op.COMPLEX_PROD : op.core;
        }
        Made made = op.made;
        if (made == null || made.type != type || made.layout != type.core) {
            made = new Made(type, Datatype.core(type), op.forElements(type));
            op.made = made;
        }
        return made.core;
    }

    private io.rankwire.Op forElements(Datatype type) {
        io.rankwire.Datatype layout = Datatype.core(type);
        // Mixed types come as bytes, and are counted as such.
        int group = Math.max(1, Math.toIntExact(layout.isMixed() ? layout.size() : layout.elements()));
        return io.rankwire.Op.of(name, commute, group, function(type, group));
    }

    /** Core's elements are packed; the program's function sees them at their places, gaps and all. */
    private Function function(Datatype type, int group) {
        return (left, leftAt, right, rightAt, target, targetAt, count) -> {
            Object in = spread(left, leftAt, count, type, count / group);
            Object inOut = spread(right, rightAt, count, type, count / group);
            apply(in, inOut, count / group, type);
            gather(inOut, target, targetAt, count, type, count / group);
        };
    }

    /** {@code inOut = in op inOut}, over arrays that begin with the first element. */
    void apply(Object in, Object inOut, int count, Datatype type) {
        if (mpiJava != null) {
            mpiJava.Call(in, 0, inOut, 0, count, type);
        } else if (memory && !(in instanceof Object[])) {
            int bytes = Array.getLength(in) * type.base.bytes;
            ByteBuffer left = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            ByteBuffer right = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            Elements.put(in, left);
            Elements.put(inOut, right);
            openMpi.call(left, right, count, type);
            Object result = Elements.array(type.base, right);
            System.arraycopy(result, 0, inOut, 0, Array.getLength(inOut));
        } else {
            openMpi.call(in, inOut, count, type);
        }
    }

    private static Object spread(Object packed, int at, int count, Datatype type, int number) {
        io.rankwire.Datatype layout = type.core;
        long end = layout.extent() * Math.max(0, number - 1) + layout.trueLowerBound() + layout.trueExtent();
        Object array = Elements.newArray(type.base, Math.toIntExact(end / type.base.bytes));
        if (layout.isContiguous() && packed.getClass() == array.getClass()) {
            System.arraycopy(packed, at, array, 0, count);
        } else {
            byte[] bytes = new byte[Math.toIntExact(layout.packSize(number))];
            Elements.typeOf(packed).pack(packed, at, count, bytes, 0);
            layout.unpack(bytes, 0, array, 0, number);
        }
        return array;
    }

    private static void gather(Object array, Object packed, int at, int count, Datatype type, int number) {
        io.rankwire.Datatype layout = type.core;
        if (layout.isContiguous() && packed.getClass() == array.getClass()) {
            System.arraycopy(array, 0, packed, at, count);
        } else {
            byte[] bytes = new byte[Math.toIntExact(layout.packSize(number))];
            layout.pack(array, 0, number, bytes, 0);
            Elements.typeOf(packed).unpack(bytes, 0, packed, at, count);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
