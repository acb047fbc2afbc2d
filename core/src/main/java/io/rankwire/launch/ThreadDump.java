package io.rankwire.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JVM's own dump of all threads at one safepoint: those of the program with state and stack, and those of the JVM.
 * Taken through the management interface by reflection, since a JDK may lack that module.
 */
record ThreadDump(List<ThreadDump.Entry> entries, boolean hasSignalHandlers) {
    private static final Pattern JAVA = Pattern.compile("^\"(.*)\" #(\\d+) .* nid=(\\d+) .*");
    private static final Pattern NATIVE = Pattern.compile("^\"(.*)\" os_prio=.* nid=(\\d+) .*");
    private static final String STATE = "   java.lang.Thread.State: ";
    private static final String FRAME = "\tat ";

    /** Frames of the JDK in which a thread waits for nothing but other threads of the JVM, or for garbage. */
    private static final List<String> JDK_WAITS = List.of(
            "java.lang.ref.Reference.waitForReferencePendingList(java.base@",
            "java.lang.ref.Finalizer$FinalizerThread.run(java.base@",
            "jdk.internal.ref.CleanerImpl.run(java.base@",
            "java.lang.VirtualThread.takeVirtualThreadListToUnblock(java.base@");

    /**
     * One thread.
     *
     * @param id as of {@link Thread#threadId()}; -1 for a thread of the JVM that can run no Java code
     * @param nativeId as the kernel numbers it
     * @param state as of {@link Thread#getState()}; blank for a thread of the JVM
     */
    record Entry(long id, long nativeId, String state, boolean carries, List<String> frames) {
        boolean isNative() {
            return id < 0;
        }

        /** Whether only another thread of this JVM can let it go on. */
        boolean waitsForAnotherThread() {
            if (carries) {
                return false;
            }
            boolean forGarbage = false;
            for (String frame : frames) {
                for (String wait : JDK_WAITS) {
                    if (frame.startsWith(wait)) {
                        return true;
                    }
                }
                forGarbage |= frame.startsWith("java.lang.ref.ReferenceQueue.");
            }
            return !forGarbage && (state.startsWith("WAITING") || state.startsWith("BLOCKED"));
        }
    }

    /** Null where there is no way to take one. */
    static ThreadDump take() {
        try {
            Object server = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getPlatformMBeanServer")
                    .invoke(null);
            List<Entry> entries = parse(command(server, "threadPrint"));
            // A program that has never loaded this interface has registered no handler.
            boolean handlers = !command(server, "vmClassHierarchy", "sun.misc.SignalHandler").isBlank();
            return entries == null ? null : new ThreadDump(entries, handlers);
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    private static String command(Object server, String name, String... arguments) throws ReflectiveOperationException {
        Class<?> objectName = Class.forName("javax.management.ObjectName");
        Object commands =
                objectName.getConstructor(String.class).newInstance("com.sun.management:type=DiagnosticCommand");
        return (String) Class.forName("javax.management.MBeanServer")
                .getMethod("invoke", objectName, String.class, Object[].class, String[].class)
                .invoke(server, commands, name, new Object[] {arguments}, new String[] {String[].class.getName()});
    }

    /** Null when the text has lines of threads in a form that is not known here. */
    static List<Entry> parse(String text) {
        List<Entry> entries = new ArrayList<>();
        long id = -1;
        long nativeId = -1;
        String state = "";
        boolean carries = false;
        List<String> frames = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("\"")) {
                if (nativeId >= 0) {
                    entries.add(new Entry(id, nativeId, state, carries, List.copyOf(frames)));
                }
                Matcher java = JAVA.matcher(line);
                Matcher other = NATIVE.matcher(line);
                if (java.matches()) {
                    id = Long.parseLong(java.group(2));
                    nativeId = Long.parseLong(java.group(3));
                } else if (other.matches()) {
                    id = -1;
                    nativeId = Long.parseLong(other.group(2));
                } else {
                    return null;
                }
                state = "";
                carries = false;
                frames.clear();
            } else if (line.startsWith(STATE)) {
                state = line.substring(STATE.length());
            } else if (line.startsWith(FRAME)) {
                frames.add(line.substring(FRAME.length()));
            } else if (line.contains("Carrying virtual thread")) {
                carries = true;
            }
        }
        if (nativeId >= 0) {
            entries.add(new Entry(id, nativeId, state, carries, List.copyOf(frames)));
        }
        return entries;
    }
}
