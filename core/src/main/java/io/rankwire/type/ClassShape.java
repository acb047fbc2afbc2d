package io.rankwire.type;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.StringJoiner;

/**
 * How a record is taken apart and built again, or which constants an enum has. Compiled once per class and kept with
 * it, so each class loader (a rank of its own in one JVM, say) has its own.
 */
final class ClassShape {
    private static final ClassValue<ClassShape> OF_CLASS = new ClassValue<>() {
        @Override
        protected ClassShape computeValue(Class<?> type) {
            return new ClassShape(type);
        }
    };

    final Class<?> type;
    final String name;

    /** Tells two versions of a class apart. */
    final int hash;

    /** Empty for an enum. */
    final Component[] components;

    /** Empty for a record. */
    final Object[] constants;

    private final String description;
    private final MethodHandle constructor;

    private ClassShape(Class<?> type) {
        assert type.isRecord() || type.isEnum();
        this.type = type;
        name = type.getName();
        StringJoiner parts = new StringJoiner(", ", name + "(", ")");
        if (type.isRecord()) {
            constants = new Object[0];
            RecordComponent[] declared = type.getRecordComponents();
            components = new Component[declared.length];
            Class<?>[] types = new Class<?>[declared.length];
            for (int i = 0; i < declared.length; i++) {
                types[i] = declared[i].getType();
                parts.add(types[i].getTypeName() + " " + declared[i].getName());
                components[i] = component(declared[i]);
            }
            constructor = constructor(types);
        } else {
            constants = type.getEnumConstants();
            components = new Component[0];
            constructor = null;
            for (Object constant : constants) {
                parts.add(((Enum<?>) constant).name());
            }
        }
        description = parts.toString();
        hash = description.hashCode();
    }

    static ClassShape of(Class<?> type) {
        return OF_CLASS.get(type);
    }

    Object construct(Object[] arguments) {
        try {
            return (Object) constructor.invokeExact(arguments);
        } catch (Throwable refusal) {
            throw userCode("the constructor of record " + name + " refused the values received: " + refusal, refusal);
        }
    }

    /** Code of the program failed: an Error is its own affair, anything else is reported as a failed decoding. */
    static FormatException userCode(String message, Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return new FormatException(message, cause);
    }

    private Component component(RecordComponent declared) {
        String where = "component " + declared.getName() + " of record " + name;
        Method accessor = declared.getAccessor();
        try {
            accessor.setAccessible(true);
            MethodHandle reader = MethodHandles.lookup().unreflect(accessor);
            Class<?> kept = declared.getType().isPrimitive() ? declared.getType() : Object.class;
            Tag primitive = kept.isPrimitive() ? Tag.of(MethodType.methodType(kept).wrap().returnType()) : null;
            DeclaredType type = primitive == null ? DeclaredType.of(declared.getGenericType(), where) : null;
            return new Component(where, primitive, type, reader.asType(MethodType.methodType(kept, Object.class)));
        } catch (IllegalAccessException | InaccessibleObjectException closed) {
            throw closed(closed);
        }
    }

    private MethodHandle constructor(Class<?>[] types) {
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            return MethodHandles.lookup()
                    .unreflectConstructor(canonical)
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException | InaccessibleObjectException closed) {
            throw closed(closed);
        } catch (IllegalArgumentException tooMany) {
            throw new FormatException("record " + name + " has too many components: " + types.length, tooMany);
        }
    }

    private FormatException closed(Exception cause) {
        return new FormatException(
                "record " + name + " cannot be reached: its module must open package " + type.getPackageName(), cause);
    }

    @Override
    public String toString() {
        return (type.isRecord() ? "record " : "enum ") + description;
    }

    /**
     * One component of a record.
     *
     * @param where for error messages
     * @param primitive the kind of a primitive component, which is sent without a tag; null for any other
     * @param type null for a primitive component
     * @param reader takes the record as an Object and gives the primitive, or an Object
     */
    record Component(String where, Tag primitive, DeclaredType type, MethodHandle reader) {
        /** The value of a component that is not primitive. */
        Object read(Object from) {
            try {
                return (Object) reader.invokeExact(from);
            } catch (Throwable failure) {
                throw userCode(where + ": reading it failed: " + failure, failure);
            }
        }
    }
}
