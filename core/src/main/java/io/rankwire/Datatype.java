package io.rankwire;

import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.LayoutBuilder;
import io.rankwire.runtime.TypedViews;
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
 * <p>The elements of a datatype, in the order in which its constructor names them, are what travels; gaps do not. Two
 * sides may use different datatypes if their elements are the same in the same order. A homogeneous datatype is used
 * with arrays of its element type, and any datatype with {@code byte[]}, {@code ByteBuffer} and {@code MemorySegment},
 * where elements need not be aligned. Counts of a call repeat a datatype at its {@link #extent}; the offset of a call
 * is in elements of the buffer (bytes for {@code ByteBuffer} and {@code MemorySegment}) and says where the datatype has
 * its byte 0. A datatype that names a byte twice can be sent but not received into.
 */
public final class Datatype {
    /** Which index of an array runs fastest. */
    public enum Order {
        /** The last one. */
        C,
        /** The first one. */
        FORTRAN
    }

    public static final Datatype BYTE = basic(ElementType.BYTE);
    public static final Datatype BOOLEAN = basic(ElementType.BOOLEAN);
    public static final Datatype CHAR = basic(ElementType.CHAR);
    public static final Datatype SHORT = basic(ElementType.SHORT);
    public static final Datatype INT = basic(ElementType.INT);
    public static final Datatype LONG = basic(ElementType.LONG);
    public static final Datatype FLOAT = basic(ElementType.FLOAT);
    public static final Datatype DOUBLE = basic(ElementType.DOUBLE);
    /**
     * A byte of an object that a {@link Codec} has encoded, as {@code sendObject} sends them: meets nothing else. Lies
     * in a {@code byte[]}, {@code ByteBuffer} or {@code MemorySegment}.
     */
    public static final Datatype OBJECT = basic(ElementType.OBJECT);
    /** A byte of anything: meets all types but {@link #OBJECT}. Lies where that does. */
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

    static Layout[] layouts(Datatype[] given) {
        return given == null ? null : Arrays.stream(given).map(Datatype::layout).toArray(Layout[]::new);
    }

    /** So many in a row. */
    public static Datatype contiguous(int count, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("contiguous(" + count + ")", layout(of));
        return new Datatype(builder.blocks(1, "count", count, 0));
    }

    /** Blocks at one distance, which is in extents. */
    public static Datatype vector(int count, int blockLength, int stride, Datatype of) {
        LayoutBuilder builder =
                new LayoutBuilder("vector(" + count + ", " + blockLength + ", " + stride + ")", layout(of));
        return new Datatype(builder.blocks(count, "blockLength", blockLength, builder.times(stride, of.extent())));
    }

    /** Blocks at one distance, which is in bytes. */
    public static Datatype hvector(int count, int blockLength, long strideBytes, Datatype of) {
        return new Datatype(new LayoutBuilder("hvector(" + count + ", " + blockLength + ", " + strideBytes + ")",
                layout(of))
                .blocks(count, "blockLength", blockLength, strideBytes));
    }

    /** Blocks of any lengths at any places, which are in extents. */
    public static Datatype indexed(int[] blockLengths, int[] displacements, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("indexed", layout(of));
        builder.check("blockLengths", blockLengths, "displacements", displacements);
        return new Datatype(builder.list(blockLengths.length, i -> blockLengths[i],
                i -> builder.times(displacements[i], of.extent())));
    }

    /** Blocks of any lengths at any places, which are in bytes. */
    public static Datatype hindexed(int[] blockLengths, long[] displacementBytes, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("hindexed", layout(of));
        builder.check("blockLengths", blockLengths, "displacementBytes", displacementBytes);
        return new Datatype(builder.list(blockLengths.length, i -> blockLengths[i], i -> displacementBytes[i]));
    }

    /** Blocks of one length at any places, which are in extents. */
    public static Datatype indexedBlock(int blockLength, int[] displacements, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("indexedBlock", layout(of));
        builder.check("displacements", displacements, "displacements", displacements);
        return new Datatype(builder.list(displacements.length, i -> blockLength, i -> builder.times(displacements[i],
                of.extent())));
    }

    /** Blocks of one length at any places, which are in bytes. */
    public static Datatype hindexedBlock(int blockLength, long[] displacementBytes, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("hindexedBlock", layout(of));
        builder.check("displacementBytes", displacementBytes, "displacementBytes", displacementBytes);
        return new Datatype(builder.list(displacementBytes.length, i -> blockLength, i -> displacementBytes[i]));
    }

    /** Blocks of any lengths, places (in bytes) and datatypes. No gap is added at the end: see {@link #resized}. */
    public static Datatype struct(int[] blockLengths, long[] displacementBytes, Datatype[] types) {
        LayoutBuilder builder = new LayoutBuilder("struct", null);
        builder.check("blockLengths", blockLengths, "displacementBytes", displacementBytes);
        builder.check("blockLengths", blockLengths, "types", types);
        return new Datatype(builder.struct(blockLengths, displacementBytes, layouts(types)));
    }

    /**
     * A box of a larger array, whose whole size is the extent.
     *
     * @param sizes of the array, in elements, for each dimension
     * @param subsizes of the box
     * @param starts where the box begins in the array
     */
    public static Datatype subarray(int[] sizes, int[] subsizes, int[] starts, Order order, Datatype of) {
        LayoutBuilder builder = new LayoutBuilder("subarray", layout(of));
        builder.check("sizes", sizes, "subsizes", subsizes);
        builder.check("sizes", sizes, "starts", starts);
        builder.check("order", order);
        return new Datatype(builder.subarray(sizes, subsizes, starts, order == Order.C));
    }

    /** The same elements with other bounds: the extent is the distance from one to the next in a row. */
    public static Datatype resized(long lowerBound, long extent, Datatype of) {
        return new Datatype(new LayoutBuilder("resized(" + lowerBound + ", " + extent + ")", layout(of))
                .resized(lowerBound, extent));
    }

    /**
     * A record class as it lies in memory: its components one after another, without gaps. They are primitive, or
     * records of primitives. {@link #write} and {@link #read} move records to memory and back.
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

    /** Bytes of its elements, without gaps. */
    public long size() {
        return layout.size();
    }

    /** Bytes from one to the next when they are in a row. */
    public long extent() {
        return layout.extent();
    }

    public long lowerBound() {
        return layout.lowerBound();
    }

    public long upperBound() {
        return layout.upperBound();
    }

    /** The first byte that belongs to an element. */
    public long trueLowerBound() {
        return layout.trueLowerBound();
    }

    /** Bytes from the first to the last that belong to elements. */
    public long trueExtent() {
        return layout.trueExtent();
    }

    /** Elements of primitive types. */
    public long elements() {
        return layout.elements();
    }

    /** The types of its elements in their order, as {@code 3 int, 2 (byte, double)}. */
    public String signature() {
        return layout.elementTypes().toString();
    }

    /** Whether its elements are of several types. */
    public boolean isMixed() {
        return layout.isMixed();
    }

    /** Whether both have elements of the same types in the same order. */
    public boolean matches(Datatype other) {
        return layout.elementTypes().matches(other.layout.elementTypes());
    }

    /** Whether any number of them in a row is bytes in a row, so that they are copied as such. */
    public boolean isContiguous() {
        return layout.isContiguous();
    }

    /** Bytes of so many when packed. */
    public long packSize(long count) {
        if (count < 0) {
            throw new RankwireException(ErrorClass.COUNT, "argument count: " + count + " is below zero");
        }
        return layout.bytes(count);
    }

    /** Copies elements out of a buffer into bytes in a row; returns where these end. */
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

    public int pack(Object buffer, long offset, long count, byte[] out, int position) {
        return (int) pack(buffer, offset, count, MemorySegment.ofArray(out), position);
    }

    /** Copies bytes in a row to the places of elements in a buffer; returns where the bytes end. */
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

    public int unpack(byte[] in, int position, Object buffer, long offset, long count) {
        return (int) unpack(MemorySegment.ofArray(in), position, buffer, offset, count);
    }

    /** Makes a record of the bytes at an offset; the datatype is of {@link #ofRecord}. */
    public <T extends Record> T read(Class<T> type, Object buffer, long offset) {
        MemorySegment memory = recordMemory(type, buffer, offset);
        try {
            return type.cast(layout.record().read(memory, Buffers.start(buffer) + offset));
        } catch (FormatException e) {
            throw new RankwireException(ErrorClass.CODEC, e.getMessage(), e);
        }
    }

    /** Writes a record to the bytes at an offset; the datatype is of {@link #ofRecord}. */
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
