package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ProgramBuilder;
import io.rankwire.type.Signature;
import java.lang.reflect.Array;
import java.util.function.IntToLongFunction;

/**
 * Builds the layout of a derived datatype for one call of the API: checks the arguments, computes bounds and elements,
 * and compiles the copy program.
 */
public final class LayoutBuilder {
    private final String name;
    private final Layout of;
    private final ProgramBuilder program = new ProgramBuilder();
    private long lower = Long.MAX_VALUE;
    private long upper = Long.MIN_VALUE;

    /**
     * @param name the call, which errors name
     * @param of the layout of the elements; null for a struct
     */
    public LayoutBuilder(String name, Layout of) {
        this.name = name;
        this.of = of;
        if (of == null && !name.equals("struct")) {
            throw wrong("argument of is null");
        }
    }

    private RankwireException wrong(String what) {
        return new RankwireException(ErrorClass.ARGUMENT, "datatype " + name + ": " + what + CallSite.find());
    }

    private RankwireException tooLarge() {
        return wrong("its bounds do not fit 64 bits");
    }

    /** Returns the product; throws if it does not fit 64 bits. */
    public long times(long a, long b) {
        try {
            return Math.multiplyExact(a, b);
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** Throws unless both arrays are given and have the same length. */
    public void check(String one, Object first, String other, Object second) {
        if (first == null || second == null) {
            throw wrong("argument " + (first == null ? one : other) + " is null");
        }
        if (Array.getLength(first) != Array.getLength(second)) {
            throw wrong("argument " + one + " has " + Array.getLength(first) + " entries, argument " + other + " "
                    + Array.getLength(second));
        }
    }

    /** Throws if an argument is null. */
    public void check(String argument, Object value) {
        if (value == null) {
            throw wrong("argument " + argument + " is null");
        }
    }

    private void checkCount(String argument, long count) {
        if (count < 0) {
            throw wrong("argument " + argument + ": " + count + " is below zero");
        }
    }

    /** Builds blocks of one length at one distance. */
    public Layout blocks(int count, String lengthArgument, int blockLength, long stride) {
        checkCount("count", count);
        checkCount(lengthArgument, blockLength);
        try {
            CopyProgram blocks = of.program().repeated(blockLength, of.extent()).repeated(count, stride);
            if (count > 0 && blockLength > 0) {
                cover(0, blockLength, of);
                cover(Math.multiplyExact(count - 1L, stride), blockLength, of);
            }
            return build(blocks, of.elementTypes().repeated((long) count * blockLength), " of " + of);
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** Builds blocks of given lengths at given places in bytes. */
    public Layout list(int count, IntToLongFunction lengths, IntToLongFunction places) {
        try {
            long total = 0;
            for (int i = 0; i < count; i++) {
                add(i, lengths.applyAsLong(i), places.applyAsLong(i), of);
                total += lengths.applyAsLong(i);
            }
            return build(program.build(), of.elementTypes().repeated(total), "(" + count + ") of " + of);
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** Builds blocks of different layouts at places in bytes. */
    public Layout struct(int[] lengths, long[] places, Layout[] types) {
        Signature[] signatures = new Signature[types.length];
        StringBuilder parts = new StringBuilder("(");
        try {
            for (int i = 0; i < types.length; i++) {
                if (types[i] == null) {
                    throw wrong("argument types[" + i + "] is null");
                }
                add(i, lengths[i], places[i], types[i]);
                signatures[i] = types[i].elementTypes().repeated(lengths[i]);
                if (i < 4) {
                    parts.append(i == 0 ? "" : ", ").append(types[i]);
                }
            }
            return build(program.build(), Signature.of(signatures), parts + (types.length > 4 ? ", …)" : ")"));
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    private void add(int i, long length, long place, Layout type) {
        checkCount("blockLength" + (length < 0 ? "s[" + i + "]" : ""), length);
        program.add(place, type.program().repeated(length, type.extent()));
        if (length > 0) {
            cover(place, length, type);
        }
    }

    /** Extends the bounds over a block. */
    private void cover(long place, long length, Layout type) {
        long last = Math.addExact(place, Math.multiplyExact(length - 1, type.extent()));
        lower = Math.min(lower, Math.addExact(Math.min(place, last), type.lowerBound()));
        upper = Math.max(upper, Math.addExact(Math.max(place, last), type.upperBound()));
    }

    /** Builds a part of an array of several dimensions. */
    public Layout subarray(int[] sizes, int[] subsizes, int[] starts, boolean lastFastest) {
        if (sizes.length == 0) {
            throw wrong("argument sizes is empty");
        }
        try {
            CopyProgram box = of.program();
            Signature elements = of.elementTypes();
            long stride = of.extent();
            for (int i = 0; i < sizes.length; i++) {
                int d = lastFastest ? sizes.length - 1 - i : i;
                if (subsizes[d] < 0 || starts[d] < 0 || (long) starts[d] + subsizes[d] > sizes[d]) {
                    throw wrong("dimension " + d + ": " + subsizes[d] + " from " + starts[d] + " do not fit a size of "
                            + sizes[d]);
                }
                box = box.repeated(subsizes[d], stride).shifted(Math.multiplyExact(starts[d], stride));
                elements = elements.repeated(subsizes[d]);
                stride = Math.multiplyExact(stride, sizes[d]);
            }
            lower = Math.min(0, stride);
            upper = Math.max(0, stride);
            box = box.size() == 0 ? CopyProgram.EMPTY : box;
            return build(box, elements, "(" + sizes.length + " dimensions) of " + of);
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** Builds the same elements with other bounds. */
    public Layout resized(long lowerBound, long extent) {
        try {
            return new Layout(name + " of " + of, of.program(), lowerBound, Math.addExact(lowerBound, extent),
                    of.elementTypes(), of.record());
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    private Layout build(CopyProgram compiled, Signature elements, String rest) {
        // An extent may be below zero, so lower > upper does not mean that there are no elements.
        boolean nothing = lower == Long.MAX_VALUE;
        return new Layout(name + rest, compiled, nothing ? 0 : lower, nothing ? 0 : upper, elements, null);
    }
}
