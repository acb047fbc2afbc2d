package io.rankwire.type;

/**
 * As {@link Rows}, with all three arrays from one index on, up to another. The compiler turns such loops into vector
 * instructions only if it can see that the target does not overlap what is read later, and all it can see that from is
 * one index for all three arrays. So {@link Combination} brings elements there; {@link ScalarRows} combines a few at
 * any indices.
 *
 * @param <A> the kind of the arrays
 */
interface LevelRows<A> {
    void combine(A left, A right, A target, int from, int end);

    /** The rows of a predefined operation; null for one that is no more than a copy. */
    @SuppressWarnings("unchecked")
    static LevelRows<Object> of(Reduction reduction, ElementType type) {
        if (reduction == Reduction.REPLACE || reduction == Reduction.NO_OP) {
            return null;
        }
        LevelRows<?> rows = switch (type) {
            case DOUBLE -> new WideRows.Doubles(reduction);
            case FLOAT -> new WideRows.Floats(reduction);
            case LONG -> new WideRows.Longs(reduction);
            case INT -> new WideRows.Ints(reduction);
            case SHORT -> new NarrowRows.Shorts(reduction);
            case CHAR -> new NarrowRows.Chars(reduction);
            case BYTE -> new NarrowRows.Bytes(reduction);
            case BOOLEAN -> new NarrowRows.Booleans(reduction);
            case RAW, OBJECT, MIXED -> throw new AssertionError(type);
        };
        return (LevelRows<Object>) rows;
    }
}
