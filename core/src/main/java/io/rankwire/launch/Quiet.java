package io.rankwire.launch;

import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Whether a blocked rank can still act by itself. A rank whose one thread waits in a receive is stuck; a rank with a
 * second thread that computes, sleeps or reads a socket may yet send, so nothing is proven. Only asked about when all
 * ranks seem stuck, since looking at all threads stops them for a moment.
 */
final class Quiet {
    private static final String API = "io.rankwire.";

    private final ThreadGroup group;
    private long answered;

    /** Looks at the threads of one rank's group (and at shared pools), or at all threads of the process for null. */
    Quiet(ThreadGroup group) {
        this.group = group;
    }

    /** Answers the watcher's question, if there is a new one. */
    void answer(Board board, int rank) {
        long question = board.question();
        if (question != answered) {
            answered = question;
            board.answer(rank, question, isQuiet());
        }
    }

    private boolean isQuiet() {
        ForkJoinPool carriers = null;
        boolean pollers = false;
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            if (thread.getClass().getName().equals("jdk.internal.misc.CarrierThread")) {
                carriers = ((ForkJoinWorkerThread) thread).getPool();
                continue;
            }
            pollers |= thread.getName().endsWith("Poller")
                    && thread.getClass().getName().equals("jdk.internal.misc.InnocuousThread");
            if (concerns(thread) && mayAct(thread, entry.getValue())) {
                return false;
            }
        }
        return carriers == null || !pollers && allRest(carriers);
    }

    /**
     * Virtual threads that are parked cannot be seen, only that none runs, will run, or waits for a while. Those that
     * wait for a socket cannot be seen either, so nothing is known once there is a poller.
     */
    private static boolean allRest(ForkJoinPool carriers) {
        return carriers.isQuiescent() && !carriers.hasQueuedSubmissions() && carriers.getDelayedTaskCount() == 0;
    }

    private boolean concerns(Thread thread) {
        ThreadGroup its = thread.getThreadGroup();
        if (its == null || thread == Thread.currentThread()) {
            return false;
        }
        String name = thread.getName();
        if (name.startsWith("ForkJoinPool")) {
            return true;
        }
        // The group without a parent, and the innocuous one, hold the JVM's own threads.
        if (its.getParent() == null || its.getName().equals("InnocuousThreadGroup")) {
            return false;
        }
        if (name.startsWith("rankwire-watch") || name.startsWith("JFR ")) {
            return false;
        }
        return group == null || group == its || group.parentOf(its);
    }

    private static boolean mayAct(Thread thread, StackTraceElement[] stack) {
        Thread.State state = thread.getState();
        if (stack.length == 0 || state != Thread.State.RUNNABLE && state != Thread.State.TIMED_WAITING) {
            return false;
        }
        for (StackTraceElement frame : stack) {
            String owner = frame.getClassName();
            if (owner.startsWith(API) || isIdle(owner, frame.getMethodName())) {
                // Inside one of our calls it has said itself, by blocking, that it waits.
                return false;
            }
            if (!owner.startsWith("java.") && !owner.startsWith("jdk.")) {
                return true;
            }
        }
        return true;
    }

    /** A pool's worker that waits for work, with a time limit only to end when none comes. */
    private static boolean isIdle(String owner, String method) {
        return owner.equals("java.util.concurrent.ForkJoinPool") && method.equals("awaitWork")
                || owner.equals("java.util.concurrent.SynchronousQueue") && method.equals("poll")
                || owner.equals("java.util.concurrent.LinkedBlockingQueue") && method.equals("poll");
    }
}
