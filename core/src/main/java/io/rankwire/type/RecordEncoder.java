package io.rankwire.type;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Writes one value; see {@link RecordFormat}. Refuses what the receiver could not rebuild from its declared types. */
final class RecordEncoder {
    private final ByteSink sink;
    private final Map<Class<?>, Integer> classes = new HashMap<>();
    private int depth;

    RecordEncoder(ByteSink sink) {
        this.sink = sink;
    }

    void write(Object value, DeclaredType type) {
        if (value == null) {
            sink.putByte(Tag.NULL.ordinal());
            return;
        }
        if (++depth > RecordFormat.MAX_DEPTH) {
            throw new FormatException(type.where + ": nested deeper than " + RecordFormat.MAX_DEPTH
                    + " levels; does the value hold itself?");
        }
        Tag tag = Tag.of(value.getClass());
        switch (tag) {
            case NULL -> throw new FormatException(type.where + ": " + value.getClass().getTypeName()
                    + " cannot be sent; records, enums, strings, boxes, arrays, List, Set, Map and Optional can");
            case RECORD -> writeRecord(value, type);
            case ENUM -> writeEnum((Enum<?>) value, type);
            case ARRAY -> writeArray((Object[]) value, type);
            default -> {
                if (!type.takes(tag)) {
                    throw new FormatException(type.where + ": declared " + type + ", but "
                            + value.getClass().getTypeName() + " arrives as " + tag.made.getTypeName());
                }
                writePlain(tag, value, type);
            }
        }
        depth--;
    }

    private void writePlain(Tag tag, Object value, DeclaredType type) {
        if (tag == Tag.LATIN1) {
            sink.putString((String) value);
            return;
        }
        if (tag == Tag.EMPTY) {
            writeOptional((Optional<?>) value, type);
            return;
        }
        sink.putByte(tag.ordinal());
        switch (tag) {
            case BOOLEAN -> sink.putBoolean((Boolean) value);
            case BYTE -> sink.putByte((Byte) value);
            case SHORT -> sink.putShort((Short) value);
            case CHAR -> sink.putChar((Character) value);
            case INT -> sink.putInt((Integer) value);
            case LONG -> sink.putLong((Long) value);
            case FLOAT -> sink.putFloat((Float) value);
            case DOUBLE -> sink.putDouble((Double) value);
            case BOOLEANS -> sink.putBooleans((boolean[]) value);
            case BYTES, SHORTS, CHARS, INTS, LONGS, FLOATS, DOUBLES ->
                sink.putArray(value, Array.getLength(value), tag.elements);
            case LIST, SET -> writeElements((Collection<?>) value, type);
            case MAP -> writeEntries((Map<?, ?>) value, type);
            default -> throw new AssertionError(tag);
        }
    }

    private void writeOptional(Optional<?> value, DeclaredType type) {
        sink.putByte((value.isPresent() ? Tag.PRESENT : Tag.EMPTY).ordinal());
        if (value.isPresent()) {
            write(value.get(), type.argument(0));
        }
    }

    private void writeElements(Collection<?> values, DeclaredType type) {
        DeclaredType element = type.argument(0);
        int announced = values.size();
        int written = 0;
        sink.putCount(announced);
        for (Object value : values) {
            write(value, element);
            written++;
        }
        checkUnchanged(announced, written, type);
    }

    private void writeEntries(Map<?, ?> map, DeclaredType type) {
        DeclaredType key = type.argument(0);
        DeclaredType value = type.argument(1);
        int announced = map.size();
        int written = 0;
        sink.putCount(announced);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            write(entry.getKey(), key);
            write(entry.getValue(), value);
            written++;
        }
        checkUnchanged(announced, written, type);
    }

    private static void checkUnchanged(int announced, int written, DeclaredType type) {
        if (announced != written) {
            throw new FormatException(type.where + ": size() said " + announced + " but " + written
                    + " elements came; was it changed while being sent?");
        }
    }

    private void writeArray(Object[] values, DeclaredType type) {
        DeclaredType element = type.arrayElement();
        if (element == null || !type.raw.isArray() && values.getClass() != Object[].class) {
            throw new FormatException(type.where + ": declared " + type + ", found "
                    + values.getClass().getTypeName() + "; declare the array type, so that the receiver can make it");
        }
        sink.putByte(Tag.ARRAY.ordinal());
        sink.putCount(values.length);
        for (Object value : values) {
            write(value, element);
        }
    }

    private void writeEnum(Enum<?> value, DeclaredType type) {
        sink.putByte(Tag.ENUM.ordinal());
        writeClass(ClassShape.of(value.getDeclaringClass()), type);
        sink.putCount(value.ordinal());
    }

    private void writeRecord(Object value, DeclaredType type) {
        ClassShape shape = ClassShape.of(value.getClass());
        sink.putByte(Tag.RECORD.ordinal());
        writeClass(shape, type);
        for (ClassShape.Component component : shape.components) {
            if (component.primitive() == null) {
                write(component.read(value), component.type());
                continue;
            }
            try {
                writePrimitive(component, value);
            } catch (Throwable failure) {
                throw ClassShape.userCode(component.where() + ": reading it failed: " + failure, failure);
            }
        }
    }

    private void writePrimitive(ClassShape.Component component, Object value) throws Throwable {
        switch (component.primitive()) {
            case BOOLEAN -> sink.putBoolean((boolean) component.reader().invokeExact(value));
            case BYTE -> sink.putByte((byte) component.reader().invokeExact(value));
            case SHORT -> sink.putShort((short) component.reader().invokeExact(value));
            case CHAR -> sink.putChar((char) component.reader().invokeExact(value));
            case INT -> sink.putInt((int) component.reader().invokeExact(value));
            case LONG -> sink.putLong((long) component.reader().invokeExact(value));
            case FLOAT -> sink.putFloat((float) component.reader().invokeExact(value));
            case DOUBLE -> sink.putDouble((double) component.reader().invokeExact(value));
            default -> throw new AssertionError(component);
        }
    }

    private void writeClass(ClassShape shape, DeclaredType type) {
        if (type.candidate(shape.name) != shape.type) {
            throw new FormatException(RecordFormat.notDeclared(type, shape.toString()));
        }
        Integer known = classes.putIfAbsent(shape.type, classes.size() + 1);
        if (known != null) {
            sink.putCount(known);
            return;
        }
        sink.putCount(0);
        sink.putString(shape.name);
        sink.putInt(shape.hash);
    }
}
