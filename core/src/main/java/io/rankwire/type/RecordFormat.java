package io.rankwire.type;

import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.Objects;

/**
 * Values as bytes: records of primitives, strings, enums, arrays, lists, sets, maps and optionals, and these alone.
 *
 * <pre>
 * stream  = 0xD1 value                       the first byte is the version
 * value   = tag body                         tag: one byte, the number of a {@link Tag}
 * body    = nothing                          NULL, EMPTY
 *         | 1, 2, 4 or 8 bytes               BOOLEAN .. DOUBLE, little-endian
 *         | count bytes                      LATIN1; UTF16 has two bytes for each of count
 *         | count elements                   BOOLEANS .. DOUBLES, little-endian
 *         | count value*                     ARRAY, LIST, SET; MAP has key and value in turn
 *         | value                            PRESENT
 *         | class component*                 RECORD; a primitive component has no tag
 *         | class count                      ENUM, the count being the constant's ordinal
 * class   = 0 name hash | count              first use (name: a string value, hash: four bytes) | the count-th so far
 * count   = seven bits a byte, low first, top bit set while more follow, 31 bits at most
 * </pre>
 *
 * A name in the bytes only picks among the classes that the type asked for declares at that place, so bytes cannot make
 * a rank load anything. Sharing is not kept: an object met twice arrives as two, and one that holds itself is refused.
 */
public final class RecordFormat {
    static final int VERSION = 0xD1;

    /** Deep enough for any tree of sense, and safe on the smallest stack. */
    static final int MAX_DEPTH = 256;

    private static final int SERIALIZATION = 0xAC;

    private RecordFormat() {}

    /**
     * The bytes of a value.
     *
     * @throws FormatException if the value holds what {@link #decode} could not give back
     */
    public static byte[] encode(Object value) {
        ByteSink sink = new ByteSink();
        sink.putByte(VERSION);
        Class<?> type = value == null ? Object.class : value.getClass();
        // A constant with a body is of a class of its own; the declared one is its enum.
        Class<?> declared = value instanceof Enum<?> constant ? constant.getDeclaringClass() : type;
        new RecordEncoder(sink).write(value, DeclaredType.of(topLevel(declared), "the value sent"));
        return sink.toBytes();
    }

    /**
     * The value in {@code length} bytes from {@code offset}.
     *
     * @throws FormatException if they do not hold exactly one value of that type
     */
    public static <T> T decode(byte[] bytes, int offset, int length, Class<T> type) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        ByteSource source = new ByteSource(bytes, offset, length);
        int version = length == 0 ? -1 : source.getByte();
        if (version != VERSION) {
            throw new FormatException("expected an encoded " + type.getTypeName() + ", found " + foreign(version));
        }
        Object value = new RecordDecoder(source).read(DeclaredType.of(wrapped(type), "the value received"));
        if (source.left() > 0) {
            throw source.broken("expected the end after " + type.getTypeName() + ", found more bytes");
        }
        return unchecked(value);
    }

    /** Collections and optionals of any class are sent as what they are, so their own class is not asked for. */
    private static Class<?> topLevel(Class<?> type) {
        Tag tag = Tag.of(type);
        return tag == Tag.LIST || tag == Tag.SET || tag == Tag.MAP ? Object.class : type;
    }

    private static String foreign(int version) {
        if (version < 0) {
            return "an empty message";
        }
        if (version == SERIALIZATION) {
            return "what looks like Java serialization: both sides must use the same codec";
        }
        return "bytes that no record codec of this version wrote (first byte " + version + ", expected " + VERSION
                + "): was it sent as an object?";
    }

    private static Class<?> wrapped(Class<?> type) {
        return type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
    }

    /** Safe: the decoder has checked the value against the class. */
    @SuppressWarnings("unchecked")
    private static <T> T unchecked(Object value) {
        return (T) value;
    }

    /** What a refused place says, to either side. */
    static String notDeclared(DeclaredType type, String found) {
        boolean open = !type.raw.isSealed() && Modifier.isAbstract(type.raw.getModifiers()) || type.raw == Object.class;
        return type.where + ": expected " + type + ", found " + found
                + (open ? " (only a declared record, enum or sealed type says which class to make)" : "");
    }
}
