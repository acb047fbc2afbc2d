package io.rankwire.type;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecordFormatTest {
    record Point(int x, int y) {}

    record Primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h) {}

    record Boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h, String s) {}

    record Arrays8(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g, double[] h) {}

    record Nothing() {}

    record Node(int value, Node next) {}

    record Grid(double[][] cells, Point[] corners, List<int[]> rows, Map<String, List<Point>> named) {}

    record Pair<A, B>(A first, B second) {}

    record Loose(Object any, Number number, Comparable<?> comparable, List<? extends Shape> shapes) {}

    sealed interface Shape permits Circle, Square, Polygon, Unit {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    sealed interface Polygon extends Shape {}

    record Triangle(Point a, Point b, Point c) implements Polygon {}

    enum Unit implements Shape {
        DOT,
        LINE {
            @Override
            public String toString() {
                return "a line";
            }
        }
    }

    record Drawing(Shape main, Shape[] others, Optional<Shape> last) {}

    interface Open {}

    record Closed(int a) implements Open {}

    record Opened(Open any) {}

    record Sorted(TreeMap<String, Integer> map) {}

    record Picky(int positive) {
        Picky {
            if (positive < 0) {
                throw new IllegalStateException("negative");
            }
        }
    }

    private static <T> T trip(Object value, Class<T> type) {
        byte[] bytes = RecordFormat.encode(value);
        byte[] padded = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, padded, 3, bytes.length);
        return RecordFormat.decode(padded, 3, bytes.length, type);
    }

    private static void assertTrips(Object value, Class<?> type) {
        Object back = trip(value, type);
        assertTrue(DeepEquality.equal(value, back), () -> "sent " + value + ", got " + back);
    }

    private static String refused(Object value) {
        return assertThrows(FormatException.class, () -> RecordFormat.encode(value)).getMessage();
    }

    private static String refused(Object value, Class<?> type) {
        byte[] bytes = RecordFormat.encode(value);
        return assertThrows(FormatException.class, () -> RecordFormat.decode(bytes, 0, bytes.length, type))
                .getMessage();
    }

    private static void assertSays(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "expected \"" + part + "\" in: " + message);
        }
    }

    @Test
    void shouldCarryPlainValues() {
        for (Object value : List.of(true, (byte) -3, (short) -300, '\u20ac', -70000, 1L << 40, 1.5f, -0.0, "", "plain",
                "gr\u00fc\u00df", "\u20ac and \ud83d\ude00", "lone \ud800", TimeUnit.DAYS, Unit.LINE)) {
            assertTrips(value, value instanceof Enum<?> e ? e.getDeclaringClass() : value.getClass());
        }
        assertEquals(7, trip(7, int.class));
        assertEquals(7, trip(7, Object.class));
        assertEquals(7, trip(7, Number.class));
        assertNull(trip(null, String.class));
        assertTrue(Double.isNaN(trip(Double.NaN, Double.class)));
    }

    @Test
    void shouldCarryArraysOfEveryKind() {
        assertTrips(new Arrays8(new boolean[] {true, false}, new byte[] {1, -1}, new short[] {300}, new char[] {'x'},
                new int[] {1, 2, 3}, new long[] {Long.MIN_VALUE}, new float[] {0.5f}, new double[0]), Arrays8.class);
        assertArrayEquals(new int[] {4, 5}, trip(new int[] {4, 5}, int[].class));
        assertArrayEquals(new int[] {4, 5}, (int[]) trip(new int[] {4, 5}, Object.class));
        assertTrips(new int[][] {{1}, null, {}}, int[][].class);
        assertTrips(new String[] {"a", null}, String[].class);
        assertTrips(new Object[] {1, "two", new Object[] {3L}}, Object.class);
        assertTrips(new Point[] {new Point(1, 2), null, new Point(3, 4)}, Point[].class);
        assertEquals(Shape[].class, trip(new Circle[] {new Circle(1)}, Shape[].class).getClass());
    }

    @Test
    void shouldCarryRecords() {
        assertTrips(new Primitives(true, (byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d), Primitives.class);
        assertTrips(new Boxes(true, (byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, "s"), Boxes.class);
        assertTrips(new Boxes(null, null, null, null, null, null, null, null, null), Boxes.class);
        assertTrips(new Nothing(), Nothing.class);
        assertTrips(new Node(1, new Node(2, new Node(3, null))), Node.class);
        assertTrips(new Grid(new double[][] {{1, 2}, {3}}, new Point[] {new Point(1, 1)},
                List.of(new int[] {1}, new int[0]), Map.of("a", List.of(new Point(2, 3)))), Grid.class);
        assertTrips(new Pair<>("a", List.of(1, 2)), Pair.class);
        assertTrips(new Loose(new int[] {1}, 2L, "x", List.of(new Circle(1), Unit.DOT)), Loose.class);
        record Local(String name) {}
        assertTrips(new Local("in a method"), Local.class);
    }

    @Test
    void shouldCarryCollectionsInTheirOrder() {
        assertTrips(List.of(1, "two", 3.0), List.class);
        assertTrips(Arrays.asList(1, null), List.class);
        assertTrips(new TreeSet<>(Set.of("c", "a", "b")), Set.class);
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put(null, List.of());
        map.put(5, null);
        assertTrips(map, Map.class);
        assertTrips(Optional.of("x"), Optional.class);
        assertTrips(Optional.empty(), Optional.class);
        assertTrips(Collections.nCopies(1000, 7), ArrayList.class);
    }

    @Test
    void shouldCarryWhatASealedTypePermits() {
        Triangle triangle = new Triangle(new Point(0, 0), new Point(1, 0), new Point(0, 1));
        Shape[] others = {new Circle(1), triangle, Unit.LINE, null, new Circle(2)};
        assertTrips(new Drawing(new Square(2), others, Optional.of(triangle)), Drawing.class);
        assertTrips(triangle, Shape.class);
        assertTrips(triangle, Polygon.class);
        assertTrips(Unit.LINE, Shape.class);
        assertSays(refused(new Circle(1), Polygon.class), "expected sealed", "Polygon", "found record", "Circle");
    }

    @Test
    void shouldStayCompact() {
        int name = Point.class.getName().length();
        assertEquals(5 + name + 4 + 8, RecordFormat.encode(new Point(1, 2)).length);
        Point[] many = new Point[100];
        Arrays.fill(many, new Point(1, 2));
        assertEquals(3 + 100 * 10 + name + 6, RecordFormat.encode(many).length);
    }

    @Test
    void shouldNameBothTypesWhenTheyDiffer() {
        assertSays(refused(new Point(1, 2), Circle.class), "record " + Circle.class.getName(),
                "found record " + Point.class.getName());
        assertSays(refused("text", Point.class), "record " + Point.class.getName(), "found String");
        assertSays(refused(new Point(1, 2), String.class), "java.lang.String", "record " + Point.class.getName());
        assertSays(refused(new double[1], int[].class), "int[]", "double[]");
        assertSays(refused(new Point[0], int[].class), "int[]", "array of references");
        assertSays(refused(Unit.DOT, TimeUnit.class), "enum java.util.concurrent.TimeUnit", Unit.class.getName());
        assertSays(refused(new Closed(1), Open.class), Closed.class.getName(), Open.class.getName(), "sealed");
        assertSays(refused(new Closed(1), Object.class), Closed.class.getName(), "java.lang.Object");
        assertSays(refused(List.of("a"), Set.class), "java.util.Set", "found List");
    }

    @Test
    void shouldRefuseToSendWhatCouldNotBeRebuilt() {
        assertSays(refused(new Opened(new Closed(1))), "component any of record", "Opened", "Closed", "sealed");
        assertSays(refused(List.of(new Point(1, 2))), "not declared", "record " + Point.class.getName());
        assertSays(refused(new StringBuilder()), "java.lang.StringBuilder cannot be sent");
        assertSays(refused(new Pair<>(1, new Thread())), "component second of record", "java.lang.Thread");
        assertSays(refused(new Sorted(new TreeMap<>())), "component map", "TreeMap", "LinkedHashMap");
        assertSays(refused(new Pair<>(new String[0], 1)), "component first", "java.lang.String[]", "declare");
    }

    @Test
    void shouldRefuseEndlessNesting() {
        List<Object> self = new ArrayList<>();
        self.add(self);
        assertSays(refused(self), "deeper than 256");
        Node chain = null;
        for (int i = 0; i < 256; i++) {
            chain = new Node(i, chain);
        }
        assertTrips(chain, Node.class);
        assertSays(refused(new Node(0, chain)), "deeper than 256");
        byte[] hostile = new byte[100_000];
        for (int i = 1; i < hostile.length; i += 2) {
            hostile[i] = (byte) Tag.LIST.ordinal();
            hostile[Math.min(i + 1, hostile.length - 1)] = 1;
        }
        hostile[0] = (byte) RecordFormat.VERSION;
        assertSays(message(hostile, List.class), "deeper than 256");
    }

    @Test
    void shouldTellForeignBytesApart() {
        assertSays(message(new byte[0], Point.class), Point.class.getName(), "empty message");
        assertSays(message(new byte[] {0, 1, 2}, Point.class), Point.class.getName(), "first byte 0");
        assertSays(message(SerialFormat.encode("x"), String.class), "java.lang.String", "Java serialization");
        byte[] longer = Arrays.copyOf(RecordFormat.encode(1), 20);
        assertSays(message(longer, Integer.class), "more bytes", "at byte 6 of 20");
    }

    @Test
    void shouldCheckLengthsBeforeAllocating() {
        for (Tag tag : Tag.values()) {
            byte[] huge = {(byte) RecordFormat.VERSION, (byte) tag.ordinal(), -1, -1, -1, -1, 7, 0, 0};
            if (tag.made != null && tag.ordinal() >= Tag.LATIN1.ordinal() && tag.ordinal() <= Tag.MAP.ordinal()) {
                assertSays(message(huge, tag.made), "expected 2147483647 ", "found only 2 bytes more");
            }
        }
    }

    @Test
    void shouldNotHideWhyAConstructorRefused() {
        byte[] bytes = RecordFormat.encode(new Picky(1));
        bytes[bytes.length - 1] = (byte) 0x80;
        FormatException told = assertThrows(
                FormatException.class, () -> RecordFormat.decode(bytes, 0, bytes.length, Picky.class));
        assertSays(told.getMessage(), "constructor of record", "Picky", "negative");
        assertEquals(IllegalStateException.class, told.getCause().getClass());
    }

    private static String message(byte[] bytes, Class<?> type) {
        return assertThrows(FormatException.class, () -> RecordFormat.decode(bytes, 0, bytes.length, type))
                .getMessage();
    }
}
