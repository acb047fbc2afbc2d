package io.rankwire.type;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The byte before every value of a reference type. The order of the constants is the format: a new one goes to the end
 * and none is ever taken away.
 */
enum Tag {
    NULL("null", null),
    BOOLEAN("boolean", Boolean.class),
    BYTE("byte", Byte.class),
    SHORT("short", Short.class),
    CHAR("char", Character.class),
    INT("int", Integer.class),
    LONG("long", Long.class),
    FLOAT("float", Float.class),
    DOUBLE("double", Double.class),
    /** A string whose characters all fit a byte. */
    LATIN1("String", String.class),
    /** Any other string, as its 16-bit units, so that even a lone surrogate survives. */
    UTF16("String", String.class),
    BOOLEANS("boolean[]", boolean[].class),
    BYTES("byte[]", byte[].class, ValueLayout.JAVA_BYTE),
    SHORTS("short[]", short[].class, ByteSink.SHORTS),
    CHARS("char[]", char[].class, ByteSink.CHARS),
    INTS("int[]", int[].class, ByteSink.INTS),
    LONGS("long[]", long[].class, ByteSink.LONGS),
    FLOATS("float[]", float[].class, ByteSink.FLOATS),
    DOUBLES("double[]", double[].class, ByteSink.DOUBLES),
    /** An array of references; its class is the declared one. */
    ARRAY("array", Object[].class),
    LIST("List", ArrayList.class),
    SET("Set", LinkedHashSet.class),
    MAP("Map", LinkedHashMap.class),
    EMPTY("Optional", Optional.class),
    PRESENT("Optional", Optional.class),
    RECORD("record", null),
    ENUM("enum", null);

    private static final Tag[] ALL = values();
    private static final ClassValue<Tag> OF_CLASS = new ClassValue<>() {
        @Override
        protected Tag computeValue(Class<?> type) {
            return classify(type);
        }
    };

    /** How error messages call it. */
    final String label;

    /** The class decoding makes, where the declared type has no say in it. */
    final Class<?> made;

    /** How elements of a primitive array lie in the bytes; null for other values and {@code boolean}s. */
    final ValueLayout elements;

    Tag(String label, Class<?> made) {
        this(label, made, null);
    }

    Tag(String label, Class<?> made, ValueLayout elements) {
        this.label = label;
        this.made = made;
        this.elements = elements;
    }

    static Tag at(int number) {
        return number < ALL.length ? ALL[number] : null;
    }

    /** How values of this class are sent; LATIN1 and EMPTY stand for their pairs, NULL means not at all. */
    static Tag of(Class<?> type) {
        return OF_CLASS.get(type);
    }

    private static Tag classify(Class<?> type) {
        if (type.isRecord()) {
            return RECORD;
        }
        if (Enum.class.isAssignableFrom(type)) {
            return ENUM;
        }
        for (Tag tag : ALL) {
            if (tag.made == type) {
                return tag;
            }
        }
        if (type.isArray()) {
            return ARRAY;
        }
        if (List.class.isAssignableFrom(type)) {
            return LIST;
        }
        if (Set.class.isAssignableFrom(type)) {
            return SET;
        }
        return Map.class.isAssignableFrom(type) ? MAP : NULL;
    }
}
