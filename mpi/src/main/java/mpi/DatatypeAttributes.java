package mpi;

import java.util.HashMap;
import java.util.Map;

/** Values that a program ties to a datatype. Keys are made for all datatypes at once. */
abstract class DatatypeAttributes {
    private Map<Integer, Object> values;

    DatatypeAttributes() {}

    public static int createKeyval() throws MPIException {
        return RankState.mine().datatypeKeys.make();
    }

    public static void freeKeyval(int keyval) throws MPIException {
        RankState.mine().datatypeKeys.free(keyval);
    }

    public final void setAttr(int keyval, Object value) throws MPIException {
        check(keyval);
        values().put(keyval, value);
    }

    /** The value, or null. */
    public final Object getAttr(int keyval) throws MPIException {
        check(keyval);
        return values().get(keyval);
    }

    public final void deleteAttr(int keyval) throws MPIException {
        check(keyval);
        values().remove(keyval);
    }

    private static void check(int keyval) {
        try {
            RankState.mine().datatypeKeys.check(keyval);
        } catch (MPIException e) {
            throw MPI.failed(e);
        }
    }

    static void deleteAttrs(DatatypeAttributes of) {
        of.values = null;
    }

    final void copyAttrs(DatatypeAttributes to) {
        to.values().putAll(values());
    }

    /** Whether it is the same for ranks that share this package: they do not share what they tie to it. */
    abstract boolean isOfAllRanks();

    private Map<Integer, Object> values() {
        if (isOfAllRanks()) {
            return RankState.mine().typeAttributes.computeIfAbsent(this, type -> new HashMap<>());
        }
        if (values == null) {
            values = new HashMap<>();
        }
        return values;
    }
}
