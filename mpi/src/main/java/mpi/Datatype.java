package mpi;

/**
 * What the elements of a buffer are and where they lie. Lengths are in elements of the base type, but for the methods
 * of Open MPI whose names begin with {@code createH}, {@code createStruct} and {@code createResized}, which take bytes.
 */
public final class Datatype extends DatatypeAttributes implements Freeable, Cloneable {
    /** What the elements of a datatype are made of, in the order of mpiJava's numbers. */
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
        /** Each stands for an {@code int}: the places of objects are the places that a layout of these names. */
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

    /** The number of the base type, as {@link #getType} has it. */
    public final int baseType;

    final Base base;
    /** The class of arrays that go to core as they are; null for all but the types of Java. */
    final Class<?> array;
    /** Whether elements may lie before the first one of a buffer. */
    final boolean reachesBack;
    /** Bytes that lengths of Open MPI's methods are counted in. */
    private final int unit;
    private final boolean predefined;
    /** The layout; null when there is none, or no more. */
    io.rankwire.Datatype core;
    private String name;

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

    /** A type of Java, whose arrays go to core as they are. */
    static Datatype basic(Base base, String name) {
        return new Datatype(base, base.bytes, base.array, base.core, name, true);
    }

    /** Any other predefined type that has no layout of its own. */
    static Datatype special(Base base, String name) {
        return new Datatype(base, Math.max(1, base.bytes), null, base.core, name, true);
    }

    /** Two or more elements of a type, as a predefined type. */
    static Datatype row(int count, Base base, int unit, String name) {
        return new Datatype(base, unit, null, io.rankwire.Datatype.contiguous(count, base.core), name, true);
    }

    /** A layout of bytes as a predefined type. */
    static Datatype struct(io.rankwire.Datatype core, String name) {
        return new Datatype(Base.BYTE, 1, null, core, name, true);
    }

    private Datatype made(io.rankwire.Datatype layout) {
        return new Datatype(base, unit, null, layout, "type " + ++RankState.mine().typesMade, false);
    }

    boolean isObject() {
        return base == Base.OBJECT;
    }

    /** The layout of a type that calls may use. */
    static io.rankwire.Datatype core(Datatype type) {
        if (type == null || type.core == null) {
            throw new MPIException(MPI.ERR_TYPE,
                    "argument type" + (type == null ? " is null" : ": " + type + " cannot be used"));
        }
        return type.core;
    }

    private io.rankwire.Datatype core() {
        return core(this);
    }

    // what it is

    /** Lower bound, in elements. */
    public int getLb() throws MPIException {
        return Math.toIntExact(checked().lowerBound() / unit);
    }

    /** Elements from one to the next. */
    public int getExtent() throws MPIException {
        return Math.toIntExact(checked().extent() / unit);
    }

    public int getTrueLb() throws MPIException {
        return Math.toIntExact(checked().trueLowerBound() / unit);
    }

    public int getTrueExtent() throws MPIException {
        return Math.toIntExact(checked().trueExtent() / unit);
    }

    /** Elements without gaps. */
    public int getSize() throws MPIException {
        return Math.toIntExact(checked().size() / unit);
    }

    /** Elements of the base type from one to the next. */
    public int Extent() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().extent() / base.bytes);
    }

    public int Size() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().size() / base.bytes);
    }

    public int Lb() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().lowerBound() / base.bytes);
    }

    public int Ub() throws MPIException {
        return isMarker() ? 0 : Math.toIntExact(checked().upperBound() / base.bytes);
    }

    /** {@link MPI#LB} and {@link MPI#UB} take no room. */
    private boolean isMarker() {
        return base == Base.LOWER || base == Base.UPPER;
    }

    /** Bytes of an element of the base type. */
    public int getByteSize() {
        return base.bytes;
    }

    /** Which base type it has: the same number for the same one. */
    public int getType() {
        return baseType;
    }

    private io.rankwire.Datatype checked() {
        try {
            return core();
        } catch (MPIException e) {
            throw MPI.failed(e);
        }
    }

    // life

    /** Layouts need no preparation. */
    public void commit() throws MPIException {
        checked();
    }

    public void Commit() throws MPIException {
        checked();
    }

    @Override
    public void free() throws MPIException {
        if (predefined) {
            throw MPI.failed(new MPIException(MPI.ERR_TYPE, "free: " + this + " is predefined"));
        }
        deleteAttrs(this);
        core = null;
    }

    public void Free() throws MPIException {
        free();
    }

    /** Nothing has to be given back; the JVM does not keep track of objects for an empty method. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    public boolean isNull() {
        return core == null;
    }

    @Override
    public Datatype clone() {
        return dup();
    }

    public Datatype dup() throws MPIException {
        Datatype copy = new Datatype(base, unit, array, checked(), getName(), false);
        copyAttrs(copy);
        return copy;
    }

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

    public String getName() throws MPIException {
        return predefined ? RankState.mine().typeNames.getOrDefault(this, name) : name;
    }

    @Override
    boolean isOfAllRanks() {
        return predefined;
    }

    @Override
    public String toString() {
        return getName() + (core == null && !predefined ? " (freed)" : "");
    }

    // Open MPI

    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.contiguous(count, core(oldType)));
    }

    /** Blocks at a distance in extents of the old type. */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType)
            throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.vector(count, blockLength, stride, core(oldType)));
    }

    /** Blocks at a distance in bytes. */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType)
            throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.hvector(count, blockLength, stride, core(oldType)));
    }

    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.indexed(blockLengths, displacements, core(oldType)));
    }

    /** Blocks at displacements in bytes. */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return layout(oldType,
                () -> io.rankwire.Datatype.hindexed(blockLengths, bytes(displacements, 1), core(oldType)));
    }

    /** Blocks of several types at displacements in bytes; for buffers of bytes. */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
            throws MPIException {
        return layout(MPI.BYTE, () -> {
            io.rankwire.Datatype[] cores = new io.rankwire.Datatype[types.length];
            for (int i = 0; i < cores.length; i++) {
                cores[i] = core(types[i]);
            }
            return io.rankwire.Datatype.struct(blockLengths, bytes(displacements, 1), cores);
        });
    }

    /** The same elements with other bounds, in bytes. */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return layout(oldType, () -> io.rankwire.Datatype.resized(lb, extent, core(oldType)));
    }

    // mpiJava

    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        return createContiguous(count, oldtype);
    }

    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return createVector(count, blocklength, stride, oldtype);
    }

    /** Blocks at a distance in elements of the base type. */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return layout(oldtype, () -> io.rankwire.Datatype.hvector(
                count, blocklength, (long) stride * oldtype.base.bytes, core(oldtype)));
    }

    public static Datatype Indexed(int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        return createIndexed(array_of_blocklengths, array_of_displacements, oldtype);
    }

    /** Blocks at displacements in elements of the base type. */
    public static Datatype Hindexed(int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        return layout(oldtype, () -> io.rankwire.Datatype.hindexed(
                array_of_blocklengths, bytes(array_of_displacements, oldtype.base.bytes), core(oldtype)));
    }

    /**
     * Blocks of several types that have one base type, at displacements in its elements; {@link MPI#LB} and
     * {@link MPI#UB} among the types say where the bounds are.
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
