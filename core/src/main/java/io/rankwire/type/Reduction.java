package io.rankwire.type;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Operations that combine two elements into one, and the kernels that do it to rows of them: {@code target[i] =
 * target[i] op operand[i]}. Integers wrap around, {@code char} has no sign, comparisons of floating point follow {@link
 * Math#min}, and any number but zero is true. A {@code boolean} is a byte, 0 or 1.
 */
public enum Reduction {
    SUM, PROD, MIN, MAX, LAND, LOR, LXOR, BAND, BOR, BXOR,
    /** The operand takes the target's place. */
    REPLACE,
    /** The target stays. */
    NO_OP;

    private static final Reduction[] ALL = values();

    public int code() {
        return ordinal();
    }

    /** The operation of a code, or null. */
    public static Reduction of(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : null;
    }

    /** Whether elements of a type can be combined this way. */
    public boolean supports(ElementType type) {
        if (type == ElementType.RAW || type == ElementType.OBJECT || type == ElementType.MIXED) {
            return false;
        }
        boolean floating = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        return switch (this) {
            case SUM, PROD, MIN, MAX -> type != ElementType.BOOLEAN;
            case LAND, LOR, LXOR, BAND, BOR, BXOR -> !floating;
            case REPLACE, NO_OP -> true;
        };
    }

    /** Whether {@link #apply} is as fast as vectors in memory, where these must be gathered: copies, and wide sums. */
    boolean isPlain(ElementType type) {
        return this == SUM && (type == ElementType.DOUBLE || type == ElementType.LONG)
                || this == REPLACE || this == NO_OP;
    }

    /**
     * Combines {@code count} elements one by one; offsets are in bytes and need not be aligned. {@link Combinations} is
     * faster for many.
     */
    public void apply(ElementType type, MemorySegment target, long at, MemorySegment operand, long from, long count) {
        assert supports(type) : this + " of " + type;
        if (this == REPLACE) {
            MemorySegment.copy(operand, from, target, at, count * type.bytes());
            return;
        }
        if (this == NO_OP) {
            return;
        }
        switch (type) {
            case DOUBLE -> doubles(target, at, operand, from, count);
            case FLOAT -> floats(target, at, operand, from, count);
            case LONG -> longs(target, at, operand, from, count);
            case INT -> ints(target, at, operand, from, count);
            default -> smalls(type, target, at, operand, from, count);
        }
    }

    private void doubles(MemorySegment t, long at, MemorySegment o, long from, long count) {
        if (this == SUM) {
            for (long i = 0; i < 8 * count; i += 8) {
                t.set(JAVA_DOUBLE_UNALIGNED, at + i,
                        t.get(JAVA_DOUBLE_UNALIGNED, at + i) + o.get(JAVA_DOUBLE_UNALIGNED, from + i));
            }
            return;
        }
        for (long i = 0; i < 8 * count; i += 8) {
            t.set(JAVA_DOUBLE_UNALIGNED, at + i, ofDoubles(
                    t.get(JAVA_DOUBLE_UNALIGNED, at + i), o.get(JAVA_DOUBLE_UNALIGNED, from + i)));
        }
    }

    private void floats(MemorySegment t, long at, MemorySegment o, long from, long count) {
        for (long i = 0; i < 4 * count; i += 4) {
            t.set(JAVA_FLOAT_UNALIGNED, at + i, (float) ofDoubles(
                    t.get(JAVA_FLOAT_UNALIGNED, at + i), o.get(JAVA_FLOAT_UNALIGNED, from + i)));
        }
    }

    private void longs(MemorySegment t, long at, MemorySegment o, long from, long count) {
        if (this == SUM) {
            for (long i = 0; i < 8 * count; i += 8) {
                t.set(JAVA_LONG_UNALIGNED, at + i,
                        t.get(JAVA_LONG_UNALIGNED, at + i) + o.get(JAVA_LONG_UNALIGNED, from + i));
            }
            return;
        }
        for (long i = 0; i < 8 * count; i += 8) {
            t.set(JAVA_LONG_UNALIGNED, at + i,
                    combine(t.get(JAVA_LONG_UNALIGNED, at + i), o.get(JAVA_LONG_UNALIGNED, from + i)));
        }
    }

    private void ints(MemorySegment t, long at, MemorySegment o, long from, long count) {
        for (long i = 0; i < 4 * count; i += 4) {
            t.set(JAVA_INT_UNALIGNED, at + i,
                    (int) combine(t.get(JAVA_INT_UNALIGNED, at + i), o.get(JAVA_INT_UNALIGNED, from + i)));
        }
    }

    private void smalls(ElementType type, MemorySegment t, long at, MemorySegment o, long from, long count) {
        for (long n = 0; n < count; n++) {
            long i = n * type.bytes();
            switch (type) {
                case BYTE, BOOLEAN ->
                    t.set(JAVA_BYTE, at + i, (byte) combine(t.get(JAVA_BYTE, at + i), o.get(JAVA_BYTE, from + i)));
                case SHORT -> t.set(JAVA_SHORT_UNALIGNED, at + i, (short) combine(
                        t.get(JAVA_SHORT_UNALIGNED, at + i), o.get(JAVA_SHORT_UNALIGNED, from + i)));
                case CHAR -> t.set(JAVA_CHAR_UNALIGNED, at + i, (char) combine(
                        t.get(JAVA_CHAR_UNALIGNED, at + i), o.get(JAVA_CHAR_UNALIGNED, from + i)));
                default -> throw new AssertionError(type);
            }
        }
    }

    /** Two numbers with a fraction: the result for two {@code float}s, rounded, is that of their own arithmetic. */
    double ofDoubles(double a, double b) {
        return switch (this) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case REPLACE -> b;
            case NO_OP -> a;
            default -> throw new AssertionError(this);
        };
    }

    /** Two whole numbers, of which the caller keeps the bits its type has. */
    long combine(long a, long b) {
        return switch (this) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case LAND -> a != 0 && b != 0 ? 1 : 0;
            case LOR -> a != 0 || b != 0 ? 1 : 0;
            case LXOR -> a != 0 ^ b != 0 ? 1 : 0;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            case REPLACE -> b;
            case NO_OP -> a;
        };
    }
}
