package io.rankwire.runtime.collective;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.TypedViews;
import io.rankwire.type.ElementType;
import io.rankwire.type.Signature;
import io.rankwire.type.TypedBuffer;

/**
 * What a collective call was given for what this rank gives, or takes: a buffer, and where blocks lie in it. It is
 * checked when its blocks are asked for.
 */
public final class Side {
    private final Object buffer;
    private final long offset;
    private final long count;
    private final boolean uneven;
    private final boolean typed;
    private final int[] counts;
    /** Elements, or extents of the datatype, from the offset to each block; null where {@link #bytesTo} is given. */
    private final int[] places;
    private final long[] bytesTo;
    private final Layout type;
    private final Layout[] types;

    private Side(Object buffer, long offset, long count, boolean uneven, boolean typed, int[] counts, int[] places,
            long[] bytesTo, Layout type, Layout[] types) {
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
        this.uneven = uneven;
        this.typed = typed;
        this.counts = counts;
        this.places = places;
        this.bytesTo = bytesTo;
        this.type = type;
        this.types = types;
    }

    /** Blocks of one number of elements, one behind the other. */
    public static Side of(Object buffer, long offset, long count) {
        return new Side(buffer, offset, count, false, false, null, null, null, null, null);
    }

    /** Blocks of one number of datatypes, one behind the other. */
    public static Side of(Object buffer, long offset, long count, Layout type) {
        return new Side(buffer, offset, count, false, true, null, null, null, type, null);
    }

    /** Blocks of their own lengths at their own places, all in elements. */
    public static Side of(Object buffer, int[] counts, int[] offsets) {
        return new Side(buffer, 0, 0, true, false, counts, offsets, null, null, null);
    }

    /** Blocks of their own lengths, at places in extents of their datatype. */
    public static Side of(Object buffer, long offset, int[] counts, int[] displacements, Layout type) {
        return new Side(buffer, offset, 0, true, true, counts, displacements, null, type, null);
    }

    /** Blocks of a datatype each, at places in bytes. */
    public static Side of(Object buffer, int[] counts, long[] displacements, Layout[] types) {
        return new Side(buffer, 0, 0, true, true, counts, null, displacements, null, types);
    }

    /** A vector of elements, cut into blocks of these lengths. */
    public static Side cut(Object buffer, int[] counts) {
        return new Side(buffer, 0, 0, false, false, counts, null, null, null, null);
    }

    /** A vector of datatypes, cut into blocks of these lengths. */
    public static Side cut(Object buffer, long offset, int[] counts, Layout type) {
        return new Side(buffer, offset, 0, false, true, counts, null, null, type, null);
    }

    /** The same with blocks of another length. */
    Side with(long otherCount) {
        return new Side(buffer, offset, otherCount, false, typed, null, null, null, type, null);
    }

    Object buffer() {
        return buffer;
    }

    long count() {
        return count;
    }

    int[] counts() {
        return counts;
    }

    boolean isInPlace() {
        return buffer == Buffers.IN_PLACE;
    }

    /** Whether each block has its own place. */
    boolean isUneven() {
        return uneven;
    }

    boolean isTyped() {
        return typed;
    }

    Layout type() {
        return type;
    }

    /** Bytes of some elements or datatypes of it. */
    long bytes(long elements) {
        return typed ? type.bytes(elements) : elements * Buffers.type(buffer).bytes();
    }

    /** A number of blocks in a row, as one; an error names rank, call and line. */
    Block block(Endpoint on, int blocks, boolean write) {
        try {
            // A number beyond 64 bits fits no buffer.
            long all = Math.multiplyHigh(count, blocks) == (count < 0 ? -1 : 0) ? count * blocks : Long.MAX_VALUE;
            return typed ? Block.of(buffer, offset, 0, all, type, write) : Block.of(buffer, offset, all, write);
        } catch (RankwireException e) {
            throw on.located(e);
        }
    }

