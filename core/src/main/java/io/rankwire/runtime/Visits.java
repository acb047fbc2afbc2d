package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.DeviceFault;
import io.rankwire.fabric.FabricException;
import java.util.concurrent.locks.LockSupport;

/**
 * How a {@link ProgressThread} drives a device while no thread of the program is inside a call: it looks from outside
 * whether there is work, borrows the lock, and leaves as soon as the program calls.
 */
public final class Visits {
    private final Host host;
    private final DeviceLock lock;
    private final int rank;
    private boolean closed;
    /** The thread that visits, when it has to be woken; else null. */
    private Thread visitor;
    private volatile boolean alert;
    private int callsToSkip;

    public Visits(Host host, DeviceLock lock, int rank) {
        this.host = host;
        this.lock = lock;
        this.rank = rank;
    }

    /** Wakes the visitor, which sleeps long while the program makes calls; seldom when that has been in vain. */
    public void leaveBehind() {
        if (callsToSkip > 0) {
            callsToSkip--;
        } else if (visitor != null && !alert) {
            alert = true;
            LockSupport.unpark(visitor);
        }
    }

    /** Has {@link #leaveBehind} wake this thread. */
    public void wake(Thread thread) {
        visitor = thread;
    }

    public boolean alert() {
        return alert;
    }

    /** The visitor goes to sleep, and is not to be woken by this number of calls. */
    public void sleep(int calls) {
        callsToSkip = calls;
        alert = false;
    }

    /** Changes whenever the program has used the device. This and the next two are guesses, made without the lock. */
    public int uses() {
        return lock.uses();
    }

    /** Whether a thread of the program is inside a call. */
    public boolean inUse() {
        return host.sleeping() || lock.inUse();
    }

    /** Whether a visit would find something to do. */
    public boolean needed() {
        return host.device.mayProgress();
    }

    /**
     * Drives the device in place of the program's threads until one of them wants it, or until some rounds have found
     * nothing to do. What fails is thrown by the next call of the program.
     *
     * @param first rounds to wait for the first piece of work
     * @param more rounds to wait for more of it
     * @return whether anything was done
     */
    public boolean visit(int first, int more) {
        if (!lock.tryVisit()) {
            return false;
        }
        boolean worked = false;
        try {
            if (!closed && !host.sleeping() && !host.confined.isOfOneThread()) {
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
            lock.leave(failed(e));
            return false;
        }
        lock.leave();
        return worked;
    }

    private RuntimeException failed(Throwable e) {
        boolean ofALayer = e instanceof DeviceFault || e instanceof FabricException;
        return new RankwireException(ErrorClass.RESOURCE, "rank " + rank
                + ": what was under way failed while the program was outside any call: "
                + (ofALayer ? e.getMessage() : e), e);
    }

    /** After this no visitor touches the device. Throws what the last one failed with. */
    public void end() {
        try {
            lock.lockAgain();
        } finally {
            closed = true;
            lock.unlock();
        }
    }
}
