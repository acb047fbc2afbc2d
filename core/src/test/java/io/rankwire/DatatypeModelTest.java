package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.runtime.TypedViews;
import io.rankwire.type.Copy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Random nested datatypes, compared with the list of their bytes. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class DatatypeModelTest {
    private static final int CASES = 100_000;
    private static final int ARRAY_CASES = 30_000;
    private static final MemorySegment NATIVE = Arena.ofAuto().allocate(1 << 20);

    @Test
    void shouldBeWhatTheModelSays() {
        for (int seed = 0; seed < CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TypeModel model = TypeModel.random(random);
            Datatype type = model.type();
            String about = "seed " + seed + ": " + type;
            assertEquals(model.bytes().length, type.size(), about);
            assertEquals(model.lower(), type.lowerBound(), about);
            assertEquals(model.upper() - model.lower(), type.extent(), about);
            assertEquals(model.low(), type.trueLowerBound(), about);
            assertEquals(model.high() - model.low(), type.trueExtent(), about);
            assertEquals(model.elements().size(), type.elements(), about);
            checkSignature(model, about);
            int count = random.nextInt(8) == 0 ? random.nextInt(40) : random.nextInt(4);
            checkMoves(random, model, model.times(count), count, about + " × " + count);
        }
    }

    private static void checkSignature(TypeModel model, String about) {
        Datatype[] elements = model.elements().toArray(Datatype[]::new);
        int[] ones = new int[elements.length];
        Arrays.fill(ones, 1);
        Datatype flat = Datatype.struct(ones, new long[elements.length], elements);
        assertEquals(true, flat.matches(model.type()), about);
        if (elements.length > 0) {
            elements[elements.length / 2] =
                    elements[elements.length / 2] == Datatype.INT ? Datatype.FLOAT : Datatype.INT;
            assertEquals(false, Datatype.struct(ones, new long[ones.length], elements).matches(model.type()), about);
        }
        long bytes = 0;
        for (int i = 0; i < model.elements().size(); i++) {
            assertEquals(i, Datatype.layout(model.type()).elementTypes().elementsIn(bytes), about);
            if (model.elements().get(i).size() > 1) {
                assertEquals(-1, Datatype.layout(model.type()).elementTypes().elementsIn(bytes + 1), about);
            }
            bytes += model.elements().get(i).size();
        }
    }

    private static void checkMoves(SplittableRandom random, TypeModel one, TypeModel all, int count, String about) {
        Datatype type = one.type();
        int origin = (int) -Math.min(0, all.low()) + random.nextInt(3);
        byte[] buffer = new byte[(int) Math.max(origin + all.high(), origin) + random.nextInt(3)];
        random.nextBytes(buffer);
        byte[] expected = new byte[all.bytes().length];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = buffer[(int) (origin + all.bytes()[i])];
        }
        assertEquals(expected.length, type.packSize(count), about);
        byte[] packed = new byte[expected.length + 2];
        assertEquals(packed.length - 1, type.pack(buffer, origin, count, packed, 1), about);
        assertArrayEquals(expected, Arrays.copyOfRange(packed, 1, packed.length - 1), about);
        checkParts(random, type, buffer, origin, count, expected, about);

        byte[] target = new byte[buffer.length];
        if (all.overlaps()) {
            assertEquals(ErrorClass.TYPE, assertThrows(RankwireException.class,
                    () -> type.unpack(packed, 1, target, origin, count), about).errorClass(), about);
            return;
        }
        byte[] after = new byte[buffer.length];
        random.nextBytes(after);
        System.arraycopy(after, 0, target, 0, after.length);
        for (int i = 0; i < expected.length; i++) {
            after[(int) (origin + all.bytes()[i])] = expected[i];
        }
        type.unpack(packed, 1, target, origin, count);
        assertArrayEquals(after, target, about);
    }

    /** Any part of the packed stream, in the order of the device, in memory of any kind. */
    private static void checkParts(
            SplittableRandom random, Datatype type, byte[] buffer, int origin, int count, byte[] expected,
            String about) {
        MemorySegment memory = MemorySegment.ofArray(buffer);
        MemorySegment outside = NATIVE.asSlice(0, buffer.length).copyFrom(memory);
        MemorySegment words = MemorySegment.ofArray(new int[buffer.length / 4 + 1]).asSlice(0, buffer.length);
        for (Object base : new Object[] {buffer, memory, outside, words.copyFrom(memory)}) {
            Object view = TypedViews.source(base, origin, count, Datatype.layout(type));
            long start = TypedViews.start(view, base, origin, Datatype.layout(type));
            int from = random.nextInt(expected.length + 1);
            int to = random.nextInt(from, expected.length + 1);
            byte[] part = new byte[to - from];
            Copy.out(view, start + from, MemorySegment.ofArray(part), 0, part.length);
            assertArrayEquals(Arrays.copyOfRange(expected, from, to), part, about);
            Copy.in(MemorySegment.ofArray(part), 0, view, start + from, part.length);
        }
        assertEquals(-1, memory.mismatch(outside), about);
        assertEquals(-1, memory.mismatch(words), about);
        if (!Datatype.layout(type).overlaps(count)) {
            outside.fill((byte) 1);
            byte[] after = new byte[buffer.length];
            Arrays.fill(after, (byte) 1);
            type.unpack(expected, 0, after, origin, count);
            type.unpack(expected, 0, outside, origin, count);
            assertEquals(-1, outside.mismatch(MemorySegment.ofArray(after)), about);
        }
    }

    private static MemorySegment packed(Datatype type, Object buffer, long offset, int count) {
        byte[] packed = new byte[(int) type.packSize(count)];
        type.pack(buffer, offset, count, packed, 0);
        return MemorySegment.ofArray(packed);
    }

    @Test
    void shouldReachArraysOfEveryElementTypeAsItReachesMemory() {
        for (int seed = 0; seed < ARRAY_CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Datatype element = TypeModel.BASIC.get(seed % TypeModel.BASIC.size());
            TypeModel one = TypeModel.homogeneous(random, element);
            int count = random.nextInt(4);
            TypeModel all = one.times(count);
            String about = "seed " + seed + ": " + one.type() + " × " + count;
            int unit = (int) element.size();
            int origin = (int) -Math.min(0, all.low()) / unit + 1;
            int length = origin + (int) Math.max(0, all.high()) / unit + 1;
            Object array = array(random, element, length);
            byte[] bytes = new byte[length * unit];
            Copy.toBytes(array, 0, bytes);
            MemorySegment expected = packed(one.type(), MemorySegment.ofArray(bytes), (long) origin * unit, count);
            assertEquals(-1, packed(one.type(), array, origin, count).mismatch(expected), about);
            if (!all.overlaps()) {
                checkArrayUnpack(one.type(), element, array, origin, count, expected, about);
            }
        }
    }

    private static void checkArrayUnpack(Datatype type, Datatype element, Object array, int origin, int count,
            MemorySegment packed, String about) {
        int length = Array.getLength(array);
        Object blank = Array.newInstance(array.getClass().getComponentType(), length);
        int unit = (int) element.size();
        byte[] expected = new byte[length * unit];
        type.unpack(packed, 0, expected, (long) origin * unit, count);
        type.unpack(packed, 0, blank, origin, count);
        byte[] found = new byte[expected.length];
        Copy.toBytes(blank, 0, found);
        assertArrayEquals(expected, found, about);
    }

    private static Object array(SplittableRandom random, Datatype element, int length) {
        byte[] bytes = new byte[(int) element.size() * length];
        random.nextBytes(bytes);
        if (element == Datatype.BOOLEAN) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] &= 1;
            }
        }
        Object array = switch (element.toString()) {
            case "byte" -> new byte[length];
            case "boolean" -> new boolean[length];
            case "char" -> new char[length];
            case "short" -> new short[length];
            case "int" -> new int[length];
            case "long" -> new long[length];
            case "float" -> new float[length];
            default -> new double[length];
        };
        element.unpack(bytes, 0, array, 0, length);
        return array;
    }

    @Test
    void shouldKeepRegularPatternsSmall() {
        Datatype column = Datatype.vector(1_000_000, 1, 3, Datatype.DOUBLE);
        assertEquals(1_000_000, Datatype.layout(column).program().runs());
        assertEquals("Strided", Datatype.layout(column).program().getClass().getSimpleName());
        int[] places = new int[10_000];
        Arrays.setAll(places, i -> 5 * i);
        Datatype listed = Datatype.indexedBlock(2, places, Datatype.INT);
        assertEquals("Strided", Datatype.layout(listed).program().getClass().getSimpleName());
        Datatype rows = Datatype.vector(1_000, 8, 8, Datatype.INT);
        assertEquals(1, Datatype.layout(rows).program().runs());
        Datatype box = Datatype.subarray(new int[] {100, 100, 100}, new int[] {50, 100, 100}, new int[] {7, 0, 0},
                Datatype.Order.C, Datatype.DOUBLE);
        assertEquals(1, Datatype.layout(box).program().runs());
        double[] data = new double[3_000_000];
        Arrays.setAll(data, i -> i);
        MemorySegment packed = packed(column, data, 0, 1);
        assertEquals(3.0 * 777_777, packed.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * 777_777));
    }
}
