package io.rankwire;

import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.LayoutBuilder;
import io.rankwire.runtime.TypedViews;
import io.rankwire.runtime.collective.Side;
import io.rankwire.type.Copy;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.FormatException;
import io.rankwire.type.RecordLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Which bytes of a buffer a message is made of: elements of primitive types at any places, described once and used in
 * any call. Datatypes are immutable and may be shared by threads.
 *
 * <pre>{@code
 * double[] matrix = new double[rows * columns];
 * Datatype column = Datatype.vector(rows, 1, columns, Datatype.DOUBLE);
 * all.send(matrix, 2, 1, column, right, 7);                // column 2
 * }</pre>
 *
 * <p>A message holds the elements of a datatype in the order in which the datatype names them; gaps do not travel. Two
 * sides may use different datatypes if their elements are the same in the same order. A datatype of one element type is
 * used with arrays of that type, and any datatype with {@code byte[]}, {@code ByteBuffer} and {@code MemorySegment},
 * where elements need not be aligned. Counts of a call repeat a datatype at its {@link #extent}; the offset of a call
 * is in elements of the buffer (bytes for {@code ByteBuffer} and {@code MemorySegment}) and says where the datatype has
 * its byte 0. A datatype that names a byte twice can be sent but not received into.
 */
public final class Datatype {
    /** The index of an array that runs fastest. */
    public enum Order {
        /** The last index. */
        C,
        /** The first index. */
        FORTRAN
    }

    /** One {@code byte}. */
    public static final Datatype BYTE = basic(ElementType.BYTE);
    /** One {@code boolean}. */
    public static final Datatype BOOLEAN = basic(ElementType.BOOLEAN);
    /** One {@code char}. */
    public static final Datatype CHAR = basic(ElementType.CHAR);
    /** One {@code short}. */
    public static final Datatype SHORT = basic(ElementType.SHORT);
    /** One {@code int}. */
    public static final Datatype INT = basic(ElementType.INT);
    /** One {@code long}. */
    public static final Datatype LONG = basic(ElementType.LONG);
    /** One {@code float}. */
    public static final Datatype FLOAT = basic(ElementType.FLOAT);
    /** One {@code double}. */
    public static final Datatype DOUBLE = basic(ElementType.DOUBLE);
    /**
     * A byte of an object that a {@link Codec} has encoded, as {@code sendObject} sends them: it matches nothing else.
     * It lies in a {@code byte[]}, {@code ByteBuffer} or {@code MemorySegment}.
     */
    public static final Datatype OBJECT = basic(ElementType.OBJECT);
    /**
     * A byte of anything: it matches all types but {@link #OBJECT}. It lies in a {@code byte[]}, {@code ByteBuffer} or
     * {@code MemorySegment}.
     */
    public static final Datatype RAW = basic(ElementType.RAW);

    private static final int MOST_COPIED = 1 << 30;

    private final Layout layout;

    private Datatype(Layout layout) {
        this.layout = layout;
    }

    private static Datatype basic(ElementType element) {
        return new Datatype(Layout.basic(element));
    }

    /** The layout of a datatype that a call was given; null for none. */
    static Layout layout(Datatype given) {
        return given == null ? null : given.layout;
    }

    private static Layout[] layouts(Datatype[] given) {
        return given == null ? null : Arrays.stream(given).map(Datatype::layout).toArray(Layout[]::new);
    }

    /** Blocks of one number of datatypes, one behind the other. */
    static Side side(Object buffer, long offset, long count, Datatype type) {
        return Side.of(buffer, offset, count, layout(type));
    }

    /** Blocks of their own lengths, at places in extents of their datatype. */
    static Side side(Object buffer, long offset, int[] counts, int[] displacements, Datatype type) {
        return Side.of(buffer, offset, counts, displacements, layout(type));
    }

    /** Blocks of a datatype each, at places in bytes. */
    static Side side(Object buffer, int[] counts, long[] displacements, Datatype[] types) {
        return Side.of(buffer, counts, displacements, layouts(types));
    }

    /** A vector of datatypes, cut into blocks of these lengths. */
    static Side cut(Object buffer, long offset, int[] counts, Datatype type) {
        return Side.cut(buffer, offset, counts, layout(type));
    }

    /**
     * Makes a datatype of elements in a row.
     *
     * @param count how many
     * @param of the datatype of one element
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype contiguous(int count, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("contiguous(" + count + ")", layout(of));
        return new Datatype(builder.blocks(1, "count", count, 0));
    }

    /**
     * Makes a datatype of blocks at one distance.
     *
     * @param count how many blocks
     * @param blockLength elements of a block
     * @param stride the distance from one block to the next, in extents of an element
     * @param of the datatype of the elements of a block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype vector(int count, int blockLength, int stride, Datatype of) {
        LayoutBuilder builder =
                new LayoutBuilder("vector(" + count + ", " + blockLength + ", " + stride + ")", layout(of));
        return new Datatype(builder.blocks(count, "blockLength", blockLength, builder.times(stride, of.extent())));
    }

    /**
     * Makes a datatype of blocks at one distance in bytes.
     *
     * @param count how many blocks
     * @param blockLength elements of a block
     * @param strideBytes the distance from one block to the next, in bytes
     * @param of the datatype of the elements of a block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype hvector(int count, int blockLength, long strideBytes, Datatype of) {
        return new Datatype(new LayoutBuilder("hvector(" + count + ", " + blockLength + ", " + strideBytes + ")",
                layout(of))
                .blocks(count, "blockLength", blockLength, strideBytes));
    }

    /**
     * Makes a datatype of blocks of any lengths at any places.
     *
     * @param blockLengths elements of each block
     * @param displacements the place of each block, in extents of an element
     * @param of the datatype of the elements of a block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype indexed(int[] blockLengths, int[] displacements, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("indexed", layout(of));
        builder.check("blockLengths", blockLengths, "displacements", displacements);
        return new Datatype(builder.list(blockLengths.length, i -> blockLengths[i],
                i -> builder.times(displacements[i], of.extent())));
    }

    /**
     * Makes a datatype of blocks of any lengths at any places in bytes.
     *
     * @param blockLengths elements of each block
     * @param displacementBytes the place of each block, in bytes
     * @param of the datatype of the elements of a block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype hindexed(int[] blockLengths, long[] displacementBytes, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("hindexed", layout(of));
        builder.check("blockLengths", blockLengths, "displacementBytes", displacementBytes);
        return new Datatype(builder.list(blockLengths.length, i -> blockLengths[i], i -> displacementBytes[i]));
    }

    /**
     * Makes a datatype of blocks of one length at any places.
     *
     * @param blockLength elements of each block
     * @param displacements the place of each block, in extents of an element
     * @param of the datatype of the elements of a block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype indexedBlock(int blockLength, int[] displacements, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("indexedBlock", layout(of));
        builder.check("displacements", displacements, "displacements", displacements);
        return new Datatype(builder.list(displacements.length, i -> blockLength, i -> builder.times(displacements[i],
                of.extent())));
    }

    /**
     * Makes a datatype of blocks of one length at any places in bytes.
     *
     * @param blockLength elements of each block
     * @param displacementBytes the place of each block, in bytes
     * @param of the datatype of the elements of a block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype hindexedBlock(int blockLength, long[] displacementBytes, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("hindexedBlock", layout(of));
        builder.check("displacementBytes", displacementBytes, "displacementBytes", displacementBytes);
        return new Datatype(builder.list(displacementBytes.length, i -> blockLength, i -> displacementBytes[i]));
    }

    /**
     * Makes a datatype of blocks of any lengths, places and datatypes. No gap is added at the end: see {@link
     * #resized}.
     *
     * @param blockLengths elements of each block
     * @param displacementBytes the place of each block, in bytes
     * @param types the datatype of the elements of each block
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype struct(int[] blockLengths, long[] displacementBytes, Datatype[] types) {
        LayoutBuilder builder = new LayoutBuilder("struct", null);
        builder.check("blockLengths", blockLengths, "displacementBytes", displacementBytes);
        builder.check("blockLengths", blockLengths, "types", types);
        return new Datatype(builder.struct(blockLengths, displacementBytes, layouts(types)));
    }

    /**
     * Makes a datatype of a box of a larger array, whose whole size is the extent.
     *
     * @param sizes elements of the array in each dimension
     * @param subsizes elements of the box in each dimension
     * @param starts where the box begins in the array, in each dimension
     * @param order which index runs fastest
     * @param of the datatype of one element
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} or {@link ErrorClass#COUNT} if an argument is
     *     null, below zero, or of another length than its counterpart
     */
    public static Datatype subarray(int[] sizes, int[] subsizes, int[] starts, Order order, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("subarray", layout(of));
        builder.check("sizes", sizes, "subsizes", subsizes);
        builder.check("sizes", sizes, "starts", starts);
        builder.check("order", order);
        return new Datatype(builder.subarray(sizes, subsizes, starts, order == Order.C));
    }

    /**
     * Makes a datatype of the same elements with other bounds.
     *
     * @param lowerBound where it begins, in bytes
     * @param extent the distance from one to the next when they are repeated, in bytes
     * @param of the datatype that has the elements
     * @return the datatype
     */
    public static Datatype resized(long lowerBound, long extent, Datatype of) {
        return new Datatype(new LayoutBuilder("resized(" + lowerBound + ", " + extent + ")", layout(of))
                .resized(lowerBound, extent));
    }

    /**
     * Makes a datatype of a record class as it lies in memory: its components one after another, without gaps. They are
     * primitive, or records of primitives. {@link #write} and {@link #read} move records to memory and back.
     *
     * @param type the record class
     * @return the datatype
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if a component is of another type
     */
    public static Datatype ofRecord(Class<? extends Record> type) {
        if (type == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument type is null");
        }
        try {
            RecordLayout record = RecordLayout.of(type);
            return new Datatype(new Layout("record " + type.getSimpleName(), CopyProgram.run(record.bytes()), 0,
                    record.bytes(), record.signature(), record));
        } catch (FormatException e) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument type: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the size of its elements, without gaps.
     *
     * @return bytes
     */
    public long size() {
        return layout.size();
    }

    /**
     * Returns the distance from one to the next when this datatype is repeated.
     *
     * @return bytes
     */
    public long extent() {
        return layout.extent();
    }

    /**
     * Returns where this datatype begins, gaps included.
     *
     * @return bytes from the place that an offset names, which may be below zero
     */
    public long lowerBound() {
        return layout.lowerBound();
    }

    /**
     * Returns where this datatype ends, gaps included.
     *
     * @return bytes from the place that an offset names
     */
    public long upperBound() {
        return layout.upperBound();
    }

    /**
     * Returns the first byte that belongs to an element.
     *
     * @return bytes from the place that an offset names, which may be below zero
     */
    public long trueLowerBound() {
        return layout.trueLowerBound();
    }

    /**
     * Returns the distance from the first byte to the last that belong to elements.
     *
     * @return bytes, the first and the last included
     */
    public long trueExtent() {
        return layout.trueExtent();
    }

    /**
     * Returns the number of elements of primitive types.
     *
     * @return the number
     */
    public long elements() {
        return layout.elements();
    }

    /**
     * Returns the types of its elements in their order.
     *
     * @return for example {@code 3 int, 2 (byte, double)}
     */
    public String signature() {
        return layout.elementTypes().toString();
    }

    /**
     * Returns whether its elements are of several types.
     *
     * @return false if all are of one type
     */
    public boolean isMixed() {
        return layout.isMixed();
    }

    /**
     * Returns whether another datatype has elements of the same types in the same order.
     *
     * @param other the other datatype
     * @return true if a message of one can be received as the other
     */
    public boolean matches(Datatype other) {
        return layout.elementTypes().matches(other.layout.elementTypes());
    }

    /**
     * Returns whether any number of them is bytes in a row, which are copied as such.
     *
     * @return false if there are gaps, or elements in another order
     */
    public boolean isContiguous() {
        return layout.isContiguous();
    }

    /**
     * Returns the bytes of a number of them when packed.
     *
     * @param count how many
     * @return the bytes of their elements
     * @throws RankwireException of class {@link ErrorClass#COUNT} if the count is below zero
     */
    public long packSize(long count) {
        if (count < 0) {
            throw new RankwireException(ErrorClass.COUNT, "argument count: " + count + " is below zero");
        }
        return layout.bytes(count);
    }

    /**
     * Copies elements out of a buffer into bytes in a row.
     *
     * @param buffer the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes
     * @param out the memory for the bytes
     * @param position where the first byte goes
     * @return where the bytes end
     * @throws RankwireException of class {@link ErrorClass#COUNT} or {@link ErrorClass#TYPE} if the datatypes do not
     *     fit the buffer, or the bytes do not fit the memory
     */
    public long pack(Object buffer, long offset, long count, MemorySegment out, long position) {
        Object view = TypedViews.source(buffer, offset, count, layout);
        long start = TypedViews.start(view, buffer, offset, layout);
        long bytes = layout.bytes(count);
        checkRoom("position", position, bytes, out.byteSize());
        for (long done = 0; done < bytes; done += MOST_COPIED) {
            Copy.out(view, start + done, out, position + done, (int) Math.min(MOST_COPIED, bytes - done));
        }
        return position + bytes;
    }

    /**
     * Copies elements out of a buffer into bytes of an array.
     *
     * @param buffer the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes
     * @param out the array for the bytes
     * @param position where the first byte goes
     * @return where the bytes end
     * @throws RankwireException as {@link #pack(Object, long, long, MemorySegment, long)} does
     */
    public int pack(Object buffer, long offset, long count, byte[] out, int position) {
        return (int) pack(buffer, offset, count, MemorySegment.ofArray(out), position);
    }

    /**
     * Copies bytes in a row to the places of elements in a buffer.
     *
     * @param in the memory that holds the bytes
     * @param position the first of these bytes
     * @param buffer the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes
     * @return where the bytes end
     * @throws RankwireException of class {@link ErrorClass#COUNT} or {@link ErrorClass#TYPE} if the datatypes do not
     *     fit the buffer, or the bytes are not within the memory
     */
    public long unpack(MemorySegment in, long position, Object buffer, long offset, long count) {
        Object view = TypedViews.target(buffer, offset, count, layout);
        long start = TypedViews.start(view, buffer, offset, layout);
        long bytes = layout.bytes(count);
        checkRoom("position", position, bytes, in.byteSize());
        for (long done = 0; done < bytes; done += MOST_COPIED) {
            Copy.in(in, position + done, view, start + done, (int) Math.min(MOST_COPIED, bytes - done));
        }
        return position + bytes;
    }

    /**
     * Copies bytes of an array to the places of elements in a buffer.
     *
     * @param in the array that holds the bytes
     * @param position the first of these bytes
     * @param buffer the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes
     * @return where the bytes end
     * @throws RankwireException as {@link #unpack(MemorySegment, long, Object, long, long)} does
     */
    public int unpack(byte[] in, int position, Object buffer, long offset, long count) {
        return (int) unpack(MemorySegment.ofArray(in), position, buffer, offset, count);
    }

    /**
     * Makes a record of bytes in a buffer.
     *
     * @param type the record class that this datatype was {@linkplain #ofRecord made of}
     * @param buffer a {@code byte[]}, {@code ByteBuffer} or {@code MemorySegment}
     * @param offset the first byte of the record
     * @param <T> the record class
     * @return the record
     * @throws RankwireException of class {@link ErrorClass#TYPE} if this datatype was not made of that record class, of
     *     class {@link ErrorClass#BUFFER} or {@link ErrorClass#COUNT} if the record does not fit the buffer
     */
    public <T extends Record> T read(Class<T> type, Object buffer, long offset) {
        MemorySegment memory = recordMemory(type, buffer, offset);
        try {
            return type.cast(layout.record().read(memory, Buffers.start(buffer) + offset));
        } catch (FormatException e) {
            throw new RankwireException(ErrorClass.CODEC, e.getMessage(), e);
        }
    }

    /**
     * Writes a record to bytes of a buffer.
     *
     * @param value a record of the class that this datatype was {@linkplain #ofRecord made of}
     * @param buffer a {@code byte[]}, {@code ByteBuffer} or {@code MemorySegment}
     * @param offset where the first byte of the record goes
     * @throws RankwireException of class {@link ErrorClass#TYPE} if this datatype was not made of that record class, of
     *     class {@link ErrorClass#BUFFER} or {@link ErrorClass#COUNT} if the record does not fit the buffer
     */
    public void write(Record value, Object buffer, long offset) {
        if (value == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument value is null");
        }
        MemorySegment memory = recordMemory(value.getClass(), buffer, offset);
        Buffers.checkWritable(buffer);
        try {
            layout.record().write(value, memory, Buffers.start(buffer) + offset);
        } catch (FormatException e) {
            throw new RankwireException(ErrorClass.CODEC, e.getMessage(), e);
        }
    }

    private MemorySegment recordMemory(Class<?> type, Object buffer, long offset) {
        if (layout.record() == null || layout.record().type() != type) {
            throw new RankwireException(ErrorClass.TYPE, this + " does not hold " + (type == null ? "null" : "a "
                    + type.getName()));
        }
        TypedViews.source(buffer, offset, 1, layout);
        Object base = Buffers.base(buffer);
        if (base instanceof MemorySegment segment) {
            return segment;
        }
        if (base instanceof byte[] bytes) {
            return MemorySegment.ofArray(bytes);
        }
        throw new RankwireException(ErrorClass.BUFFER, "argument buffer: a " + Buffers.describe(buffer)
                + " is not memory; records lie in a byte[], ByteBuffer or MemorySegment");
    }

    private static void checkRoom(String argument, long position, long bytes, long room) {
        if (position < 0 || position > room - bytes) {
            throw new RankwireException(ErrorClass.COUNT, "argument " + argument + ": " + position + ", with " + bytes
                    + " bytes from there, is outside " + room + " bytes");
        }
    }

    @Override
    public String toString() {
        return layout.toString();
    }
}
