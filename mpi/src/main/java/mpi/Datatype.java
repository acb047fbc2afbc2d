package mpi;

import java.util.HashMap;
import java.util.Map;

/**
 * The type and the places of the elements of a buffer. Lengths are in elements of the base type, but for the methods
 * of Open MPI whose names begin with {@code createH}, {@code createStruct} and {@code createResized}, which take bytes.
 */
public final class Datatype implements Freeable, Cloneable {
    /** The element type of a datatype, in the order of mpiJava's numbers. */
    enum Base {
        NULL(0, null, null),
        BYTE(1, byte[].class, io.rankwire.Datatype.BYTE),
        CHAR(2, char[].class, io.rankwire.Datatype.CHAR),
        SHORT(2, short[].class, io.rankwire.Datatype.SHORT),
        BOOLEAN(1, boolean[].class, io.rankwire.Datatype.BOOLEAN),
        INT(4, int[].class, io.rankwire.Datatype.INT),
        LONG(8, long[].class, io.rankwire.Datatype.LONG),
        FLOAT(4, float[].class, io.rankwire.Datatype.FLOAT),
        DOUBLE(8, double[].class, io.rankwire.Datatype.DOUBLE),
        PACKED(1, byte[].class, io.rankwire.Datatype.RAW),
        /** Marks a bound in {@link #Struct}. */
        LOWER(0, null, null),
        UPPER(0, null, null),
        /** A layout of {@code int}s stands for the places of the objects. */
        OBJECT(4, Object[].class, io.rankwire.Datatype.INT);

        /** Bytes of an element. */
        final int bytes;
        /** Arrays of such elements. */
        final Class<?> array;
        final io.rankwire.Datatype core;
        /** Shifts bytes to elements. */
        final int shift;

        Base(int bytes, Class<?> array, io.rankwire.Datatype core) {
            this.bytes = bytes;
            this.array = array;
            this.core = core;
            this.shift = Integer.numberOfTrailingZeros(Math.max(1, bytes));
        }
    }

    /** The number of the base type, as {@link #getType} returns it. */
    public final int baseType;

    final Base base;
    /** The class of arrays that core takes unchanged; null unless this is a Java type. */
    final Class<?> array;
    /** Whether elements may lie before the start of a buffer. */
    final boolean reachesBack;
    /** Bytes that lengths of Open MPI's methods are counted in. */
    private final int unit;
    private final boolean predefined;
    /** The layout; null in a null datatype. */
    io.rankwire.Datatype core;
    private String name;
    /** Values of attributes; null while there are none. Ranks share the predefined types, but not their values. */
    private Map<Integer, Object> values;

    private Datatype(
            Base base, int unit, Class<?> array, io.rankwire.Datatype core, String name, boolean predefined) {
        this.base = base;
        this.baseType = base.ordinal();
        this.unit = unit;
        this.predefined = predefined;
        this.array = array;
        this.core = core;
        this.name = name;
        this.reachesBack = core != null && (core.trueLowerBound() < 0 || core.extent() < 0);
    }

    /** Makes a Java type, whose arrays core takes unchanged. */
    static Datatype basic(Base base, String name) {
        return new Datatype(base, base.bytes, base.array, base.core, name, true);
    }

    /** Makes another predefined type without a layout of its own. */
    static Datatype special(Base base, String name) {
        return new Datatype(base, Math.max(1, base.bytes), null, base.core, name, true);
    }

    /** Makes a predefined type of consecutive elements. */
    static Datatype row(int count, Base base, int unit, String name) {
        return new Datatype(base, unit, null, io.rankwire.Datatype.contiguous(count, base.core), name, true);
    }

    /** Makes a predefined type of a layout of bytes. */
    static Datatype struct(io.rankwire.Datatype core, String name) {
        return new Datatype(Base.BYTE, 1, null, core, name, true);
    }

    private Datatype made(io.rankwire.Datatype layout) {
        return new Datatype(base, unit, null, layout, "type " + ++RankState.mine().typesMade, false);
    }

    static boolean isObject(Datatype type) {
        return type != null && type.base == Base.OBJECT;
    }

    /** Returns the layout of a datatype; throws if calls cannot use it. */
    static io.rankwire.Datatype core(Datatype type) {
        if (type == null || type.core == null) {
            throw new MPIException(MPI.ERR_TYPE,
                    "argument type" + (type == null ? " is null" : ": " + type + " cannot be used"));
        }
        return type.core;
    }

