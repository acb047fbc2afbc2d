package io.rankwire.type;

/**
 * Rows of the predefined operations, twice: {@link ScalarRows}, at any indices, and for each element type loops that
 * the compiler turns into vector instructions. It does so only if it can see that the target does not overlap what is
 * read later, and all it can see that from is one index for all three arrays. So the fast rows are for that case, and
 * {@link Combination} brings elements there.
 */
final class Kernels {
    private Kernels() {}

    static Rows scalar(Reduction reduction, ElementType type) {
        return new ScalarRows(reduction, type);
    }

    /** Null for operations that are no more than copies. */
    static LevelRows level(Reduction reduction, ElementType type) {
        if (reduction == Reduction.REPLACE || reduction == Reduction.NO_OP) {
            return null;
        }
        return switch (type) {
            case DOUBLE -> new DoubleRows(reduction);
            case FLOAT -> new FloatRows(reduction);
            case LONG -> new LongRows(reduction);
            case INT -> new IntRows(reduction);
            case SHORT -> new ShortRows(reduction);
            case CHAR -> new CharRows(reduction);
            case BYTE -> new ByteRows(reduction);
            case BOOLEAN -> new BooleanRows(reduction);
            case RAW, OBJECT, MIXED -> throw new AssertionError(type);
        };
    }

    /**
     * Pairs of a value and its place: the lesser (or greater) value wins, and of equal ones that with the lesser place.
     */
    static Rows located(boolean least, ElementType type) {
        return new LocatedRows(least, type);
    }
}
