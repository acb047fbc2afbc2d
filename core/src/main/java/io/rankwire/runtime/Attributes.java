package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Values that a program ties to a communicator or window on this rank. Any thread may use them. */
public final class Attributes {
    /** What happens to the values of one key. */
    public interface Key {
        /** What a duplicate gets for a value; null for nothing. */
        Object copy(Object handle, Object value);

        void delete(Object handle, Object value);
    }

    private final CallChecks on;
    /** What callbacks are given. */
    private final Object handle;
    /** In the order they were set. */
    private final Map<Key, Object> values = new LinkedHashMap<>();

    public Attributes(CallChecks on, Object handle) {
        this.on = on;
        this.handle = handle;
    }

    boolean isOf(CallChecks other) {
        return on == other;
    }

    /** The value of a key, or null. */
    public Object get(Key key) {
        check(key);
        synchronized (values) {
            return values.get(key);
        }
    }

    /** Gives a key a value; the value it had is deleted first. */
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

    /** Deletes the value of a key; false if it had none. */
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

    /** The callback runs outside the monitor: it may ask for other attributes, and it may wait. */
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

    /** Deletes all values, the last one set first. */
    public void deleteAll() {
        Key[] keys;
        synchronized (values) {
            // Most have none, and a program that has none need not load the key's class to end.
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

    /** What a duplicate is to have: each key is asked, in the order they were set. */
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

    public void addAll(Map<Key, Object> copies) {
        if (!copies.isEmpty()) {
            on.session().attributed(this);
        }
        synchronized (values) {
            values.putAll(copies);
        }
    }
}
