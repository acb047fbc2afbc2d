package io.rankwire;

import io.rankwire.runtime.Layout;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Side.Block;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * An operation that combines two elements into one, for reductions, windows and work queues. Sums and products of whole
 * numbers wrap around; {@code char} has no sign; logical operations take any number but zero for true and give 1 or 0.
 * Operations of the program, made by {@link #of}, {@link #ofDoubles} and {@link #ofLongs}, are for collectives and work
 * queues.
 *
 * <pre>{@code
 * double[] sum = new double[1];
 * all.allreduce(new double[] {mine}, sum, Op.SUM);
 * }</pre>
 */
public final class Op {
    /** The sum. Not of {@code boolean}s. */
    public static final Op SUM = new Op(Operator.of(Reduction.SUM, "sum"));
    /** The product. Not of {@code boolean}s. */
    public static final Op PROD = new Op(Operator.of(Reduction.PROD, "prod"));
    /**
     * The lesser element. Not of {@code boolean}s. Floating point as {@link Math#min}: if one of the two is not a
     * number, neither is the result, and the negative zero is less than the other.
     */
    public static final Op MIN = new Op(Operator.of(Reduction.MIN, "min"));
    /** The greater element. Not of {@code boolean}s. Floating point as {@link Math#max}, see {@link #MIN}. */
    public static final Op MAX = new Op(Operator.of(Reduction.MAX, "max"));
    /** Logical and. Not of floating point, as all that follow up to {@link #BXOR}. */
    public static final Op LAND = new Op(Operator.of(Reduction.LAND, "land"));
    /** Logical or. */
    public static final Op LOR = new Op(Operator.of(Reduction.LOR, "lor"));
    /** Logical exclusive or. */
    public static final Op LXOR = new Op(Operator.of(Reduction.LXOR, "lxor"));
    /** Bitwise and. */
    public static final Op BAND = new Op(Operator.of(Reduction.BAND, "band"));
    /** Bitwise or. */
    public static final Op BOR = new Op(Operator.of(Reduction.BOR, "bor"));
    /** Bitwise exclusive or. */
    public static final Op BXOR = new Op(Operator.of(Reduction.BXOR, "bxor"));
    /** The new element takes the place of the old one. */
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
     * An operation of the program, over rows of elements in primitive arrays of the buffers' kind ({@code byte[]} for
     * raw memory and for datatypes of several element types). It must depend on nothing but these elements, and must
     * make no calls of this library. If it throws an exception, its call fails with that exception as cause on this
     * rank, and without the cause on the ranks that need the result; the other ranks end as usual, and the next call
     * works.
     */
    @FunctionalInterface
    public interface Function {
        /**
         * Computes {@code target[targetAt + i] = left[leftAt + i] op right[rightAt + i]} for each {@code i} below the
         * count. The target may be one of the other two arrays.
         *
         * @param left the array of the left operands
         * @param leftAt the first of them
         * @param right the array of the right operands
         * @param rightAt the first of them
         * @param target the array for the results
         * @param targetAt where the first of them goes
         * @param count how many elements
         */
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
     * Makes an operation of the program. It must be associative, and all ranks need the same.
     *
     * @param name the name for reports, the same on all ranks
     * @param commutes whether operands may change places; if not, they are combined in the order of ranks
     * @param group how many elements belong together and are never parted
     * @param function combines rows of elements
     * @return the operation
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if an argument is null or the group is below one
     */
    public static Op of(String name, boolean commutes, int group, Function function) {
        if (name == null || function == null || group < 1) {
            throw new RankwireException(ErrorClass.ARGUMENT, "an operation needs a name, a function and a group of at"
                    + " least one element: " + name + ", " + function + ", " + group);
        }
        return new Op(Operator.own(name, commutes, group, function::combine));
    }

    /**
     * Makes an operation of the program for {@code double}s, which are combined one by one.
     *
     * @param name the name for reports, the same on all ranks
     * @param commutes whether operands may change places; if not, they are combined in the order of ranks
     * @param function combines two elements
     * @return the operation
     */
    public static Op ofDoubles(String name, boolean commutes, DoubleBinaryOperator function) {
        return of(name, commutes, 1, (left, l, right, r, target, t, count) -> {
            for (int i = 0; i < count; i++) {
                ((double[]) target)[t + i] =
                        function.applyAsDouble(((double[]) left)[l + i], ((double[]) right)[r + i]);
            }
        });
    }

    /**
     * Makes an operation of the program for {@code long}s, which are combined one by one.
     *
     * @param name the name for reports, the same on all ranks
     * @param commutes whether operands may change places; if not, they are combined in the order of ranks
     * @param function combines two elements
     * @return the operation
     */
    public static Op ofLongs(String name, boolean commutes, LongBinaryOperator function) {
        return of(name, commutes, 1, (left, l, right, r, target, t, count) -> {
            for (int i = 0; i < count; i++) {
                ((long[]) target)[t + i] = function.applyAsLong(((long[]) left)[l + i], ((long[]) right)[r + i]);
            }
        });
    }

    /**
     * Returns the same operation for raw memory: {@code Op.SUM.as(double.class)}.
     *
     * @param element the primitive type of the elements of a {@code ByteBuffer} or {@code MemorySegment}
     * @return the operation
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if this is not a primitive type of buffers
     */
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
     * Returns the same operation, combined in one order: that of ranks, by an algorithm that follows from the number of
     * ranks alone. So the sum of a place has the same bits whatever the length of the vector, the root, the machine and
     * its load. Other operations promise that only for calls of the same length on machines that have, or all have not,
     * a processor for each rank, and are faster for long vectors. All ranks must use the same.
     *
     * @return the operation
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
     * Combines two buffers of this rank: {@code inOut[i] = in[i] op inOut[i]} for the elements of datatypes.
     *
     * @param in the left operands
     * @param inOffset where the first datatype has its byte 0, in elements of that buffer
     * @param inOut the right operands, which take the results
     * @param inOutOffset where the first datatype has its byte 0, in elements of that buffer
     * @param count how many datatypes
     * @param type the datatype, in both buffers
     * @throws RankwireException of class {@link ErrorClass#TYPE} or {@link ErrorClass#COUNT} if the datatypes do not
     *     fit the buffers, or the operation does not combine their elements
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
