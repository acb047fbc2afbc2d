package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.CompletionTable;
import io.rankwire.device.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * What the program wants to run when something has come: actions when requests are done, and handlers of active
 * messages. They run without the device's lock: at the end of a call of the program, inside a call that waits, or, if
 * no thread makes a call, on a virtual thread. Handlers run one at a time.
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
    /** Messages that are handled before a call looks again whether it is over. */
    private static final int MOST_HANDLED = 32;
    /**
     * Bytes of messages that could not leave at once, beyond which messages are handled only while nothing else moves:
     * each may send another. They are not left alone, because ranks may wait for each other to take messages.
     */
    private static final long MOST_HELD = 1 << 20;

    private final DeviceLock lock;
    private final Device device;
    private final int rank;
    /** Whether the program uses actions or handlers: all that a call of other programs looks at. */
    private boolean used;
    /** Null before the first action. */
    private CompletionTable<Action> waiting;
    private List<Handlers> handlers = List.of();
    /** The handlers that run now and their thread, or null. Written with the lock. */
    private Handlers running;
    private Thread runner;

    Actions(DeviceLock lock, Device device, int rank) {
        this.lock = lock;
        this.device = device;
        this.rank = rank;
    }

    /** A table with room for one more action; the caller has the lock. */
    public CompletionTable<Action> table() {
        used = true;
        if (waiting == null) {
            waiting = new CompletionTable<>(FIRST_PLACES);
        } else if (waiting.isFull()) {
            waiting.grow();
        }
        return waiting;
    }

    /** The caller has the lock, as in {@link #remove}. */
    void add(Handlers one) {
        List<Handlers> more = new ArrayList<>(handlers);
        more.add(one);
        handlers = List.copyOf(more);
        used = true;
    }

    void remove(Handlers one) {
        handlers = handlers.stream().filter(other -> other != one).toList();
    }

    /** The handlers of all communicators. */
    List<Handlers> handlers() {
        return handlers;
    }

    /** Whether the calling thread runs a handler. */
    boolean isHandling() {
        return runner == Thread.currentThread();
    }

    /** Whether there is something to run; without the lock an estimate. */
    boolean isDue() {
        return used && (hasEnded() || runner == null && due() != null);
    }

    private boolean hasEnded() {
        CompletionTable<Action> actions = waiting;
        return actions != null && actions.hasEnded();
    }

    private Handlers due() {
        List<Handlers> all = handlers;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isDue()) {
                return all.get(i);
            }
        }
        return null;
    }

    /** Runs what is due at the end of a call. The caller does not have the lock. */
    void runDue() {
        if (isDue()) {
            run(device.bufferedHeld() <= MOST_HELD);
        }
    }

    /** The same while no thread makes a call. */
    void runBetweenCalls() {
        run(true);
    }

    private void run(boolean handles) {
        if (isHandling()) {
            return;
        }
        if (handles && due() != null) {
            try {
                lock.lockAgain();
                handle();
            } finally {
                lock.unlock();
            }
        }
        if (hasEnded()) {
            runActions();
        }
    }

    /** Runs handlers inside a call that has the lock, which is released meanwhile, after something has come. */
    void handleInside() {
        if (used && device.bufferedHeld() <= MOST_HELD) {
            handle();
        }
    }

    /**
     * Runs what is due inside a call that has the lock, which is released meanwhile, and has to wait; returns whether
     * anything ran. Throws if the call is one of a handler, which must not wait.
     */
    boolean ranInside() {
        if (!used) {
            return false;
        }
        if (isHandling()) {
            throw new RankwireException(ErrorClass.REQUEST, "rank " + rank + ": a call in " + running.current()
                    + " has to wait, and a handler must not: post, bsend and the calls that return a request do not"
                    + CallSite.find());
        }
        boolean handled = handle();
        if (!hasEnded()) {
            return handled;
        }
        lock.unlock();
        try {
            runActions();
        } finally {
            lock.lockAgain();
        }
        return true;
    }

    /** Handles messages; the caller has the lock, which is released while a handler runs. */
    private boolean handle() {
        int count = 0;
        for (Handlers next = runner == null ? due() : null; next != null && count < MOST_HANDLED; next = due()) {
            if (next.take()) {
                count++;
                call(next);
            }
        }
        return count > 0;
    }

    private void call(Handlers one) {
        running = one;
        runner = Thread.currentThread();
        lock.unlock();
        try {
            one.call();
        } finally {
            try {
                lock.lockAgain();
            } finally {
                runner = null;
                running = null;
                one.finish();
            }
        }
    }

    private void runActions() {
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
            if (!hasEnded()) {
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
