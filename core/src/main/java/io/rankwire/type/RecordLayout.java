package io.rankwire.type;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.rankwire.type.ClassShape.Component;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.util.Locale;

/** A record of primitives, and of records of these, in memory: one component after another, without gaps. */
public final class RecordLayout {
    private final Class<?> type;
    private final ClassShape shape;
    /** For each component: the type of a primitive, or else the layout of a record. */
    private final ElementType[] primitives;
    private final RecordLayout[] nested;
    private final int[] places;
    private final int bytes;
    private final Signature signature;

    private RecordLayout(Class<?> type, String where, int depth) {
        if (depth > RecordFormat.MAX_DEPTH) {
            throw new FormatException("record " + type.getName() + " holds itself, so it has no size");
        }
        this.type = type;
        RecordComponent[] declared = type.getRecordComponents();
        primitives = new ElementType[declared.length];
        nested = new RecordLayout[declared.length];
        places = new int[declared.length];
        Signature[] signatures = new Signature[declared.length];
        int end = 0;
        for (int i = 0; i < declared.length; i++) {
            Class<?> component = declared[i].getType();
            places[i] = end;
            String place = where + " " + declared[i].getName();
            if (component.isPrimitive()) {
                primitives[i] = ElementType.valueOf(component.getName().toUpperCase(Locale.ROOT));
                signatures[i] = Signature.of(primitives[i]);
                end += primitives[i].bytes();
            } else if (component.isRecord()) {
                nested[i] = new RecordLayout(component, place + ",", depth + 1);
                signatures[i] = nested[i].signature;
                end += nested[i].bytes;
            } else {
                throw new FormatException(place + ": a " + component.getTypeName()
                        + " is neither primitive nor a record of primitives");
            }
        }
        // After the walk, so that a class that cannot be laid out is refused by the name of its component.
        shape = ClassShape.of(type);
        bytes = end;
        signature = Signature.of(signatures);
    }

    /**
     * The layout of a record class.
     *
     * @throws FormatException if a component is neither primitive nor a record of primitives, or a record holds itself
     */
    public static RecordLayout of(Class<? extends Record> type) {
        return new RecordLayout(type, "record " + type.getName() + ", component", 0);
    }

    public Class<?> type() {
        return type;
    }

    public int bytes() {
        return bytes;
    }

    public Signature signature() {
        return signature;
    }

    public Object read(MemorySegment from, long at) {
        Object[] values = new Object[places.length];
        for (int i = 0; i < values.length; i++) {
            long place = at + places[i];
            values[i] = nested[i] != null ? nested[i].read(from, place) : read(primitives[i], from, place);
        }
        return shape.construct(values);
    }

    private static Object read(ElementType type, MemorySegment from, long at) {
        return switch (type) {
            case BYTE -> from.get(JAVA_BYTE, at);
            case BOOLEAN -> from.get(JAVA_BYTE, at) != 0;
            case CHAR -> from.get(JAVA_CHAR_UNALIGNED, at);
            case SHORT -> from.get(JAVA_SHORT_UNALIGNED, at);
            case INT -> from.get(JAVA_INT_UNALIGNED, at);
            case LONG -> from.get(JAVA_LONG_UNALIGNED, at);
            case FLOAT -> from.get(JAVA_FLOAT_UNALIGNED, at);
            case DOUBLE -> from.get(JAVA_DOUBLE_UNALIGNED, at);
            default -> throw new AssertionError(type);
        };
    }

    public void write(Object value, MemorySegment to, long at) {
        for (int i = 0; i < places.length; i++) {
            Component component = shape.components[i];
            if (nested[i] != null) {
                Object inner = component.read(value);
                if (inner == null) {
                    throw new FormatException(component.where() + " is null, which has no place in memory");
                }
                nested[i].write(inner, to, at + places[i]);
            } else {
                write(component, value, primitives[i], to, at + places[i]);
            }
        }
    }

    private static void write(Component component, Object value, ElementType type, MemorySegment to, long at) {
        try {
            switch (type) {
                case BYTE -> to.set(JAVA_BYTE, at, (byte) component.reader().invokeExact(value));
                case BOOLEAN ->
                    to.set(JAVA_BYTE, at, (boolean) component.reader().invokeExact(value) ? (byte) 1 : (byte) 0);
                case CHAR -> to.set(JAVA_CHAR_UNALIGNED, at, (char) component.reader().invokeExact(value));
                case SHORT -> to.set(JAVA_SHORT_UNALIGNED, at, (short) component.reader().invokeExact(value));
                case INT -> to.set(JAVA_INT_UNALIGNED, at, (int) component.reader().invokeExact(value));
                case LONG -> to.set(JAVA_LONG_UNALIGNED, at, (long) component.reader().invokeExact(value));
                case FLOAT -> to.set(JAVA_FLOAT_UNALIGNED, at, (float) component.reader().invokeExact(value));
                case DOUBLE -> to.set(JAVA_DOUBLE_UNALIGNED, at, (double) component.reader().invokeExact(value));
                default -> throw new AssertionError(type);
            }
        } catch (Throwable failure) {
            throw ClassShape.userCode(component.where() + ": writing it failed: " + failure, failure);
        }
    }
}
