package io.rankwire.tools;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signal 9, sent by a call of the C library: within microseconds, and also to the calling process. */
final class Kill {
    private static final int SIGKILL = 9;
    @SuppressWarnings("restricted")
    private static final MethodHandle KILL = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().find("kill").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Kill() {}

    /** Returns whether there was such a process. */
    static boolean now(long pid) {
        try {
            return (int) KILL.invokeExact((int) pid, SIGKILL) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
