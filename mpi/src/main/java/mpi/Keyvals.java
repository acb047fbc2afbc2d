package mpi;

import io.rankwire.AttributeKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Numbers that stand for keys of attributes. Those below {@link #FIRST} are predefined and differ by kind. */
final class Keyvals {
    static final int FIRST = 100;

    private final Set<Integer> live = new HashSet<>();
    /** Also of those that were freed: values that they have stay. */
    private final Map<Integer, AttributeKey<Object>> keys = new HashMap<>();
    private int next = FIRST;

    Keyvals() {}

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

    /** What is wrong is for the object that was asked to raise. */
    synchronized void check(int keyval) {
        if (!live.contains(keyval)) {
            throw new MPIException(MPI.ERR_KEYVAL, "argument keyval: " + keyval
                    + (keyval >= 0 && keyval < FIRST ? " is predefined" : " is not one that was made and not freed"));
        }
    }

    /** The key that a number stands for, which must not be freed. */
    synchronized AttributeKey<Object> key(int keyval) {
        check(keyval);
        return keys.get(keyval);
    }

    /** The same for a look, which may be for a value that has outlived its number. */
    synchronized AttributeKey<Object> keyOfOld(int keyval) {
        AttributeKey<Object> key = keys.get(keyval);
        return key == null ? key(keyval) : key;
    }
}
