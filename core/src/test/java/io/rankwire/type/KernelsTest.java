package io.rankwire.type;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The fast rows do the same as their plain twins, on arrays and through every kind of buffer. */
class KernelsTest {
    private static final List<ElementType> TYPES = List.of(ElementType.BYTE, ElementType.BOOLEAN, ElementType.CHAR,
            ElementType.SHORT, ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);

    private static Object random(ElementType type, int count, Rand rand) {
        Object array = type.newArray(count);
        MemorySegment bytes = MemorySegment.ofArray(new long[count]);
        for (int i = 0; i < count; i++) {
            long bits = rand.nextLong();
            bytes.setAtIndex(ValueLayout.JAVA_LONG, i, rand.chance(1, 4) ? bits % 3 : bits);
        }
        Copy.in(bytes, 0, array, 0, count * type.bytes());
        return array;
    }

    private static boolean same(Object a, Object b, int count) {
        for (int i = 0; i < count; i++) {
            // Boxed numbers are equal by their bits, but for kinds of not-a-number.
            if (!Objects.equals(Array.get(a, i), Array.get(b, i))) {
                return false;
            }
        }
        return true;
    }

    @Test
    void shouldDoTheSameAsTheirTwins() {
        Rand rand = new Rand(42);
        for (Reduction reduction : Reduction.values()) {
            for (ElementType type : TYPES) {
                if (!reduction.supports(type)) {
                    continue;
                }
                for (int count : new int[] {1, 2, 7, 64, 1001}) {
                    Object left = random(type, count, rand);
                    Object right = random(type, count, rand);
                    Object fast = type.newArray(count);
                    Object plain = type.newArray(count);
                    Kernels.of(reduction, type).combine(left, 0, right, 0, fast, 0, count);
                    Kernels.scalar(reduction, type).combine(left, 0, right, 0, plain, 0, count);
                    assertTrue(same(fast, plain, count), reduction + " of " + count + " × " + type);
                    checkSegments(reduction, type, left, right, plain, count);
                }
            }
        }
    }

    private static void checkSegments(
            Reduction reduction, ElementType type, Object left, Object right, Object plain, int count) {
        long bytes = (long) count * type.bytes();
        Combination combination = Combination.of(reduction, type);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment far = arena.allocate(bytes + 8, 8);
            Copy.between(left, 0, far, 8, bytes);
            Object target = type.newArray(count);
            combination.combine(far, 8, right, 0, target, 0, bytes);
            assertTrue(same(target, plain, count), reduction + " from memory, " + count + " × " + type);
            combination.combine(far, 8, right, 0, far, 8, bytes);
            Copy.between(far, 8, target, 0, bytes);
            assertTrue(same(target, plain, count), reduction + " in memory, " + count + " × " + type);
        }
    }
}
