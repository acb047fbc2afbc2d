package io.rankwire;

import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/**
 * How two elements become one. Sums and products of whole numbers wrap around; {@code char} has no sign; logical
 * operations take any number but zero for true and give 1 or 0.
 */
public final class Op {
    /** Not of {@code boolean}s. */
    public static final Op SUM = new Op(Reduction.SUM, "sum");
    /** Not of {@code boolean}s. */
    public static final Op PROD = new Op(Reduction.PROD, "prod");
    /** Not of {@code boolean}s. */
    public static final Op MIN = new Op(Reduction.MIN, "min");
    /** Not of {@code boolean}s. */
    public static final Op MAX = new Op(Reduction.MAX, "max");
    /** Logical and; not of floating point, as all that follow but the last two. */
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

    private final Reduction reduction;
    private final String name;

    private Op(Reduction reduction, String name) {
        this.reduction = reduction;
        this.name = name;
    }

    Reduction reduction() {
        return reduction;
    }

    boolean supports(ElementType type) {
        return reduction.supports(type);
    }

    @Override
    public String toString() {
        return name;
    }
}
