package mpi;

import java.util.HashMap;
import java.util.Map;

/** Values that a program ties to a datatype. Keys are made for all datatypes at once. */
abstract class DatatypeAttributes {
    private Map<Integer, Object> values;

    DatatypeAttributes() {}

    public static int createKeyval() throws MPIException {
        return Keyvals.DATATYPES.make();
    }

    public static void freeKeyval(int keyval) throws MPIException {
        Keyvals.DATATYPES.free(keyval);
    }

    public final void setAttr(int keyval, Object value) throws MPIException {
        check(keyval);
        if (values == null) {
            values = new HashMap<>();
        }
        values.put(keyval, value);
    }

    /** The value, or null. */
    public final Object getAttr(int keyval) throws MPIException {
        check(keyval);
        return values == null ? null : values.get(keyval);
    }

    public final void deleteAttr(int keyval) throws MPIException {
        check(keyval);
        if (values != null) {
            values.remove(keyval);
        }
    }

    private static void check(int keyval) {
        try {
            Keyvals.DATATYPES.check(keyval);
        } catch (MPIException e) {
            throw MPI.failed(e);
        }
    }

    static void deleteAttrs(DatatypeAttributes of) {
        of.values = null;
    }

    final void copyAttrs(DatatypeAttributes to) {
        to.values = values == null ? null : new HashMap<>(values);
    }
}
