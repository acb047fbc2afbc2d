package io.rankwire;

import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import io.rankwire.type.Signature;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * How two elements become one. Sums and products of whole numbers wrap around; {@code char} has no sign; logical
 * operations take any number but zero for true and give 1 or 0. Operations of a program's own, made by {@link #of} and
 * its like, are for collectives alone.
 */
public final class Op {
    /** Not of {@code boolean}s. */
    public static final Op SUM = new Op(Reduction.SUM, "sum");
    /** Not of {@code boolean}s. */
    public static final Op PROD = new Op(Reduction.PROD, "prod");
    /**
     * Not of {@code boolean}s. Floating point as {@link Math#min}: if one of the two is not a number, neither is the
     * result, and the negative zero is less than the other.
     */
    public static final Op MIN = new Op(Reduction.MIN, "min");
    /** Not of {@code boolean}s. Floating point as {@link Math#max}, see {@link #MIN}. */
    public static final Op MAX = new Op(Reduction.MAX, "max");
    /** Logical and; not of floating point, as all that follow up to {@link #BXOR}. */
    public static final Op LAND = new Op(Reduction.LAND, "land");
    public static final Op LOR = new Op(Reduction.LOR, "lor");
    public static final Op LXOR = new Op(Reduction.LXOR, "lxor");
    /** Bitwise and. */
    public static final Op BAND = new Op(Reduction.BAND, "band");
    public static final Op BOR = new Op(Reduction.BOR, "bor");
    public static final Op BXOR = new Op(Reduction.BXOR, "bxor");
    /** The new element takes the old one's place. */
    public static final Op REPLACE = new Op(Reduction.REPLACE, "replace");
    /** The old element stays. */
    public static final Op NO_OP = new Op(Reduction.NO_OP, "no-op");
    /**
     * The least value and where it is. The buffer holds pairs of elements, value and place; of equal values the one
     * with the least place wins. The value is that of {@link #MIN}: if some values are not numbers, the one of these
     * with the least place wins. In calls with datatypes, values of any other type may have an {@code int} behind them
     * that says the place: a struct of {@code double} and {@code int}, or many. For collectives, as are those that
     * follow.
     */
    public static final Op MINLOC = new Op(Kind.LOCATED, "minloc", true, 2, null);
    /** The greatest value and where it is; the value is that of {@link #MAX}. */
    public static final Op MAXLOC = new Op(Kind.LOCATED, "maxloc", true, 2, null);
    /** The product of complex numbers: pairs of {@code float}s or {@code double}s, real and imaginary part. */
    public static final Op COMPLEX_PROD = new Op(Kind.COMPLEX, "complex prod", true, 2, null);

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

    private enum Kind { PREDEFINED, LOCATED, PAIRS, COMPLEX, OWN }

    private static final ElementType[] VALUES = {
        ElementType.DOUBLE, ElementType.FLOAT, ElementType.LONG, ElementType.SHORT, ElementType.CHAR, ElementType.BYTE
    };

    private final Kind kind;
    private final Reduction reduction;
    private final String name;
    private final boolean commutes;
    private final int group;
    private final Function function;
    /** The elements of raw memory; null if it was not said. */
    private final ElementType raw;
    private final boolean reproducible;
    /** This operation made reproducible, kept so that it is one and the same: compiled calls are found by it. */
    private Op ordered;
    /** For pairs of a value and an int, by the value's type; kept for the same reason. */
    private Op[] pairs;

    private Op(Reduction reduction, String name) {
        this(Kind.PREDEFINED, reduction, name, reduction != Reduction.REPLACE && reduction != Reduction.NO_OP, 1, null,
                null, false);
    }

    private Op(Kind kind, String name, boolean commutes, int group, Function function) {
        this(kind, null, name, commutes, group, function, null, false);
    }

    private Op(Kind kind, Reduction reduction, String name, boolean commutes, int group, Function function,
            ElementType raw, boolean reproducible) {
        this.kind = kind;
        this.reduction = reduction;
        this.name = name;
        this.commutes = commutes;
        this.group = group;
        this.function = function;
        this.raw = raw;
        this.reproducible = reproducible;
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
        return new Op(Kind.OWN, name, commutes, group, function);
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
        return new Op(kind, reduction, name, commutes, group, function, type, reproducible);
    }

