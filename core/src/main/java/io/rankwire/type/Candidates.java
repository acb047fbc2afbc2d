package io.rankwire.type;

import java.util.HashMap;
import java.util.Map;

/**
 * The records and enums a class can stand for: itself, or all that a sealed type permits, directly or through further
 * sealed types. Anything else stands for none, since the program does not say which.
 */
final class Candidates {
    private static final ClassValue<Map<String, Class<?>>> OF_CLASS = new ClassValue<>() {
        @Override
        protected Map<String, Class<?>> computeValue(Class<?> type) {
            Map<String, Class<?>> found = new HashMap<>();
            collect(type, found);
            return Map.copyOf(found);
        }
    };

    private Candidates() {}

    static Map<String, Class<?>> of(Class<?> type) {
        return OF_CLASS.get(type);
    }

    private static void collect(Class<?> type, Map<String, Class<?>> found) {
        // An enum whose constants have bodies is sealed too, so it is asked for first.
        if (type.isRecord() || type.isEnum()) {
            found.put(type.getName(), type);
        } else if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                collect(permitted, found);
            }
        }
    }
}
