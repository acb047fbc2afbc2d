package io.rankwire.trace;

import jdk.jfr.FlightRecorder;

/** Whether Flight Recorder is in use in this process. */
public final class Trace {
    /** Whether there may be a recording. Read on the way of each call that waits, so it is a plain field. */
    public static boolean on;

    private Trace() {}

    /** Finds out whether a recording was started; for threads that wait anyway, since the first look loads a class. */
    public static void look() {
        if (!on && FlightRecorder.isInitialized()) {
            on = true;
        }
    }
}
