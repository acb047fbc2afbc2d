package io.rankwire;

import io.rankwire.runtime.Layout;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Side.Block;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * How two elements become one. Sums and products of whole numbers wrap around; {@code char} has no sign; logical
 * operations take any number but zero for true and give 1 or 0. Operations of a program's own, made by {@link #of} and
 * its like, are for collectives alone.
 */
public final class Op {
    /** Not of {@code boolean}s. */
    public static final Op SUM = new Op(Operator.of(Reduction.SUM, "sum"));
    /** Not of {@code boolean}s. */
    public static final Op PROD = new Op(Operator.of(Reduction.PROD, "prod"));
    /**
     * Not of {@code boolean}s. Floating point as {@link Math#min}: if one of the two is not a number, neither is the
     * result, and the negative zero is less than the other.
     */
    public static final Op MIN = new Op(Operator.of(Reduction.MIN, "min"));
    /** Not of {@code boolean}s. Floating point as {@link Math#max}, see {@link #MIN}. */
    public static final Op MAX = new Op(Operator.of(Reduction.MAX, "max"));
    /** Logical and; not of floating point, as all that follow up to {@link #BXOR}. */
    public static final Op LAND = new Op(Operator.of(Reduction.LAND, "land"));
    public static final Op LOR = new Op(Operator.of(Reduction.LOR, "lor"));
    public static final Op LXOR = new Op(Operator.of(Reduction.LXOR, "lxor"));
    /** Bitwise and. */
    public static final Op BAND = new Op(Operator.of(Reduction.BAND, "band"));
    public static final Op BOR = new Op(Operator.of(Reduction.BOR, "bor"));
    public static final Op BXOR = new Op(Operator.of(Reduction.BXOR, "bxor"));
    /** The new element takes the old one's place. */
    public static final Op REPLACE = new Op(Operator.of(Reduction.REPLACE, "replace"));
    /** The old element stays. */
    public static final Op NO_OP = new Op(Operator.of(Reduction.NO_OP, "no-op"));
    /**
     * The least value and where it is. The buffer holds pairs of elements, value and place; of equal values the one
     * with the least place wins. The value is that of {@link #MIN}: if some values are not numbers, the one of these
     * with the least place wins. In calls with datatypes, values of any other type may have an {@code int} behind them
     * that says the place: a struct of {@code double} and {@code int}, or many. For collectives, as are those that
     * follow.
     */
    public static final Op MINLOC = new Op(Operator.located("minloc"));
    /** The greatest value and where it is; the value is that of {@link #MAX}. */
    public static final Op MAXLOC = new Op(Operator.located("maxloc"));
    /** The product of complex numbers: pairs of {@code float}s or {@code double}s, real and imaginary part. */
    public static final Op COMPLEX_PROD = new Op(Operator.complexProduct("complex prod"));

    /**
     * An operation of the program's own, over rows of elements in primitive arrays of the buffers' kind ({@code byte[]}
     * for raw memory and for datatypes of several element types): {@code target[i] = left[i] op right[i]}. The target
     * may be one of the other two. It must depend on nothing but these elements, and must make no calls of this
     * library. If it throws an exception its call fails with that as cause, on this rank and, without the cause, on
     * those that need the result; the others end as usual, and the next call works.
     */
    @FunctionalInterface
    public interface Function {
        void combine(Object left, int leftAt, Object right, int rightAt, Object target, int targetAt, int count);
    }

    private final Operator operator;
    /** This operation made reproducible. */
    private Op ordered;

    private Op(Operator operator) {
        this.operator = operator;
    }

    /** What runs of an operation that a call was given; null for none. */
    static Operator operator(Op given) {
        return given == null ? null : given.operator;
    }

    /**
     * An operation of the program's own; it must be associative. All ranks need the same.
     *
     * @param commutes whether operands may change places; if not, they are combined in the order of ranks
     * @param group elements that belong together, and are never parted
     */
    public static Op of(String name, boolean commutes, int group, Function function) {
        if (name == null || function == null || group < 1) {
            throw new RankwireException(ErrorClass.ARGUMENT, "an operation needs a name, a function and a group of at"
                    + " least one element: " + name + ", " + function + ", " + group);
        }
        return new Op(Operator.own(name, commutes, group, function::combine));
    }

    /** As {@link #of}, for {@code double}s one by one. */
    public static Op ofDoubles(String name, boolean commutes, DoubleBinaryOperator function) {
        return of(name, commutes, 1, (left, l, right, r, target, t, count) -> {
            for (int i = 0; i < count; i++) {
                ((double[]) target)[t + i] =
                        function.applyAsDouble(((double[]) left)[l + i], ((double[]) right)[r + i]);
            }
        });
    }

    /** As {@link #of}, for {@code long}s one by one. */
    public static Op ofLongs(String name, boolean commutes, LongBinaryOperator function) {
        return of(name, commutes, 1, (left, l, right, r, target, t, count) -> {
            for (int i = 0; i < count; i++) {
                ((long[]) target)[t + i] = function.applyAsLong(((long[]) left)[l + i], ((long[]) right)[r + i]);
            }
        });
    }

    /** The same operation, saying what the elements of raw memory are: {@code Op.SUM.as(double.class)}. */
    public Op as(Class<?> element) {
        ElementType type = null;
        for (ElementType each : ElementType.values()) {
            if (element != null && element.isPrimitive() && each.toString().equals(element.getName())) {
                type = each;
            }
        }
        if (type == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument element: " + element
                    + " is no primitive type of buffers");
        }
        return new Op(operator.as(type));
    }

    /**
     * The same operation, combined in one order: that of ranks, by an algorithm that follows from the number of ranks
     * alone. So the sum of a place has the same bits whatever the length of the vector, the root, the machine and its
     * load. Other operations promise that only for calls of the same length on machines that have, or all have not, a
     * processor for each rank, and are faster for long vectors. All ranks must say so.
     */
    public Op reproducible() {
        if (operator.isReproducible()) {
            return this;
        }
        if (ordered == null) {
            ordered = new Op(operator.reproducible());
        }
        return ordered;
    }

    /**
     * Combines two buffers of this rank, here and now: {@code inOut[i] = in[i] op inOut[i]} for elements that lie as a
     * datatype says. Offsets are in elements of the buffers.
     */
    public void combine(Object in, long inOffset, Object inOut, long inOutOffset, long count, Datatype type) {
        Layout layout = Datatype.layout(type);
        operator.forElements(layout).combine(
                Block.of(in, inOffset, 0, count, layout, false), Block.of(inOut, inOutOffset, 0, count, layout, true));
    }

    /** The name of this operation. */
    @Override
    public String toString() {
        return operator.toString();
    }
}
