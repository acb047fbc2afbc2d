package io.rankwire.type;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Equality that compares the elements of arrays, unlike that of records. Classes compare by name: loaders differ. */
final class DeepEquality {
    private DeepEquality() {}

    static boolean equal(Object a, Object b) {
        if (a == null || b == null) {
            return a == b;
        }
        if (a instanceof Record && b instanceof Record) {
            return equalRecords(a, b);
        }
        if (a instanceof Enum<?> x && b instanceof Enum<?> y) {
            return x.name().equals(y.name())
                    && x.getDeclaringClass().getName().equals(y.getDeclaringClass().getName());
        }
        if (a.getClass().isArray()) {
            return b.getClass().isArray() && equalArrays(a, b);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return equalArrays(x.toArray(), y.toArray());
        }
        if (a instanceof Set<?> x && b instanceof Set<?> y) {
            return equalArrays(new ArrayList<Object>(x).toArray(), new ArrayList<Object>(y).toArray());
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return equalArrays(x.keySet().toArray(), y.keySet().toArray())
                    && equalArrays(x.values().toArray(), y.values().toArray());
        }
        if (a instanceof Optional<?> x && b instanceof Optional<?> y) {
            return equal(x.orElse(null), y.orElse(null));
        }
        return Objects.equals(a, b);
    }

    private static boolean equalArrays(Object a, Object b) {
        if (Array.getLength(a) != Array.getLength(b)) {
            return false;
        }
        for (int i = 0; i < Array.getLength(a); i++) {
            if (!equal(Array.get(a, i), Array.get(b, i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalRecords(Object a, Object b) {
        RecordComponent[] left = a.getClass().getRecordComponents();
        RecordComponent[] right = b.getClass().getRecordComponents();
        if (!a.getClass().getName().equals(b.getClass().getName())) {
            return false;
        }
        for (int i = 0; i < left.length; i++) {
            if (!equal(read(left[i].getAccessor(), a), read(right[i].getAccessor(), b))) {
                return false;
            }
        }
        return true;
    }

    private static Object read(Method accessor, Object from) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(from);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
