package io.rankwire.type;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Map;

/**
 * What the program says may stand at one place of a value: a class and the types of its elements. It is the only source
 * of classes when decoding.
 */
final class DeclaredType {
    private static final DeclaredType[] NONE = {};
    private static final DeclaredType UNDECLARED =
            new DeclaredType(Object.class, NONE, "an element whose type is not declared");

    /** For error messages: where this place is. */
    final String where;

    final Class<?> raw;

    private final DeclaredType[] arguments;

    /** Records and enums that may stand here, by name. */
    private final Map<String, Class<?>> candidates;

    private DeclaredType(Class<?> raw, DeclaredType[] arguments, String where) {
        this.raw = raw;
        this.arguments = arguments;
        this.where = where;
        candidates = Candidates.of(raw);
    }

    /** Asked once per class, and early in a job's life, so without pattern switches, which are slow the first time. */
    static DeclaredType of(Type type, String where) {
        if (type instanceof Class<?> raw && raw.isArray()) {
            return new DeclaredType(raw, new DeclaredType[] {of(raw.componentType(), where)}, where);
        }
        if (type instanceof GenericArrayType array) {
            DeclaredType element = of(array.getGenericComponentType(), where);
            return new DeclaredType(element.raw.arrayType(), new DeclaredType[] {element}, where);
        }
        if (type instanceof ParameterizedType given) {
            Type[] types = given.getActualTypeArguments();
            DeclaredType[] arguments = new DeclaredType[types.length];
            for (int i = 0; i < types.length; i++) {
                arguments[i] = of(types[i], where);
            }
            return new DeclaredType((Class<?>) given.getRawType(), arguments, where);
        }
        return new DeclaredType(erasure(type), NONE, where);
    }

    /** Bounds are cut to their class: {@code T extends Comparable<T>} would never end otherwise. */
    private static Class<?> erasure(Type type) {
        if (type instanceof Class<?> raw) {
            return raw;
        }
        if (type instanceof ParameterizedType given) {
            return (Class<?>) given.getRawType();
        }
        if (type instanceof GenericArrayType array) {
            return erasure(array.getGenericComponentType()).arrayType();
        }
        if (type instanceof WildcardType wildcard) {
            return erasure(wildcard.getUpperBounds()[0]);
        }
        return erasure(((TypeVariable<?>) type).getBounds()[0]);
    }

    /** The type of array or collection elements, map keys (0) and map values (1). */
    DeclaredType argument(int index) {
        return index < arguments.length ? arguments[index] : UNDECLARED;
    }

    /** The type of the elements of an array of references, or null where none may stand. */
    DeclaredType arrayElement() {
        if (raw.isArray()) {
            return raw.componentType().isPrimitive() ? null : arguments[0];
        }
        return raw.isAssignableFrom(Object[].class) ? UNDECLARED : null;
    }

    /** Whether what decoding makes of this tag may stand here. */
    boolean takes(Tag tag) {
        return raw.isAssignableFrom(tag.made);
    }

    /** The record or enum of that name, or null if none of that name was declared here. */
    Class<?> candidate(String name) {
        return candidates.get(name);
    }

    @Override
    public String toString() {
        String kind = raw.isRecord() ? "record " : raw.isEnum() ? "enum " : raw.isSealed() ? "sealed " : "";
        return kind + raw.getTypeName();
    }
}
