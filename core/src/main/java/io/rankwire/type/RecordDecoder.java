package io.rankwire.type;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads one value; see {@link RecordFormat}. The bytes are not trusted: each element costs at least one of them, so
 * work and memory stay in proportion to their number, whatever they say.
 */
final class RecordDecoder {
    /** As much of a name from the bytes as a message repeats. */
    private static final int NAME_SHOWN = 120;

    private final ByteSource source;
    private final List<ClassShape> classes = new ArrayList<>();
    private int depth;

    RecordDecoder(ByteSource source) {
        this.source = source;
    }

    Object read(DeclaredType type) {
        int number = source.getByte();
        Tag tag = Tag.at(number);
        if (tag == null) {
            throw source.broken(type.where + ": expected " + type + ", found the unknown tag " + number);
        }
        if (tag == Tag.NULL) {
            return null;
        }
        if (++depth > RecordFormat.MAX_DEPTH) {
            throw source.broken(type.where + ": nested deeper than " + RecordFormat.MAX_DEPTH + " levels");
        }
        Object value = switch (tag) {
            case RECORD -> readRecord(type);
            case ENUM -> readEnum(type);
            case ARRAY -> readArray(type);
            default -> {
                if (!type.takes(tag)) {
                    throw source.broken(type.where + ": expected " + type + ", found " + tag.label);
                }
                yield readPlain(tag, type);
            }
        };
        depth--;
        return value;
    }

    private Object readPlain(Tag tag, DeclaredType type) {
        return switch (tag) {
            case LATIN1, UTF16 -> source.getString(tag);
            case LIST -> readList(type.argument(0));
            case SET -> readSet(type.argument(0));
            case MAP -> readMap(type.argument(0), type.argument(1));
            case EMPTY -> Optional.empty();
            case PRESENT -> Optional.of(notNull(read(type.argument(0)), type));
            case BOOLEANS -> source.getBooleans();
            case BYTES, SHORTS, CHARS, INTS, LONGS, FLOATS, DOUBLES -> readPrimitives(tag);
            default -> readPrimitive(tag);
        };
    }

    private Object readPrimitive(Tag tag) {
        return switch (tag) {
            case BOOLEAN -> source.getBoolean();
            case BYTE -> (byte) source.getByte();
            case SHORT -> source.getShort();
            case CHAR -> source.getChar();
            case INT -> source.getInt();
            case LONG -> source.getLong();
            case FLOAT -> source.getFloat();
            case DOUBLE -> source.getDouble();
            default -> throw new AssertionError(tag);
        };
    }

    private Object readPrimitives(Tag tag) {
        int count = source.getCount(tag.elements.byteSize(), "elements of " + tag.label);
        return source.fill(Array.newInstance(tag.elements.carrier(), count), count, tag.elements);
    }

    private Object notNull(Object value, DeclaredType type) {
        if (value == null) {
            throw source.broken(type.where + ": expected a value in the Optional, found null");
        }
        return value;
    }

    private List<Object> readList(DeclaredType element) {
        int count = source.getCount(1, "elements");
        List<Object> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(read(element));
        }
        return values;
    }

    private Set<Object> readSet(DeclaredType element) {
        int count = source.getCount(1, "elements");
        Set<Object> values = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            Object value = read(element);
            try {
                values.add(value);
            } catch (RuntimeException failure) {
                throw ClassShape.userCode(element.where + ": hashing an element failed: " + failure, failure);
            }
        }
        return same(count, values.size(), values, element);
    }

    private Map<Object, Object> readMap(DeclaredType key, DeclaredType value) {
        int count = source.getCount(2, "entries");
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            Object name = read(key);
            Object held = read(value);
            try {
                entries.put(name, held);
            } catch (RuntimeException failure) {
                throw ClassShape.userCode(key.where + ": hashing a key failed: " + failure, failure);
            }
        }
        return same(count, entries.size(), entries, key);
    }

    private <C> C same(int expected, int found, C collection, DeclaredType type) {
        if (found != expected) {
            throw source.broken(type.where + ": expected " + expected + " different keys, found " + found);
        }
        return collection;
    }

    private Object[] readArray(DeclaredType type) {
        DeclaredType element = type.arrayElement();
        if (element == null) {
            throw source.broken(type.where + ": expected " + type + ", found an array of references");
        }
        Object[] values = (Object[]) Array.newInstance(element.raw, source.getCount(1, "elements"));
        for (int i = 0; i < values.length; i++) {
            values[i] = read(element);
        }
        return values;
    }

    private Object readEnum(DeclaredType type) {
        ClassShape shape = readClass(type, "enum");
        int ordinal = source.getCount();
        if (ordinal >= shape.constants.length) {
            throw source.broken(type.where + ": expected a constant of " + shape + ", found number " + ordinal);
        }
        return shape.constants[ordinal];
    }

    private Object readRecord(DeclaredType type) {
        ClassShape shape = readClass(type, "record");
        if (shape.type.isEnum()) {
            throw source.broken(type.where + ": expected a record, found " + shape);
        }
        Object[] arguments = new Object[shape.components.length];
        for (int i = 0; i < arguments.length; i++) {
            ClassShape.Component component = shape.components[i];
            Tag primitive = component.primitive();
            arguments[i] = primitive == null ? read(component.type()) : readPrimitive(primitive);
        }
        return shape.construct(arguments);
    }

    private ClassShape readClass(DeclaredType type, String kind) {
        int number = source.getCount();
        if (number == 0) {
            ClassShape shape = readNewClass(type, kind);
            classes.add(shape);
            return shape;
        }
        if (number > classes.size()) {
            throw source.broken(type.where + ": expected one of " + classes.size() + " classes named so far, found "
                    + number);
        }
        ClassShape shape = classes.get(number - 1);
        if (type.candidate(shape.name) != shape.type) {
            throw source.broken(RecordFormat.notDeclared(type, shape.toString()));
        }
        return shape;
    }

    private ClassShape readNewClass(DeclaredType type, String kind) {
        int number = source.getByte();
        if (number != Tag.LATIN1.ordinal() && number != Tag.UTF16.ordinal()) {
            throw source.broken(type.where + ": expected the name of a " + kind + ", found tag " + number);
        }
        String name = source.getString(Tag.at(number));
        Class<?> declared = type.candidate(name);
        if (declared == null) {
            throw source.broken(RecordFormat.notDeclared(type, kind + " " + shown(name)));
        }
        ClassShape shape = ClassShape.of(declared);
        int hash = source.getInt();
        if (hash != shape.hash) {
            throw source.broken(type.where + ": expected " + shape + ", found " + kind + " " + shown(name)
                    + " of another shape; do all ranks run the same build?");
        }
        return shape;
    }

    /** Bytes gone wrong can hold anything, and it ends up on a terminal. */
    private static String shown(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(name.length(), NAME_SHOWN); i++) {
            char c = name.charAt(i);
            text.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '?' : c);
        }
        return name.length() > NAME_SHOWN ? text + "..." : text.toString();
    }
}