    /** The blocks one by one, where each has its own place. */
    Block[] each(Endpoint on, int number, boolean write) {
        checkLength(on, "counts", number, counts == null ? -1 : counts.length);
        checkLength(on, typed ? "displacements" : "offsets", number, places != null ? places.length
                : bytesTo != null ? bytesTo.length : -1);
        if (bytesTo != null) {
            checkLength(on, "types", number, types == null ? -1 : types.length);
        }
        Block[] blocks = new Block[number];
        for (int i = 0; i < number; i++) {
            try {
                blocks[i] = block(i, write);
            } catch (RankwireException e) {
                throw on.located(!typed ? e
                        : new RankwireException(e.errorClass(), "block " + i + ": " + e.getMessage(), e));
            }
        }
        return blocks;
    }

    private Block block(int i, boolean write) {
        if (!typed) {
            return Block.of(buffer, places[i], counts[i], write);
        }
        Layout of = places != null ? type : types[i];
        return Block.of(buffer, offset, places != null ? far(places[i], of) : bytesTo[i], counts[i], of, write);
    }

    private static long far(int displacement, Layout type) {
        if (type == null) {
            return 0;
        }
        long extent = type.extent();
        long far = displacement * extent;
        boolean fits = Math.multiplyHigh(displacement, extent) == (far < 0 ? -1 : 0);
        return fits ? far : Long.MAX_VALUE;
    }

    static void checkLength(Endpoint on, String name, int wanted, int found) {
        if (found != wanted) {
            throw on.error(ErrorClass.ARGUMENT, name + " must have one entry for each of " + wanted
                    + " blocks, and " + (found < 0 ? "is null" : "has " + found));
        }
    }

    /**
     * What one rank gives to or gets from another, checked, as the device takes it: bytes as they lie in a row, or seen
     * through a datatype.
     *
     * @param element the type its messages carry
     * @param type the datatype that a block repeats; null for elements of a buffer
     */
    public record Block(Object base, long at, long bytes, ElementType element, Layout type, long count) {
        /** Elements of the buffer. */
        public static Block of(Object buffer, long offset, long count, boolean write) {
            checkNotInPlace(buffer);
            ElementType element = Buffers.type(buffer);
            if (element == ElementType.RAW) {
                Buffers.checkReachable(buffer);
            }
            if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
                throw Buffers.outside(buffer, offset, count);
            }
            if (write) {
                Buffers.checkWritable(buffer);
            }
            return new Block(Buffers.base(buffer), Buffers.start(buffer) + offset * element.bytes(),
                    count * element.bytes(), element, null, count);
        }

        /** A number of datatypes; the first has its byte 0 at an offset in elements of the buffer, and bytes. */
        public static Block of(Object buffer, long offset, long further, long count, Layout type, boolean write) {
            checkNotInPlace(buffer);
            // Nothing can be anywhere, also outside the buffer.
            long place = count == 0 || type != null && type.size() == 0 ? 0 : further;
            Object view = write ? TypedViews.target(buffer, offset, place, count, type)
                    : TypedViews.source(buffer, offset, place, count, type);
            long at = view instanceof TypedBuffer ? 0 : TypedViews.start(view, buffer, offset, type) + place;
            return new Block(view, at, type.bytes(count), type.element(), type, count);
        }

        private static void checkNotInPlace(Object buffer) {
            if (buffer == Buffers.IN_PLACE) {
                throw new RankwireException(
                        ErrorClass.ARGUMENT, "IN_PLACE cannot stand for this buffer" + CallSite.find());
            }
        }

        /** Whether what one holds can be copied into the other. */
        public boolean matches(Block other) {
            return bytes == other.bytes && (isRaw() || other.isRaw() || elements().matches(other.elements()));
        }

        private boolean isRaw() {
            return type == null && element == ElementType.RAW;
        }

        private Signature elements() {
            return (type == null ? Signature.of(element) : type.elementTypes()).repeated(count);
        }

        /** What it holds, for people. */
        public String describe() {
            return isRaw() ? bytes + " bytes" : elements().toString();
        }
    }
}
