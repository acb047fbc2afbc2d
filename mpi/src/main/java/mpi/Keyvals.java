package mpi;

import io.rankwire.AttributeKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Numbers of attribute keys. Numbers below {@link #FIRST} are predefined, for each kind of handle differently. */
final class Keyvals {
    private static final int FIRST = 100;

    private final Set<Integer> live = new HashSet<>();
    /** Keys of freed numbers too: their values stay. */
    private final Map<Integer, AttributeKey<Object>> keys = new HashMap<>();
    private int next = FIRST;

    Keyvals() {}

    static boolean isPredefined(int keyval) {
        return keyval >= 0 && keyval < FIRST;
    }

    synchronized int make() {
        live.add(next);
        keys.put(next, AttributeKey.shared("attribute " + next));
        return next++;
    }

    synchronized void free(int keyval) {
        try {
            check(keyval);
        } catch (MPIException e) {
            throw MPI.failed(e);
        }
        live.remove(keyval);
    }

    /** Throws if a key does not exist; the caller raises the error. */
    synchronized void check(int keyval) {
        if (!live.contains(keyval)) {
            throw new MPIException(MPI.ERR_KEYVAL, "argument keyval: " + keyval
                    + (isPredefined(keyval) ? " is predefined" : " is not one that was made and not freed"));
        }
    }

    /** Returns the key of a number that is not freed. */
    synchronized AttributeKey<Object> key(int keyval) {
        check(keyval);
        return keys.get(keyval);
    }

    /** Returns the key of a number that may be freed: its values outlive it. */
    synchronized AttributeKey<Object> keyOfOld(int keyval) {
        AttributeKey<Object> key = keys.get(keyval);
        return key == null ? key(keyval) : key;
    }
}
