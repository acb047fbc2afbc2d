package io.rankwire.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operation on every type, compared element by element with unbounded arithmetic. */
class ReductionTest {
    private static final int MOST = 67;

    private static Number get(ElementType type, MemorySegment memory, long at) {
        return switch (type) {
            case BYTE, BOOLEAN -> memory.get(ValueLayout.JAVA_BYTE, at);
            case SHORT -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case CHAR -> (int) memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
            case INT -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            case LONG -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            case FLOAT -> memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
            case DOUBLE -> memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
            default -> throw new AssertionError(type);
        };
    }

    private static Number model(Reduction op, ElementType type, Number a, Number b) {
        if (op == Reduction.REPLACE || op == Reduction.NO_OP) {
            return op == Reduction.REPLACE ? b : a;
        }
        if (a instanceof Double x) {
            double y = b.doubleValue();
            return op == Reduction.SUM ? x + y : op == Reduction.PROD ? x * y
                    : op == Reduction.MIN ? Math.min(x, y) : Math.max(x, y);
        }
        if (a instanceof Float x) {
            float y = b.floatValue();
            return op == Reduction.SUM ? x + y : op == Reduction.PROD ? x * y
                    : op == Reduction.MIN ? Math.min(x, y) : Math.max(x, y);
        }
        BigInteger x = BigInteger.valueOf(a.longValue());
        BigInteger y = BigInteger.valueOf(b.longValue());
        boolean p = x.signum() != 0;
        boolean q = y.signum() != 0;
        BigInteger exact = switch (op) {
            case SUM -> x.add(y);
            case PROD -> x.multiply(y);
            case MIN -> x.min(y);
            case MAX -> x.max(y);
            case LAND -> p && q ? BigInteger.ONE : BigInteger.ZERO;
            case LOR -> p || q ? BigInteger.ONE : BigInteger.ZERO;
            case LXOR -> p != q ? BigInteger.ONE : BigInteger.ZERO;
            case BAND -> x.and(y);
            case BOR -> x.or(y);
            default -> x.xor(y);
        };
        return switch (type) {
            case BYTE, BOOLEAN -> exact.byteValue();
            case SHORT -> exact.shortValue();
            case CHAR -> exact.intValue() & 0xFFFF;
            case INT -> exact.intValue();
            default -> exact.longValue();
        };
    }

    @ParameterizedTest
    @EnumSource(Reduction.class)
    void shouldCombineEveryTypeItSupports(Reduction op) {
        assertSame(op, Reduction.of(op.code()));
        for (long seed = 1; seed <= 20; seed++) {
            for (ElementType type : ElementType.values()) {
                if (op.supports(type)) {
                    combine(op, type, seed);
                }
            }
        }
    }

    private static void combine(Reduction op, ElementType type, long seed) {
        Rand rand = new Rand(seed);
        int count = rand.below(MOST);
        int bytes = (count + 2) * type.bytes() + 9;
        boolean off = rand.chance(1, 2);
        MemorySegment target = off ? Arena.ofAuto().allocate(bytes) : MemorySegment.ofArray(new byte[bytes]);
        MemorySegment operand = MemorySegment.ofArray(new byte[bytes]);
        for (int i = 0; i < bytes; i++) {
            boolean bit = type == ElementType.BOOLEAN;
            int value = rand.below(bit ? 2 : 256);
            target.set(ValueLayout.JAVA_BYTE, i, (byte) (rand.chance(1, 5) ? 0 : value));
            operand.set(ValueLayout.JAVA_BYTE, i, (byte) (bit ? rand.below(2) : rand.below(256)));
        }
        long at = rand.below(9);
        long from = rand.below(9);
        MemorySegment before = MemorySegment.ofArray(target.toArray(ValueLayout.JAVA_BYTE));
        op.apply(type, target, at, operand, from, count);
        String told = op + " of " + type + ", seed " + seed;
        for (int i = 0; i < count; i++) {
            long step = (long) i * type.bytes();
            Number expected = model(op, type, get(type, before, at + step), get(type, operand, from + step));
            assertEquals(expected, get(type, target, at + step), told + ", element " + i);
        }
        long end = at + (long) count * type.bytes();
        assertEquals(-1, MemorySegment.mismatch(target, 0, at, before, 0, at), told + ": bytes before");
        assertEquals(-1, MemorySegment.mismatch(target, end, bytes, before, end, bytes), told + ": bytes behind");
    }

    @Test
    void shouldSayWhatItCannotCombine() {
        assertFalse(Reduction.SUM.supports(ElementType.BOOLEAN));
        assertFalse(Reduction.BAND.supports(ElementType.DOUBLE));
        assertFalse(Reduction.LAND.supports(ElementType.FLOAT));
        assertTrue(Reduction.LXOR.supports(ElementType.BOOLEAN));
        assertTrue(Reduction.REPLACE.supports(ElementType.DOUBLE));
        for (Reduction op : Reduction.values()) {
            assertFalse(op.supports(ElementType.RAW) || op.supports(ElementType.OBJECT));
        }
        assertNull(Reduction.of(-1));
        assertNull(Reduction.of(Reduction.values().length));
    }
}
