package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/**
 * Where the bytes of a datatype lie, compiled for copying. The bytes in the order of the type map are the <em>packed
 * stream</em>; any range of it can be moved on its own, found in a few divisions and binary searches, so that large
 * messages go in chunks from either end. Programs are immutable trees that are as small as the pattern is regular: a
 * vector of a million blocks is one {@link Strided}. What would not fit 64 bits ends with an {@link
 * ArithmeticException} when it is built.
 */
public abstract sealed class CopyProgram permits Strided, Runs, Loop, Sequence {
    /** A pattern repeated at most so often is written out, which lets neighbours grow together. */
    private static final long FEW = 256;

    /** Moves nothing. */
    public static final CopyProgram EMPTY = new Strided(0, 0, 0, 1);

    /** Where the program lies, from the origin of its datatype. */
    final long start;
    /** Bytes of the packed stream. */
    final long size;
    /** The first byte touched, and the first beyond, from the origin. */
    final long low;
    final long high;
    /** How many rows of bytes it consists of. */
    final long runs;
    /** Every length, and every distance from {@link #low}, or-ed: its trailing zeros are the alignment of all. */
    final long bits;

    CopyProgram(long start, long size, long low, long high, long runs, long bits) {
        this.start = start;
        this.size = size;
        this.low = low;
        this.high = high;
        this.runs = runs;
        this.bits = bits;
    }

    /** So many bytes in a row, from the origin. */
    public static CopyProgram run(long bytes) {
        return bytes == 0 ? EMPTY : new Strided(0, bytes, 0, 1);
    }

    public final long size() {
        return size;
    }

    public final long low() {
        return low;
    }

    public final long high() {
        return high;
    }

    /** Whether all it touches is whole elements of {@code bytes} bytes, a power of two. */
    public final boolean isAligned(int bytes) {
        return ((low | bits) & bytes - 1) == 0;
    }

    /** Whether it is bytes in a row; they begin at {@link #low}. */
    public final boolean isRun() {
        return this instanceof Strided strided && strided.count == 1;
    }

    public final long runs() {
        return runs;
    }

    /**
     * Moves the bytes [from, to) of the packed stream, out of user memory or into it.
     *
     * @param base a primitive array, a segment or a direct buffer
     * @param at the byte of the base where the datatype has its origin
     * @param position the place of the byte {@code from} in {@code packed}
     */
    abstract void move(boolean out, Object base, long at, byte[] packed, int position, long from, long to);

    /** As {@link #move}, for rows so long that each is copied in bulk, straight between user memory and a frame. */
    abstract void moveRows(boolean out, Object base, long at, MemorySegment packed, long position, long from, long to);

    /** Passes each row of bytes to the visitor, in the order of the packed stream. */
    public abstract void visit(long at, RunVisitor visitor);

    /** The same, {@code by} bytes further on. */
    public abstract CopyProgram shifted(long by);

    /** A visitor of rows of bytes. */
    @FunctionalInterface
    public interface RunVisitor {
        void run(long at, long bytes);
    }

    /** The same a number of times, each {@code stride} bytes further on. */
    public final CopyProgram repeated(long count, long stride) {
        if (count == 0 || size == 0) {
            return EMPTY;
        }
        if (count == 1) {
            return this;
        }
        return switch (this) {
            case Strided s when s.count == 1 && stride == s.block ->
                new Strided(start, Math.multiplyExact(count, s.block), 0, 1);
            case Strided s when s.count == 1 -> new Strided(start, s.block, stride, count);
            case Strided s when stride == s.count * s.stride -> new Strided(start, s.block, s.stride, s.count * count);
            case Loop loop when stride == loop.count * loop.stride ->
                new Loop(start, loop.body, loop.count * count, loop.stride);
            case Runs few when count <= FEW / few.runs -> writtenOut(count, stride);
            default -> new Loop(0, this, count, stride);
        };
    }

    private CopyProgram writtenOut(long count, long stride) {
        ProgramBuilder builder = new ProgramBuilder();
        for (long i = 0; i < count; i++) {
            builder.add(i * stride, this);
        }
        return builder.build();
    }

    static void row(boolean out, Object base, long at, byte[] packed, int position, long bytes) {
        if (out) {
            StrideCopy.out(base, at, (int) bytes, 0, 1, packed, position, 0);
        } else {
            StrideCopy.in(packed, position, 0, base, at, (int) bytes, 0, 1);
        }
    }

    static void row(boolean out, Object base, long at, MemorySegment packed, long position, long bytes) {
        if (out) {
            Copy.out(base, at, packed, position, (int) bytes);
        } else {
            Copy.in(packed, position, base, at, (int) bytes);
        }
    }
}
