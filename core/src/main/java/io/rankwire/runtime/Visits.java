package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.DeviceFault;
import io.rankwire.fabric.FabricException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Lets a {@link ProgressThread} drive a device while no thread of the program is inside a call. The progress thread
 * checks without the lock whether there is work, borrows the lock for a visit, and returns it as soon as the program
 * makes a call.
 */
final class Visits {
    private static final int ATTEMPTS = 2_000;
    private static final long PAUSE_NS = 500_000;

    private final Host host;
    private final DeviceLock lock;
    private final int rank;
    private boolean closed;
    private long made;
    /** The progress thread, if it sleeps and has to be woken; null if it never sleeps. */
    private Thread visitor;
    /** Whether the visitor was woken and has not gone back to its long sleep. */
    private volatile boolean woken;
    /** Calls that are not to wake the visitor. */
    private int callsToSkip;

    Visits(Host host, DeviceLock lock, int rank) {
        this.host = host;
        this.lock = lock;
        this.rank = rank;
    }

    /** Wakes the visitor, which sleeps long while the program makes calls; rarely if earlier wakes found no work. */
    void wakeVisitor() {
        if (callsToSkip > 0) {
            callsToSkip--;
        } else if (visitor != null && !woken) {
            woken = true;
            LockSupport.unpark(visitor);
        }
    }

    /** Sets the thread that {@link #wakeVisitor} wakes. */
    void visitor(Thread thread) {
        visitor = thread;
    }

    boolean woken() {
        return woken;
    }

    /** The visitor goes back to its long sleep; the next calls, of this number, do not wake it. */
    void sleepThrough(int calls) {
        callsToSkip = calls;
        woken = false;
    }

    /**
     * A number that changes whenever the program has used the device. Like {@link #inUse} and {@link #needed} an
     * estimate, made without the lock.
     */
    int uses() {
        return lock.uses();
    }

    /** Returns the number of visits so far. */
    long made() {
        return made;
    }

    /** Whether a thread of the program is inside a call. */
    boolean inUse() {
        return host.waiting() || lock.inUse();
    }

    /** Whether a visit would find something to do. */
    boolean needed() {
        return host.device.mayProgress() || host.actions.isDue() || host.losses.hasNews();
    }

    /**
     * Drives the device in place of the program's threads until one of them wants the lock, or until some rounds have
     * found nothing to do. The next call of the program throws what fails here.
     *
     * @param first rounds to wait for the first piece of work
     * @param more rounds to wait for each further piece
     * @return whether the visit found work
     */
    boolean visit(int first, int more) {
        if (!lock.tryVisit()) {
            return false;
        }
        boolean worked = false;
        made++;
        try {
            if (!closed && !host.waiting() && !host.confined.isOfOneThread()) {
                worked = host.progressAll() != 0;
                for (int idle = 0; idle < (worked ? more : first) && !lock.wanted(); idle++) {
                    if (host.progress() != 0) {
                        worked = true;
                        idle = 0;
                    }
                }
                host.device.rest();
            }
        } catch (RuntimeException | Error e) {
            closed = true;
            lock.endVisit(failed(e));
            return false;
        }
        lock.endVisit();
        if (host.actions.isDue()) {
            // An action may wait, and this thread serves other ranks too.
            Thread.startVirtualThread(host.actions::runBetweenCalls);
        }
        return worked;
    }

    /**
     * Runs something that reads the device in a moment in which no thread of the program uses it. Returns null if there
     * was no such moment, and an empty text if the device is closed.
     */
    String between(Supplier<String> reading) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (lock.tryVisit()) {
                try {
                    return closed ? "" : reading.get();
                } finally {
                    lock.endVisit();
                }
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return null;
    }

    private RuntimeException failed(Throwable e) {
        boolean ofALayer = e instanceof DeviceFault || e instanceof FabricException;
        return new RankwireException(ErrorClass.RESOURCE, "rank " + rank
                + ": what was under way failed while the program was outside any call: "
                + (ofALayer ? e.getMessage() : e), e);
    }

    /** Ends all visits: no visitor touches the device afterwards. Throws the exception of a failed visit, if any. */
    void end() {
        try {
            lock.lockAgain();
        } finally {
            closed = true;
            lock.unlock();
        }
    }
}
