package io.rankwire.type;

/**
 * Rows of the predefined operations, twice: {@link ScalarRows}, at any indices, and for each element type loops that
 * the compiler turns into vector instructions. It does so only if it can see that the target does not overlap what is
 * read later, and all it can see that from is one index for all three arrays. So the fast rows are for that case, and
 * {@link Combination} brings elements there.
 */
final class Kernels {
    private Kernels() {}

    /** Null for operations that are no more than copies. */
    @SuppressWarnings("unchecked")
    static LevelRows<Object> level(Reduction reduction, ElementType type) {
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
