package io.rankwire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What programs and libraries can tie values of their own to, on this rank: communicators and windows. Any thread may
 * do so.
 */
public abstract sealed class Attributed permits PointToPoint, WindowValues {
    /** In the order they were set. */
    private final Map<AttributeKey<?>, Object> attributes = new LinkedHashMap<>();

    Attributed() {}

    /** How reports call it. */
    public abstract String name();

    abstract World world();

    /** Throws if it was freed. */
    abstract void checkUsable();

    /** The value of a key, if it has one. */
    @SuppressWarnings("unchecked")
    public final <T> Optional<T> attribute(AttributeKey<T> key) {
        checkKey(key);
        synchronized (attributes) {
            return Optional.ofNullable((T) attributes.get(key));
        }
    }

    /** Gives a key a value; one it had is deleted first. */
    public final <T> void attribute(AttributeKey<T> key, T value) {
        checkKey(key);
        if (value == null) {
            throw new RankwireException(ErrorClass.ARGUMENT,
                    name() + ": attribute " + key + ": argument value is null");
        }
        delete(key);
        synchronized (attributes) {
            attributes.put(key, value);
        }
    }

    /** Deletes the value of a key; false if it had none. */
    public final boolean removeAttribute(AttributeKey<?> key) {
        checkKey(key);
        return delete(key);
    }

    private void checkKey(AttributeKey<?> key) {
        checkUsable();
        if (key == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, name() + ": attribute: argument key is null");
        }
    }

    /** The callback runs outside the monitor: it may ask for other attributes, and it may wait. */
    @SuppressWarnings("unchecked")
    private boolean delete(AttributeKey<?> key) {
        Object value;
        synchronized (attributes) {
            value = attributes.remove(key);
        }
        if (value == null) {
            return false;
        }
        ((AttributeKey<Object>) key).deleted(this, value);
        return true;
    }

    /** Deletes all, the last one set first. */
    final void deleteAttributes() {
        AttributeKey<?>[] keys;
        synchronized (attributes) {
            // Most have none, and a program that has none need not load the key's class to end.
            if (attributes.isEmpty()) {
                return;
            }
            keys = attributes.keySet().toArray(new AttributeKey<?>[0]);
        }
        for (int i = keys.length - 1; i >= 0; i--) {
            delete(keys[i]);
        }
    }

    /** What a duplicate of this is to have: each key is asked, in the order they were set. */
    @SuppressWarnings("unchecked")
    final Map<AttributeKey<?>, Object> copyAttributes() {
        Map<AttributeKey<?>, Object> copies;
        synchronized (attributes) {
            copies = new LinkedHashMap<>(attributes);
        }
        for (AttributeKey<?> key : copies.keySet().toArray(new AttributeKey<?>[0])) {
            Optional<Object> copy = ((AttributeKey<Object>) key).copied(this, copies.get(key));
            if (copy.isPresent()) {
                copies.put(key, copy.get());
            } else {
                copies.remove(key);
            }
        }
        return copies;
    }

    final void takeAttributes(Map<AttributeKey<?>, Object> copies) {
        synchronized (attributes) {
            attributes.putAll(copies);
        }
    }
}
