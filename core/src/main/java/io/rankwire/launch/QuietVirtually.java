package io.rankwire.launch;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether virtual threads can still act by themselves. They are in no thread group and no list; only a dump of all
 * threads shows those that sleep. What no dump tells counts as able to act.
 */
final class QuietVirtually {
    private static final Pattern THREAD = Pattern.compile("#\\d+ \".*\" virtual (\\w+) .*");
    private static final Pattern FRAME = Pattern.compile("\\s+at (?:.*/)?([^/]+)\\.([^.(]+)\\(.*");

    private QuietVirtually() {}

    static boolean isQuiet() {
        try {
            Path directory = Files.createTempDirectory("rankwire-threads");
            Path dump = directory.resolve("dump");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
                return isQuiet(Files.readAllLines(dump));
            } finally {
                Files.deleteIfExists(dump);
                Files.delete(directory);
            }
        } catch (IOException e) {
            return false;
        }
    }

    static boolean isQuiet(List<String> dump) {
        List<StackTraceElement> stack = new ArrayList<>();
        String state = null;
        for (String line : dump) {
            Matcher frame = FRAME.matcher(line);
            if (frame.matches()) {
                stack.add(new StackTraceElement(frame.group(1), frame.group(2), null, 0));
            } else if (line.startsWith("#")) {
                if (state != null && mayAct(state, stack)) {
                    return false;
                }
                Matcher thread = THREAD.matcher(line);
                state = thread.matches() ? thread.group(1) : null;
                stack.clear();
            }
        }
        return state == null || !mayAct(state, stack);
    }

    private static boolean mayAct(String state, List<StackTraceElement> stack) {
        if (state.equals("WAITING")) {
            return waitsForInput(stack);
        }
        if (stack.isEmpty()) {
            return true;
        }
        return Quiet.mayAct(Thread.State.valueOf(state), stack.toArray(StackTraceElement[]::new));
    }

    /**
     * It is parked until a file or socket is ready, where a thread of the platform would be running. The JDK's own
     * pollers park that way for ever.
     */
    private static boolean waitsForInput(List<StackTraceElement> stack) {
        boolean waits = false;
        for (StackTraceElement frame : stack) {
            if (frame.getMethodName().equals("subPollerLoop")) {
                return false;
            }
            waits |= frame.getClassName().startsWith("sun.nio.ch.");
        }
        return waits;
    }
}
