package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.Overlaps;
import io.rankwire.type.RecordLayout;
import io.rankwire.type.Signature;

/**
 * The layout of a datatype: the places and types of its elements in memory. {@link LayoutBuilder} creates layouts for
 * the datatypes of the API, and calls with datatypes read them. Layouts are immutable; any thread may use them.
 */
public final class Layout {
    /** The program for a count of elements. */
    private static final class Repeated {
        final long count;
        final CopyProgram program;
        /** Whether it names a byte twice: 1 or 0, or -1 before the first check. */
        volatile int overlaps = -1;

        Repeated(long count, CopyProgram program) {
            this.count = count;
            this.program = program;
        }
    }

    private final String name;
    private final CopyProgram program;
    private final long lower;
    private final long extent;
    private final Signature signature;
    private final RecordLayout record;
    /** The program of the count used last: most programs use one count. */
    private volatile Repeated last;

    /**
     * @param record the record class that the elements map to, or null
     */
    public Layout(String name, CopyProgram program, long lower, long upper, Signature signature, RecordLayout record) {
        this.name = name;
        this.program = program;
        this.lower = lower;
        this.extent = Math.subtractExact(upper, lower);
        this.signature = signature;
        this.record = record;
        this.last = new Repeated(1, program);
    }

    /** Creates the layout of one element of a primitive type. */
    public static Layout basic(ElementType element) {
        return new Layout(element.toString(), CopyProgram.run(element.bytes()), 0, element.bytes(),
                Signature.of(element), null);
    }

    /** Returns the bytes of all elements, without gaps. */
    public long size() {
        return program.size();
    }

    /** Returns the distance in bytes between two consecutive elements of this datatype. */
    public long extent() {
        return extent;
    }

    public long lowerBound() {
        return lower;
    }

    public long upperBound() {
        return lower + extent;
    }

    /** Returns the offset of the first byte that belongs to an element. */
    public long trueLowerBound() {
        return program.low();
    }

    /** Returns the number of bytes from the first to the last that belong to elements. */
    public long trueExtent() {
        return program.high() - program.low();
    }

    /** Returns the number of elements of primitive types. */
    public long elements() {
        return signature.elements();
    }

    /** Whether the elements have different types. */
    public boolean isMixed() {
        return signature.element() == ElementType.MIXED;
    }

    /** Whether any count of this datatype is one block of consecutive bytes. */
    public boolean isContiguous() {
        return program.isRun() && extent == program.size();
    }

    @Override
    public String toString() {
        return name;
    }

    /** Returns the program that copies one element of this datatype. */
    public CopyProgram program() {
        return program;
    }

    /** Returns the types of the elements in order. */
    public Signature elementTypes() {
        return signature;
    }

    /** Returns the record class that the elements map to, or null. */
    public RecordLayout record() {
        return record;
    }

    /** Returns the element type of messages of this datatype. */
    public ElementType element() {
        return signature.element();
    }

    /** Returns the bytes of a count of this datatype, without gaps; throws if they do not fit 64 bits. */
    public long bytes(long count) {
        if (Math.multiplyHigh(count, program.size()) != 0 || count * program.size() < 0) {
            throw new RankwireException(ErrorClass.COUNT, "argument count: " + count + " × " + this
                    + " does not fit 64 bits");
        }
        return count * program.size();
    }

    /** Whether this count is one block of consecutive bytes, which begins at the true lower bound. */
    boolean isRun(long count) {
        return program.isRun() && (count == 1 || extent == program.size());
    }

    /** Returns the program that copies a count of this datatype. */
    public CopyProgram repeated(long count) {
        return cached(count).program;
    }

    /** Whether a count of this datatype names a byte twice. */
    public boolean overlaps(long count) {
        Repeated repeated = cached(count);
        if (repeated.overlaps < 0) {
            repeated.overlaps = Overlaps.in(repeated.program) ? 1 : 0;
        }
        return repeated.overlaps > 0;
    }

    private Repeated cached(long count) {
        Repeated known = last;
        if (known.count != count) {
            known = new Repeated(count, program.repeated(count, extent));
            last = known;
        }
        return known;
    }
}
