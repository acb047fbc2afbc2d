package io.rankwire.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the threads of a program are doing, for a person to read. */
final class ThreadStacks {
    private static final int MOST_THREADS = 16;
    private static final int MOST_FRAMES = 8;
    private static final int MOST_DUMPED_THREADS = 256;
    private static final int MOST_DUMPED_FRAMES = 40;
    /** Packages of this library that programs do not call. */
    private static final Set<String> INSIDE = Set.of("collective", "device", "fabric", "launch", "memory", "runtime",
            "sim", "trace", "type", "wire");
    private static final String LIBRARY = "io.rankwire.";

    private ThreadStacks() {}

    /** The program's threads with the innermost lines of their stacks, without those of {@code own}. */
    static String describe(Collection<Thread> own) {
        return describe(own, null);
    }

    /** The same of the threads of a group; null for all. */
    static String describe(Collection<Thread> own, ThreadGroup group) {
        List<Map.Entry<Thread, StackTraceElement[]>> threads = new ArrayList<>();
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            if (!own.contains(each.getKey()) && each.getValue().length > 0 && !isOfTheJdk(each.getKey())
                    && isIn(each.getKey(), group)) {
                threads.add(each);
            }
        }
        threads.sort(Comparator.comparingLong(each -> each.getKey().threadId()));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(threads.size(), MOST_THREADS); i++) {
            Thread thread = threads.get(i).getKey();
            describe(text, thread, state(thread), threads.get(i).getValue(), MOST_FRAMES);
        }
        if (threads.size() > MOST_THREADS) {
            text.append("    and ").append(threads.size() - MOST_THREADS).append(" more threads\n");
        }
        return text.toString();
    }

    /**
     * All threads of the program with their stacks, also those inside calls of this library, which show the call and
     * not what it consists of.
     *
     * @param group the name of the group that the threads belong to, or null for all
     */
    static String dump(String group) {
        List<Map.Entry<Thread, StackTraceElement[]>> threads = new ArrayList<>();
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            if (each.getValue().length > 0 && !isOfTheJdk(each.getKey()) && isIn(each.getKey(), group)) {
                threads.add(each);
            }
        }
        threads.sort(Comparator.comparingLong(each -> each.getKey().threadId()));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(threads.size(), MOST_DUMPED_THREADS); i++) {
            StackTraceElement[] stack = threads.get(i).getValue();
            int first = 0;
            while (first < stack.length && (isInside(stack[first]) || isOfTheJdk(stack[first]))) {
                first++;
            }
            int above = first - 1;
            boolean calls = above >= 0 && first < stack.length && isInside(stack[above]);
            Thread thread = threads.get(i).getKey();
            describe(text, thread, calls ? "in a call" : state(thread),
                    calls ? Arrays.copyOfRange(stack, first, stack.length) : stack, MOST_DUMPED_FRAMES);
        }
        if (threads.size() > MOST_DUMPED_THREADS) {
            text.append("    and ").append(threads.size() - MOST_DUMPED_THREADS).append(" more threads\n");
        }
        return text.toString();
    }

    private static boolean isInside(StackTraceElement frame) {
        String name = frame.getClassName();
        if (!name.startsWith(LIBRARY)) {
            return false;
        }
        int end = name.indexOf('.', LIBRARY.length());
        return end > 0 && INSIDE.contains(name.substring(LIBRARY.length(), end));
    }

    private static boolean isIn(Thread thread, String name) {
        ThreadGroup group = thread.getThreadGroup();
        while (name != null && group != null && !group.getName().equals(name)) {
            group = group.getParent();
        }
        return group != null;
    }

    private static boolean isIn(Thread thread, ThreadGroup group) {
        ThreadGroup its = thread.getThreadGroup();
        return group == null || its != null && group.parentOf(its);
    }

    /** Threads that run no code of the program: of the system's own groups. */
    private static boolean isOfTheJdk(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group == null || group.getParent() == null || group.getName().equals("InnocuousThreadGroup");
    }

    private static void describe(StringBuilder text, Thread thread, String state, StackTraceElement[] stack,
            int most) {
        text.append("    thread \"").append(thread.getName()).append("\", ").append(state).append(":\n");
        int first = 0;
        while (first < stack.length && isOfTheJdk(stack[first])) {
            first++;
        }
        // Of the JDK's frames the call that the program has made says most.
        int call = first < stack.length ? first - 1 : firstCall(stack);
        if (call >= 0) {
            append(text, stack[call]);
        }
        int shown = 0;
        for (int i = first; i < stack.length && shown < most; i++) {
            if (!isOfTheJdk(stack[i]) && !isInside(stack[i]) && stack[i].getLineNumber() >= 0) {
                append(text, stack[i]);
                shown++;
            }
        }
    }

    /** In a stack of JDK frames alone, the first that is not about parking as such. */
    private static int firstCall(StackTraceElement[] stack) {
        int call = 0;
        while (call < stack.length - 1 && (stack[call].getClassName().startsWith("jdk.internal.")
                || stack[call].getClassName().startsWith("java.util.concurrent.locks."))) {
            call++;
        }
        return call;
    }

    private static void append(StringBuilder text, StackTraceElement frame) {
        text.append("      at ").append(frame.getClassName()).append('.').append(frame.getMethodName());
        if (frame.getLineNumber() >= 0 && !isOfTheJdk(frame)) {
            text.append('(').append(frame.getFileName()).append(':').append(frame.getLineNumber()).append(')');
        }
        text.append('\n');
    }

    private static boolean isOfTheJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    private static String state(Thread thread) {
        return switch (thread.getState()) {
            case RUNNABLE -> "running or in native code";
            case BLOCKED -> "waiting for a monitor";
            case WAITING -> "waiting";
            case TIMED_WAITING -> "waiting with a time limit";
            case NEW, TERMINATED -> "not running";
        };
    }
}