    /**
     * The same operation, combined in one order: that of ranks, by an algorithm that follows from the number of ranks
     * alone. So the sum of a place has the same bits whatever the length of the vector, the root, the machine and its
     * load. Other operations promise that only for calls of the same length on machines that have, or all have not, a
     * processor for each rank, and are faster for long vectors. All ranks must say so.
     */
    public Op reproducible() {
        if (reproducible) {
            return this;
        }
        if (ordered == null) {
            ordered = new Op(kind, reduction, name, false, group, function, raw, true);
        }
        return ordered;
    }

    /**
     * Combines two buffers of this rank, here and now: {@code inOut[i] = in[i] op inOut[i]} for elements that lie as a
     * datatype says. Offsets are in elements of the buffers.
     */
    public void combine(Object in, long inOffset, Object inOut, long inOutOffset, long count, Datatype type) {
        if (forElements(type) != this) {
            forElements(type).combine(in, inOffset, inOut, inOutOffset, count, type);
            return;
        }
        Block left = Block.of(in, inOffset, 0, count, type, false);
        Block right = Block.of(inOut, inOutOffset, 0, count, type, true);
        ElementType element = elementOf(right.element());
        if (!supports(element)) {
            throw new RankwireException(ErrorClass.TYPE, "argument type: " + this + " does not combine " + element);
        }
        long unit = (long) element.bytes() * group;
        if (right.bytes() % unit != 0) {
            throw new RankwireException(ErrorClass.COUNT, "argument count: " + right.bytes()
                    + " bytes are no whole number of " + group + " × " + element + ", which " + this + " combines");
        }
        combination(element).combine(left.base(), left.at(), right.base(), right.at(), right.base(), right.at(),
                right.bytes());
    }

    /** What this operation is for the elements of a datatype: places of values may be of another type than these. */
    Op forElements(Datatype type) {
        if (kind != Kind.LOCATED || type == null || !type.isMixed()) {
            return this;
        }
        for (ElementType value : VALUES) {
            Signature pair = Signature.of(Signature.of(value), Signature.of(ElementType.INT));
            if (type.elementTypes().matches(pair.repeated(type.elements() / 2))) {
                return forPairs(value);
            }
        }
        return this;
    }

    private synchronized Op forPairs(ElementType value) {
        if (pairs == null) {
            pairs = new Op[ElementType.values().length];
        }
        int index = value.ordinal();
        if (pairs[index] == null) {
            pairs[index] = new Op(Kind.PAIRS, null, name, commutes, value.bytes() + Integer.BYTES, null, value,
                    reproducible);
        }
        return pairs[index];
    }

    /** Null for those that are for collectives alone. */
    Reduction reduction() {
        return reduction;
    }

    boolean supports(ElementType type) {
        return switch (kind) {
            case PREDEFINED -> reduction.supports(type);
            case LOCATED -> Reduction.MIN.supports(type);
            case PAIRS -> type == ElementType.MIXED;
            case COMPLEX -> type == ElementType.FLOAT || type == ElementType.DOUBLE;
            case OWN -> type != ElementType.OBJECT;
        };
    }

    /** What a buffer of the given type is made of, for this operation. */
    ElementType elementOf(ElementType buffer) {
        return buffer == ElementType.RAW && raw != null ? raw : buffer;
    }

    boolean commutes() {
        return commutes;
    }

    int group() {
        return group;
    }

    boolean isReproducible() {
        return reproducible;
    }

    /** Which operation it is: below 15, and the same for all of a program's own. */
    int number() {
        return switch (kind) {
            case PREDEFINED -> reduction.code();
            case LOCATED, PAIRS -> name.equals("minloc") ? 12 : 13;
            case COMPLEX, OWN -> 14;
        };
    }

    /** Tells a program's own operations and reproducible ones apart; 0 for others. */
    int nameHash() {
        int hash = kind == Kind.OWN || kind == Kind.COMPLEX ? name.hashCode()
                : kind == Kind.PAIRS ? 1 + raw.ordinal() : 0;
        return reproducible ? ~hash : hash;
    }

    Combination combination(ElementType type) {
        return switch (kind) {
            case PREDEFINED -> Combination.of(reduction, type);
            case LOCATED -> Combination.located(name.equals("minloc"), type);
            case PAIRS -> Combination.locatedPairs(name.equals("minloc"), raw);
            case COMPLEX -> Combination.complexProduct(type);
            case OWN -> new Combination(function::combine, type, group);
        };
    }

    @Override
    public String toString() {
        return reproducible ? name + ", reproducible" : name;
    }
}
