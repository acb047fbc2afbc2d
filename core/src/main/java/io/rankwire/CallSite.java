package io.rankwire;

import java.util.Optional;
import java.util.Set;

/** The program's own line that a call of this library came from. */
final class CallSite {
    private static final Set<String> OURS = Set.of("Communicator", "Request", "World", "Message", "Datagram", "Group",
            "Host", "CallSite", "OperationWait", "Messenger", "Contexts", "Closing", "Window", "WindowEpochs",
            "WindowParts", "WindowAccess", "MappedTarget", "FramedTarget");

    private CallSite() {}

    /** {@code " at Ring.java:12"}, or nothing if there is no such line. */
    static String find() {
        Optional<StackWalker.StackFrame> frame =
                StackWalker.getInstance().walk(frames -> frames.filter(f -> !isOurs(f.getClassName())).findFirst());
        return frame.map(f -> " at " + f.getFileName() + ":" + f.getLineNumber()).orElse("");
    }

    private static boolean isOurs(String className) {
        if (!className.startsWith("io.rankwire.")) {
            return className.startsWith("java.");
        }
        String name = className.substring("io.rankwire.".length());
        int nested = name.indexOf('$');
        return OURS.contains(nested < 0 ? name : name.substring(0, nested));
    }
}
