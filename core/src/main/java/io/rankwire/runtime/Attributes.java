package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The attributes of one communicator or window on this rank: values that the program attaches to it under keys. The
 * facades of the API pass their attribute calls on to here. Any thread may call it.
 */
public final class Attributes {
    /** The callbacks of one key. */
    public interface Key {
        /** Returns the value that a duplicate of the handle gets, or null for none. */
        Object copy(Object handle, Object value);

        /** Called when a value is deleted. */
        void delete(Object handle, Object value);
    }

    private final CallChecks on;
    /** The communicator or window that callbacks receive. */
    private final Object handle;
    /** In the order in which the program has set them. */
    private final Map<Key, Object> values = new LinkedHashMap<>();

    public Attributes(CallChecks on, Object handle) {
        this.on = on;
        this.handle = handle;
    }

    boolean isOf(CallChecks other) {
        return on == other;
    }

    /** Returns the value of a key, or null. */
    public Object get(Key key) {
        check(key);
        synchronized (values) {
            return values.get(key);
        }
    }

    /** Sets the value of a key; deletes an earlier value first. */
    public void set(Key key, Object value) {
        check(key);
        if (value == null) {
            throw on.raised(new RankwireException(ErrorClass.ARGUMENT,
                    on.name() + ": attribute " + key + ": argument value is null"));
        }
        delete(key);
        on.session().attributed(this);
        synchronized (values) {
            values.put(key, value);
        }
    }

    /** Deletes the value of a key; returns false if there is none. */
    public boolean remove(Key key) {
        check(key);
        return delete(key);
    }

    private void check(Key key) {
        on.checkUsable();
        if (key == null) {
            throw on.raised(
                    new RankwireException(ErrorClass.ARGUMENT, on.name() + ": attribute: argument key is null"));
        }
    }

    /** The callback runs outside the monitor, because it may read other attributes and may block. */
    private boolean delete(Key key) {
        Object value;
        synchronized (values) {
            value = values.remove(key);
        }
        if (value == null) {
            return false;
        }
        key.delete(handle, value);
        return true;
    }

    /** Deletes all values, in the reverse of the order in which they were set. */
    public void deleteAll() {
        Key[] keys;
        synchronized (values) {
            // Most handles have no attributes, and a program without attributes should not load the key's class.
            if (values.isEmpty()) {
                return;
            }
            keys = values.keySet().toArray(new Key[0]);
        }
        on.session().unattributed(this);
        for (int i = keys.length - 1; i >= 0; i--) {
            delete(keys[i]);
        }
    }

    /** Returns the values that a duplicate gets: each key copies its value, in the order of the values. */
    public Map<Key, Object> copies() {
        Map<Key, Object> copies;
        synchronized (values) {
            copies = new LinkedHashMap<>(values);
        }
        for (Key key : copies.keySet().toArray(new Key[0])) {
            Object copy = key.copy(handle, copies.get(key));
            if (copy != null) {
                copies.put(key, copy);
            } else {
                copies.remove(key);
            }
        }
        return copies;
    }

    /** Adds values that {@link #copies} of another handle has returned. */
    public void addAll(Map<Key, Object> copies) {
        if (!copies.isEmpty()) {
            on.session().attributed(this);
        }
        synchronized (values) {
            values.putAll(copies);
        }
    }
}
