package io.rankwire.launch;

import java.util.Locale;

/** Who drives a rank's device while its program is outside any call. */
public enum Progress {
    /** A thread that mostly sleeps and takes the device over when it is needed. */
    HELPER,
    /** A thread for each rank that does nothing else. */
    THREAD,
    /** No thread: what is under way waits for the next call. */
    NONE;

    /** The environment variable by which a launcher passes its option to the ranks of a job. */
    public static final String VARIABLE = "RANKWIRE_PROGRESS";

    /** What is written this way, or null. */
    public static Progress named(String text) {
        for (Progress each : values()) {
            if (each.toString().equals(text)) {
                return each;
            }
        }
        return null;
    }

    /** What this process was started with. */
    public static Progress chosen() {
        String text = System.getenv(VARIABLE);
        if (text == null || text.isEmpty()) {
            return HELPER;
        }
        Progress named = named(text);
        if (named == null) {
            throw new IllegalStateException(VARIABLE + " is \"" + text + "\", not helper, thread or none");
        }
        return named;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
