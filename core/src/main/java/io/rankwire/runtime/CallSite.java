package io.rankwire.runtime;

import java.util.Optional;

/** Finds the program's call of this library and its source line, for errors and reports. */
public final class CallSite {
    /** Whether requests remember the program's line, for looks into a job; finding it takes microseconds. */
    static final boolean KEPT = Boolean.getBoolean("rankwire.lines");

    private CallSite() {}

    /** Returns the program's line as {@code " at Ring.java:12"}, or an empty string if there is none. */
    public static String find() {
        Optional<StackWalker.StackFrame> frame =
                StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(frames -> frames.filter(f -> !isOurs(f.getDeclaringClass())).findFirst());
        return frame.map(f -> " at " + f.getFileName() + ":" + f.getLineNumber()).orElse("");
    }

    /** Returns the name of the library's method that the program has called, or an empty string. */
    private static String call() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(frames -> {
            String name = "";
            for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
                if (!isOurs(frame.getDeclaringClass())) {
                    return name;
                }
                boolean known = !frame.getClassName().startsWith("java.") && !frame.getMethodName().startsWith("<")
                        && !frame.getMethodName().contains("$");
                name = known ? frame.getMethodName() : name;
            }
            return "";
        });
    }

    /** Adds the name of the program's call before a sentence and the program's line behind it, if missing. */
    static String describe(String what) {
        String call = call();
        String line = find();
        boolean named = call.isEmpty() || what.startsWith(call);
        return (named ? "" : call + ": ") + what + (what.endsWith(line) ? "" : line);
    }

    /** Whether a class belongs to this library, to the {@code mpi} API over it, or to the JDK. */
    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("java.")
                || type.getPackageName().equals("mpi")
                || type.getProtectionDomain().equals(CallSite.class.getProtectionDomain());
    }
}
