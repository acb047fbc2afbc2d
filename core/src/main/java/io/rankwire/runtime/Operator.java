package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.runtime.collective.Side.Block;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import io.rankwire.type.Rows;
import io.rankwire.type.Signature;

/**
 * An operation that combines elements, predefined or of the program: how two elements become one, and for which types.
 * The operations of the API wrap it, and reductions and accumulate calls read it.
 */
public final class Operator {
    private enum Kind { PREDEFINED, LOCATED, PAIRS, COMPLEX, OWN }

    private static final ElementType[] VALUES = {
        ElementType.DOUBLE, ElementType.FLOAT, ElementType.LONG, ElementType.SHORT, ElementType.CHAR, ElementType.BYTE
    };

    private final Kind kind;
    private final Reduction reduction;
    private final String name;
    private final boolean commutes;
    private final int group;
    private final Rows function;
    /** The type of the elements in raw memory; null if the program has not given one. */
    private final ElementType raw;
    private final boolean reproducible;
    /** The reproducible form, kept because compiled calls are found by the identity of their operation. */
    private Operator ordered;
    /** The forms for pairs of a value and an int, by the value's type; kept for the same reason. */
    private Operator[] pairs;

    private Operator(Kind kind, Reduction reduction, String name, boolean commutes, int group,
            Rows function, ElementType raw, boolean reproducible) {
        this.kind = kind;
        this.reduction = reduction;
        this.name = name;
        this.commutes = commutes;
        this.group = group;
        this.function = function;
        this.raw = raw;
        this.reproducible = reproducible;
    }

    /** Returns a predefined operation. */
    public static Operator of(Reduction reduction, String name) {
        boolean commutes = reduction != Reduction.REPLACE && reduction != Reduction.NO_OP;
        return new Operator(Kind.PREDEFINED, reduction, name, commutes, 1, null, null, false);
    }

    /** Returns the operation that finds the least or greatest value and its place. */
    public static Operator located(String name) {
        return new Operator(Kind.LOCATED, null, name, true, 2, null, null, false);
    }

    /** Returns the product of complex numbers. */
    public static Operator complexProduct(String name) {
        return new Operator(Kind.COMPLEX, null, name, true, 2, null, null, false);
    }

    /** Returns an operation of the program. */
    public static Operator own(String name, boolean commutes, int group, Rows function) {
        return new Operator(Kind.OWN, null, name, commutes, group, function, null, false);
    }

    /** Returns the same operation for raw memory that holds elements of a type. */
    public Operator as(ElementType type) {
        return new Operator(kind, reduction, name, commutes, group, function, type, reproducible);
    }

    /** Returns the same operation, combined in the order of ranks for vectors of every length. */
    public Operator reproducible() {
        if (reproducible) {
            return this;
        }
        if (ordered == null) {
            ordered = new Operator(kind, reduction, name, false, group, function, raw, true);
        }
        return ordered;
    }

    /** Returns the form of this operation for a datatype, in which value and place may have different types. */
    public Operator forElements(Layout type) {
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

    private synchronized Operator forPairs(ElementType value) {
        if (pairs == null) {
            pairs = new Operator[ElementType.values().length];
        }
        int index = value.ordinal();
        if (pairs[index] == null) {
            pairs[index] = new Operator(Kind.PAIRS, null, name, commutes, value.bytes() + Integer.BYTES, null, value,
                    reproducible);
        }
        return pairs[index];
    }

    /** Returns the reduction of a predefined operation; null for operations of collectives only. */
    public Reduction reduction() {
        return reduction;
    }

    /** Whether the operation combines elements of a type. */
    public boolean supports(ElementType type) {
        return switch (kind) {
            case PREDEFINED -> reduction.supports(type);
            case LOCATED -> Reduction.MIN.supports(type);
            case PAIRS -> type == ElementType.MIXED;
            case COMPLEX -> type == ElementType.FLOAT || type == ElementType.DOUBLE;
            case OWN -> type != ElementType.OBJECT;
        };
    }

    /** Returns the type of the elements that this operation combines in a buffer of the given type. */
    public ElementType elementOf(ElementType buffer) {
        return buffer == ElementType.RAW && raw != null ? raw : buffer;
    }

    public boolean commutes() {
        return commutes;
    }

    /** Returns how many consecutive elements are combined as one. */
    public int group() {
        return group;
    }

    public boolean isReproducible() {
        return reproducible;
    }

    /** Returns a number below 15 that identifies the operation; the same for all operations of programs. */
    public int number() {
        return switch (kind) {
            case PREDEFINED -> reduction.code();
            case LOCATED, PAIRS -> name.equals("minloc") ? 12 : 13;
            case COMPLEX, OWN -> 14;
        };
    }

    /** Returns a hash that distinguishes operations of the same {@link #number}. */
    public int nameHash() {
        int hash = kind == Kind.OWN || kind == Kind.COMPLEX ? name.hashCode()
                : kind == Kind.PAIRS ? 1 + raw.ordinal() : 0;
        return reproducible ? ~hash : hash;
    }

    /** Returns the function that combines elements of a type. */
    public Combination combination(ElementType type) {
        return switch (kind) {
            case PREDEFINED -> Combination.of(reduction, type);
            case LOCATED -> Combination.located(name.equals("minloc"), type);
            case PAIRS -> Combination.locatedPairs(name.equals("minloc"), raw);
            case COMPLEX -> Combination.complexProduct(type);
            case OWN -> new Combination(function, type, group);
        };
    }

    /** Combines two blocks of this rank: {@code inOut[i] = in[i] op inOut[i]}. */
    public void combine(Block in, Block inOut) {
        ElementType element = elementOf(inOut.element());
        if (!supports(element)) {
            throw new RankwireException(ErrorClass.TYPE, "argument type: " + this + " does not combine " + element);
        }
        long unit = (long) element.bytes() * group;
        if (inOut.bytes() % unit != 0) {
            throw new RankwireException(ErrorClass.COUNT, "argument count: " + inOut.bytes()
                    + " bytes are no whole number of " + group + " × " + element + ", which " + this + " combines");
        }
        combination(element).combine(
                in.base(), in.at(), inOut.base(), inOut.at(), inOut.base(), inOut.at(), inOut.bytes());
    }

    @Override
    public String toString() {
        return reproducible ? name + ", reproducible" : name;
    }
}
