package io.rankwire.tools;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A call of the public API, as the members of a communicator make it again and again while one of them dies.
 *
 * @param promise what survivors get
 * @param methods the methods that it calls, if it calls them by reflection
 */
record MatrixRow(String name, Promise promise, Setup setup, List<Method> methods) {
    /** What docs/FAILURES.md says about a call. */
    enum Promise {
        /** Right results, then PEER, also from each later call. */
        PEER,
        /** As PEER, but a later call may go well. */
        PEER_ONCE,
        /** PEER, or REVOKED. */
        REVOKED,
        /** Right results, and no error at all. */
        GOES_ON,
        /** All survivors have their last result in the same round. */
        UNIFORM,
        /** All get a communicator as large as before. */
        REPLACES,
        /** The world ends, and with it the job. */
        CLOSES
    }

    /** The moment of a death. */
    enum Phase { BEFORE, EARLY, MIDDLE, COMPLETION }

    /** Makes what a call needs, while all are alive. */
    interface Setup {
        Call on(MatrixStage stage) throws Exception;
    }

    /** What each member does in a round. It throws if a result is wrong. */
    interface Call {
        void make(int round) throws Exception;
    }

    /** A survivor has learnt of the death as it should, without an error. */
    static final class Noticed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final Map<String, MatrixRow> ALL = new LinkedHashMap<>();

    static {
        List<MatrixRow> rows = new ArrayList<>();
        MessageRows.addTo(rows);
        RequestRows.addTo(rows);
        CollectiveRows.addTo(rows);
        MakingRows.addTo(rows);
        WindowRows.addTo(rows);
        AsideRows.addTo(rows);
        RepairRows.addTo(rows);
        for (MatrixRow row : rows) {
            if (ALL.put(row.name, row) != null) {
                throw new IllegalStateException("two rows " + row.name);
            }
        }
    }

    MatrixRow(String name, Promise promise, Setup setup) {
        this(name, promise, setup, List.of());
    }

    static List<MatrixRow> all() {
        return List.copyOf(ALL.values());
    }

    static MatrixRow named(String name) {
        MatrixRow found = ALL.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no row " + name);
        }
        return found;
    }

    static void expect(String what, long expected, long found) {
        if (expected != found) {
            throw new IllegalStateException(what + ": expected " + expected + ", found " + found);
        }
    }
}
