package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.Overlaps;
import io.rankwire.type.RecordLayout;
import io.rankwire.type.Signature;

/**
 * Where the elements of a datatype lie in memory, and of which types they are. A layout is immutable and may be shared
 * by threads.
 */
public final class Layout {
    /** A program for a count, and whether it names a byte twice once that was asked. */
    private static final class Repeated {
        final long count;
        final CopyProgram program;
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
    /** The count used last: most programs use one. */
    private volatile Repeated last;

    public Layout(String name, CopyProgram program, long lower, long upper, Signature signature, RecordLayout record) {
        this.name = name;
        this.program = program;
        this.lower = lower;
        this.extent = Math.subtractExact(upper, lower);
        this.signature = signature;
        this.record = record;
        this.last = new Repeated(1, program);
    }

    /** One element of a primitive type. */
    public static Layout basic(ElementType element) {
        return new Layout(element.toString(), CopyProgram.run(element.bytes()), 0, element.bytes(),
                Signature.of(element), null);
    }

    /** Bytes of its elements, without gaps. */
    public long size() {
        return program.size();
    }

    /** Bytes from one to the next when they are in a row. */
    public long extent() {
        return extent;
    }

    public long lowerBound() {
        return lower;
    }

    public long upperBound() {
        return lower + extent;
    }

    /** The first byte that belongs to an element. */
    public long trueLowerBound() {
        return program.low();
    }

    /** Bytes from the first to the last that belong to elements. */
    public long trueExtent() {
        return program.high() - program.low();
    }

    /** Elements of primitive types. */
    public long elements() {
        return signature.elements();
    }

    /** Whether its elements are of several types. */
    public boolean isMixed() {
        return signature.element() == ElementType.MIXED;
    }

    /** Whether any number of them in a row is bytes in a row, so that they are copied as such. */
    public boolean isContiguous() {
        return program.isRun() && extent == program.size();
    }

    @Override
    public String toString() {
        return name;
    }

    public CopyProgram program() {
        return program;
    }

    public Signature elementTypes() {
        return signature;
    }

    public RecordLayout record() {
        return record;
    }

    /** The type its messages carry. */
    public ElementType element() {
        return signature.element();
    }

    public long bytes(long count) {
        if (Math.multiplyHigh(count, program.size()) != 0 || count * program.size() < 0) {
            throw new RankwireException(ErrorClass.COUNT, "argument count: " + count + " × " + this
                    + " does not fit 64 bits");
        }
        return count * program.size();
    }

    /** Whether so many are bytes in a row, which begin at the true lower bound. */
    public boolean isRun(long count) {
        return program.isRun() && (count == 1 || extent == program.size());
    }

    public CopyProgram repeated(long count) {
        return cached(count).program;
    }

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
