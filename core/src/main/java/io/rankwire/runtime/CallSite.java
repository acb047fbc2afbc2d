package io.rankwire.runtime;

import java.util.Optional;

/** The program's own line that a call of this library came from. */
public final class CallSite {
    private CallSite() {}

    /** {@code " at Ring.java:12"}, or nothing if there is no such line. */
    public static String find() {
        Optional<StackWalker.StackFrame> frame =
                StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(frames -> frames.filter(f -> !isOurs(f.getDeclaringClass())).findFirst());
        return frame.map(f -> " at " + f.getFileName() + ":" + f.getLineNumber()).orElse("");
    }

    /** The call of this library that the program made, by its name; nothing if there is none. */
    public static String call() {
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

    /** A sentence about a call, behind its name unless that stands there already, and the program's line behind it. */
    public static String tell(String what) {
        String call = call();
        String line = find();
        boolean named = call.isEmpty() || what.startsWith(call);
        return (named ? "" : call + ": ") + what + (what.endsWith(line) ? "" : line);
    }

    /** Whatever came from the same place as this class, the other API over it, and the platform's own. */
    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("java.")
                || type.getPackageName().equals("mpi")
                || type.getProtectionDomain().equals(CallSite.class.getProtectionDomain());
    }
}
