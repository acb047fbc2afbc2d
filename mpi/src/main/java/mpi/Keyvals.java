package mpi;

import java.util.HashSet;
import java.util.Set;

/** Numbers that stand for keys of attributes. Those below {@link #FIRST} are predefined and differ by kind. */
final class Keyvals {
    static final int FIRST = 100;

    private final Set<Integer> live = new HashSet<>();
    private int next = FIRST;

    Keyvals() {}

    synchronized int make() {
        live.add(next);
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
}