    static io.rankwire.Datatype[] cores(Datatype[] types) {
        io.rankwire.Datatype[] cores = new io.rankwire.Datatype[types.length];
        for (int i = 0; i < cores.length; i++) {
            cores[i] = core(types[i]);
        }
        return cores;
    }

    // Properties

    /** Returns the lower bound in elements (MPI_Type_get_extent). */
    public int getLb() throws MPIException {
        return Math.toIntExact(checked().lowerBound() / unit);
    }

    /** Returns the distance between consecutive elements of this type, in elements (MPI_Type_get_extent). */
    public int getExtent() throws MPIException {
        return Math.toIntExact(checked().extent() / unit);
    }

    /** Returns the lower bound without markers, in elements (MPI_Type_get_true_extent). */
    public int getTrueLb() throws MPIException {
        return Math.toIntExact(checked().trueLowerBound() / unit);
    }

    /** Returns the extent without markers, in elements (MPI_Type_get_true_extent). */
    public int getTrueExtent() throws MPIException {
        return Math.toIntExact(checked().trueExtent() / unit);
    }

    /** Returns the number of elements, without gaps (MPI_Type_size). */
    public int getSize() throws MPIException {
        return Math.toIntExact(checked().size() / unit);
    }

    /** Returns the extent in elements of the base type. */
    public int Extent() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().extent() / base.bytes);
    }

    /** Returns the elements of the base type, without gaps. */
    public int Size() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().size() / base.bytes);
    }

    /** Returns the lower bound in elements of the base type. */
    public int Lb() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().lowerBound() / base.bytes);
    }

    /** Returns the upper bound in elements of the base type. */
    public int Ub() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().upperBound() / base.bytes);
    }

    /** Returns whether this is {@link MPI#LB} or {@link MPI#UB}, which take no space. */
    private boolean isMarker() {
        return base == Base.LOWER || base == Base.UPPER;
    }

    /** Returns the bytes of an element of the base type. */
    public int getByteSize() {
        return base.bytes;
    }

    /** Returns the number of the base type. */
    public int getType() {
        return baseType;
    }

    private io.rankwire.Datatype checked() {
        try {
            return core(this);
        } catch (MPIException e) {
            throw MPI.failed(e);
        }
    }

    // Making and ending

    /** Does nothing but check the datatype: layouts need no preparation (MPI_Type_commit). */
    public void commit() throws MPIException {
        checked();
    }

    /** As {@link #commit}. */
    public void Commit() throws MPIException {
        checked();
    }

    @Override
    public void free() throws MPIException {
        if (predefined) {
            throw MPI.failed(new MPIException(MPI.ERR_TYPE, "free: " + this + " is predefined"));
        }
        values = null;
        core = null;
    }

    /** As {@link #free}. */
    public void Free() throws MPIException {
        free();
    }

    /** Does nothing; the JVM ignores a finalizer that is empty. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    /** Returns whether this is a null datatype. */
    public boolean isNull() {
        return core == null;
    }

    @Override
    public Datatype clone() {
        return dup();
    }

    /** Returns a copy (MPI_Type_dup). */
    public Datatype dup() throws MPIException {
        Datatype copy = new Datatype(base, unit, array, checked(), getName(), false);
        copy.values().putAll(values());
        return copy;
    }

    /** Names the datatype (MPI_Type_set_name). */
    public void setName(String name) throws MPIException {
        if (name == null) {
            throw MPI.failed(new MPIException(MPI.ERR_ARG, "setName: argument name is null"));
        }
        if (predefined) {
            RankState.mine().typeNames.put(this, name);
        } else {
            this.name = name;
        }
    }

    /** Returns the name (MPI_Type_get_name). */
    public String getName() throws MPIException {
        return predefined ? RankState.mine().typeNames.getOrDefault(this, name) : name;
    }

    // Attributes

    /** Makes a key for attributes of datatypes (MPI_Type_create_keyval). */
    public static int createKeyval() throws MPIException {
        return RankState.mine().datatypeKeys.make();
    }

    /** Frees a key (MPI_Type_free_keyval). */
    public static void freeKeyval(int keyval) throws MPIException {
        RankState.mine().datatypeKeys.free(keyval);
    }

    /** Sets the value of an attribute (MPI_Type_set_attr). */
    public void setAttr(int keyval, Object value) throws MPIException {
        values(keyval).put(keyval, value);
    }

    /** Returns the value of an attribute, or null (MPI_Type_get_attr). */
    public Object getAttr(int keyval) throws MPIException {
        return values(keyval).get(keyval);
    }

    /** Removes the value of an attribute (MPI_Type_delete_attr). */
    public void deleteAttr(int keyval) throws MPIException {
        values(keyval).remove(keyval);
    }

    private Map<Integer, Object> values(int keyval) {
        try {
            RankState.mine().datatypeKeys.check(keyval);
        } catch (MPIException e) {
            throw MPI.failed(e);
        }
        return values();
    }

    private Map<Integer, Object> values() {
        if (predefined) {
            return RankState.mine().typeAttributes.computeIfAbsent(this, type -> new HashMap<>());
        }
        if (values == null) {
            values = new HashMap<>();
        }
        return values;
    }

    @Override
    public String toString() {
        return getName() + (core == null && !predefined ? " (freed)" : "");
    }

    // Open MPI

    /** Makes a datatype of elements one behind the other (MPI_Type_contiguous). */
    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.contiguous(count, core(oldType)));
    }

    /** Makes a datatype of blocks at a distance in extents of the old type (MPI_Type_vector). */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType)
            throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.vector(count, blockLength, stride, core(oldType)));
    }

    /** Makes a datatype of blocks at a distance in bytes (MPI_Type_create_hvector). */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType)
            throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.hvector(count, blockLength, stride, core(oldType)));
    }

    /** Makes a datatype of blocks at displacements in extents of the old type (MPI_Type_indexed). */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.indexed(blockLengths, displacements, core(oldType)));
    }

    /** Makes a datatype of blocks at displacements in bytes (MPI_Type_create_hindexed). */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return layout(oldType,
                () -> io.rankwire.Datatype.hindexed(blockLengths, bytes(displacements, 1), core(oldType)));
    }

    /** Makes a datatype of blocks of several types at displacements in bytes (MPI_Type_create_struct). */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
            throws MPIException {
        return layout(MPI.BYTE,
                () -> io.rankwire.Datatype.struct(blockLengths, bytes(displacements, 1), cores(types)));
    }

    /** Makes a datatype of the same elements with other bounds, in bytes (MPI_Type_create_resized). */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.resized(lb, extent, core(oldType)));
    }

    // mpiJava

    /** As {@link #createContiguous}. */
    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        return createContiguous(count, oldtype);
    }

    /** As {@link #createVector}. */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return createVector(count, blocklength, stride, oldtype);
    }

    /** Makes a datatype of blocks at a distance in elements of the base type. */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return layout(oldtype, () -> io.rankwire.Datatype.hvector(
                count, blocklength, (long) stride * oldtype.base.bytes, core(oldtype)));
    }

    /** As {@link #createIndexed}. */
    public static Datatype Indexed(int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        return createIndexed(array_of_blocklengths, array_of_displacements, oldtype);
    }

    /** Makes a datatype of blocks at displacements in elements of the base type. */
    public static Datatype Hindexed(int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        return layout(oldtype, () -> io.rankwire.Datatype.hindexed(
                array_of_blocklengths, bytes(array_of_displacements, oldtype.base.bytes), core(oldtype)));
    }

    /**
     * Makes a datatype of blocks of several types with the same base type, at displacements in its elements. The types
     * {@link MPI#LB} and {@link MPI#UB} mark the bounds.
     */
    public static Datatype Struct(int[] array_of_blocklengths, int[] array_of_displacements, Datatype[] array_of_types)
            throws MPIException {
        try {
            return StructLayout.of(array_of_blocklengths, array_of_displacements, array_of_types);
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    /** Makes a layout. */
    @FunctionalInterface
    interface Maker {
        io.rankwire.Datatype make();
    }

    static Datatype layout(Datatype of, Maker maker) {
        try {
            core(of);
            return of.made(maker.make());
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    static long[] bytes(int[] elements, int bytesOfEach) {
        long[] bytes = new long[elements.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (long) elements[i] * bytesOfEach;
        }
        return bytes;
    }
}
