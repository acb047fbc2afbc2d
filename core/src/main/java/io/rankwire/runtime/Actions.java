package io.rankwire.runtime;

import io.rankwire.device.CompletionTable;

/**
 * What the program wants to run when requests are done. Actions run without the device's lock: at the end of a call of
 * the program, inside a call that waits, or, if no thread makes a call, on a virtual thread.
 */
public final class Actions {
    /** Runs once when a request is done. */
    public interface Action {
        /** Reads the result of the request; the caller has the device's lock. */
        void taken();

        /** Runs the program's part; the caller does not have the lock. */
        void run();
    }

    private static final int FIRST_PLACES = 16;

    private final DeviceLock lock;
    /** Null before the first action. */
    private CompletionTable<Action> waiting;

    Actions(DeviceLock lock) {
        this.lock = lock;
    }

    /** A table with room for one more action; the caller has the lock. */
    public CompletionTable<Action> table() {
        if (waiting == null) {
            waiting = new CompletionTable<>(FIRST_PLACES);
        } else if (waiting.isFull()) {
            waiting.grow();
        }
        return waiting;
    }

    /** Whether there is something to run; without the lock an estimate. */
    boolean isDue() {
        CompletionTable<Action> actions = waiting;
        return actions != null && actions.hasEnded();
    }

    /** Runs actions if some are due. The caller does not have the lock. */
    void runDue() {
        if (isDue()) {
            run();
        }
    }

    /** As {@link #runDue} inside a call that has the lock, which is released meanwhile; returns whether any ran. */
    boolean ranInside() {
        if (!isDue()) {
            return false;
        }
        lock.unlock();
        try {
            run();
        } finally {
            lock.lockAgain();
        }
        return true;
    }

    private void run() {
        for (Action next = take(); next != null; next = take()) {
            try {
                next.run();
            } catch (Throwable e) {
                // It has nothing to do with the call that this thread is in.
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, e);
            }
        }
    }

    private Action take() {
        lock.lockAgain();
        try {
            if (!isDue()) {
                return null;
            }
            Action next = waiting.take();
            next.taken();
            return next;
        } finally {
            lock.unlock();
        }
    }
}
