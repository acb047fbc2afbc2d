package io.rankwire;

import java.util.Optional;

/** The program's own line that a call of this library came from. */
final class CallSite {
    private CallSite() {}

    /** {@code " at Ring.java:12"}, or nothing if there is no such line. */
    static String find() {
        Optional<StackWalker.StackFrame> frame =
                StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(frames -> frames.filter(f -> !isOurs(f.getDeclaringClass())).findFirst());
        return frame.map(f -> " at " + f.getFileName() + ":" + f.getLineNumber()).orElse("");
    }

    /** Whatever came from the same place as this class, the other API over it, and the platform's own. */
    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("java.")
                || type.getPackageName().equals("mpi")
                || type.getProtectionDomain().equals(CallSite.class.getProtectionDomain());
    }
}
