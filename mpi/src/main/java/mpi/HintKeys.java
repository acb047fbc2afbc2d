package mpi;

import io.rankwire.Hints;

/** The hints of communicators as keys and values of an {@link Info}. */
final class HintKeys {
    private static final String NO_ANY_SOURCE = "mpi_assert_no_any_source";
    private static final String NO_ANY_TAG = "mpi_assert_no_any_tag";

    private HintKeys() {}

    /** Returns all hints of this library with their values. */
    static Info write(Hints hints) {
        Info info = new Info();
        info.set(NO_ANY_SOURCE, Boolean.toString(hints.noAnySource()));
        info.set(NO_ANY_TAG, Boolean.toString(hints.noAnyTag()));
        return info;
    }

    /** Returns hints with the changes that an info object asks for. */
    static Hints read(Info info, Hints hints) {
        return new Hints(flag(info, NO_ANY_SOURCE, hints.noAnySource()), flag(info, NO_ANY_TAG, hints.noAnyTag()));
    }

    private static boolean flag(Info info, String key, boolean otherwise) {
        String value = info.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw new MPIException(MPI.ERR_INFO_VALUE, "argument info: " + key + ": " + value
                    + " is neither true nor false");
        }
        return value.equals("true");
    }
}
