package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock on a device, taken by {@link Host} for every call and by {@link Visits} for the progress thread. Most
 * programs make calls from one thread, so the lock is biased towards the thread that created it: the owner enters and
 * leaves with plain stores. A visitor, which drives the device while the owner is outside, borrows the lock and returns
 * it biased. The first other thread of the program revokes the bias for good; after that every thread takes the lock by
 * compare-and-set.
 *
 * <p>Why that is safe: the owner stores {@code inside} and then loads {@code shared}. Without a fence the load may be
 * reordered before the store, but neither moves across a fence that another thread forces the owner through. A
 * contending thread sets {@code shared}, forces the owner through a fence, and then reads {@code inside}. If the owner
 * stored {@code inside} before the fence, the contending thread sees the store. If the owner stores it after the fence,
 * the owner's load sees {@code shared} and the owner backs out. Decisions 7 and 10 say more.
 */
final class DeviceLock {
    /** The owner alone enters, with plain stores. */
    private static final int BIASED = 0;
    /** A visitor has the lock, or tries to take it. */
    private static final int VISITED = 1;
    /** Another thread of the program revokes the bias; the owner may still be inside. */
    private static final int CONTENDED = 2;
    /** The bias is gone: every thread enters by compare-and-set. */
    private static final int UNBIASED = 3;

    private static final VarHandle INSIDE;
    private static final VarHandle SHARED;
    private static final VarHandle HELD;
    private static final VarHandle WAITERS;

    static {
        try {
            var lookup = MethodHandles.lookup();
            INSIDE = lookup.findVarHandle(DeviceLock.class, "inside", int.class);
            SHARED = lookup.findVarHandle(DeviceLock.class, "shared", int.class);
            HELD = lookup.findVarHandle(DeviceLock.class, "held", int.class);
            WAITERS = lookup.findVarHandle(DeviceLock.class, "waiters", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Thread owner = Thread.currentThread();
    private final boolean ofOneThread;
    /** Odd while the owner has the lock by its bias; counts each entry and each exit. Written by the owner only. */
    private int inside;
    /** One of the four states above. */
    private int shared;
    /** 1 while a thread has the lock by compare-and-set. */
    private int held;
    /** How often the lock was taken by compare-and-set. */
    private int turns;
    /** Threads that wait for the lock. */
    private volatile int waiters;
    /** The exception of a failed visit or of {@link #fail}, thrown by the next thread that takes the lock. */
    private RuntimeException failure;
    /** Those of {@link #fail} that came while there was another. */
    private final ArrayDeque<RuntimeException> failures = new ArrayDeque<>();
    /** Throws if the thread that has just taken the lock may not have it; null if every thread may. */
    private Runnable guard;
    private boolean guardsOwner;

    /**
     * @param ofOneThread whether only the thread that creates the lock may ever take it
     */
    DeviceLock(boolean ofOneThread) {
        this.ofOneThread = ofOneThread;
    }

    /** Takes the lock. Throws the exception of a failed visit or of the guard, and then does not have the lock. */
    void lock() {
        if (!enterBiased()) {
            lockShared();
            if (failure != null) {
                RuntimeException thrown = takeFailure();
                unlock();
                throw thrown instanceof LateErrors.LateError late ? late.failed() : thrown;
            }
            if (guard != null) {
                check(guard);
            }
        }
    }

    private void check(Runnable current) {
        try {
            if (guardsOwner || Thread.currentThread() != owner) {
                current.run();
            }
        } catch (RuntimeException e) {
            unlock();
            throw e;
        }
    }

    /**
     * As {@link #lock}, for a caller that unlocks in any case: the caller has the lock even when this method throws.
     * Does not run the guard.
     */
    void lockAgain() {
        if (!enterBiased()) {
            lockShared();
            if (failure != null) {
                throw takeFailure();
            }
        }
    }

    /** As {@link #lockAgain}, but leaves what it would throw for {@link #takeFailure}. */
    void lockOnly() {
        if (!enterBiased()) {
            lockShared();
        }
    }

    private boolean enterBiased() {
        if (Thread.currentThread() == owner) {
            INSIDE.setOpaque(this, inside + 1);
            return (int) SHARED.getAcquire(this) == BIASED;
        }
        return false;
    }

    private void lockShared() {
        boolean isOwner = Thread.currentThread() == owner;
        if (isOwner) {
            INSIDE.setRelease(this, inside + 1);
        }
        int state = (int) SHARED.getAcquire(this);
        boolean byHeld = state == UNBIASED || isOwner && state == CONTENDED;
        if (!byHeld || !HELD.compareAndSet(this, 0, 1)) {
            lockSlowly(isOwner);
        }
    }

    /** Runs this check in every later {@link #lock} by a thread other than the owner; the caller has the lock. */
    void guard(Runnable check) {
        guard = check;
    }

    /** Runs this check in every later {@link #lock} by any thread; the caller has the lock and keeps it. */
    void guardFromAll(Runnable check) {
        guard = check;
        guardsOwner = true;
        endBias();
    }

    /** Gives up the bias for good; the caller has the lock and keeps it. */
    private void endBias() {
        if ((inside & 1) != 0 && (Thread.currentThread() == owner || ofOneThread)) {
            HELD.setOpaque(this, 1);
            SHARED.setVolatile(this, UNBIASED);
            INSIDE.setRelease(this, inside + 1);
        } else if ((int) SHARED.getOpaque(this) == VISITED) {
            HELD.setOpaque(this, 1);
            SHARED.setVolatile(this, UNBIASED);
        } else if (ofOneThread) {
            SHARED.setVolatile(this, UNBIASED);
        }
    }

    /** The next thread that takes the lock throws this; the caller has the lock and keeps it. */
    void fail(RuntimeException thrown) {
        if (failure != null) {
            failures.add(thrown);
            return;
        }
        failure = thrown;
        endBias();
    }

    /** Throws what the next thread that takes the lock would throw; the caller has the lock and keeps it. */
    void checkFailed() {
        if (failure != null) {
            throw takeFailure();
        }
    }

    /** Whether no other thread of the program has taken the lock, or tries to. */
    boolean isBiased() {
        int state = (int) SHARED.getAcquire(this);
        return state == BIASED || state == VISITED;
    }

    void unlock() {
        int turn = inside;
        if ((turn & 1) != 0 && Thread.currentThread() == owner) {
            INSIDE.setRelease(this, turn + 1);
        } else {
            turns++;
            HELD.setRelease(this, 0);
        }
    }

    /** Whether another thread waits for the lock; the holder should release it soon. */
    boolean wanted() {
        return waiters != 0;
    }

    /**
     * A number that changes with every use of the lock except visits. Like {@link #inUse} an estimate, for threads that
     * do not have the lock.
     */
    int uses() {
        return (int) INSIDE.getOpaque(this) + turns;
    }

    boolean inUse() {
        return ((int) INSIDE.getOpaque(this) & 1) != 0 || (int) HELD.getOpaque(this) != 0;
    }

    /** Takes the lock for a visit if no thread has it or waits for it. */
    boolean tryVisit() {
        if (wanted()) {
            return false;
        }
        if ((int) SHARED.getAcquire(this) == UNBIASED) {
            return HELD.compareAndSet(this, 0, 1);
        }
        if (!SHARED.compareAndSet(this, BIASED, VISITED)) {
            return false;
        }
        if (!ProcessFence.pass()) {
            handshake();
        }
        if (((int) INSIDE.getAcquire(this) & 1) != 0) {
            SHARED.setRelease(this, BIASED);
            return false;
        }
        return true;
    }

    void endVisit() {
        if ((int) SHARED.getOpaque(this) == VISITED) {
            SHARED.setRelease(this, BIASED);
        } else {
            HELD.setRelease(this, 0);
        }
    }

    /** Ends a visit that failed, and the bias with it: the next thread that takes the lock then sees the failure. */
    void endVisit(RuntimeException thrown) {
        failure = thrown;
        if (!SHARED.compareAndSet(this, VISITED, UNBIASED)) {
            HELD.setRelease(this, 0);
        }
    }

    /** Returns what the next thread that takes the lock would throw, or null; the caller has the lock and keeps it. */
    RuntimeException takeFailure() {
        RuntimeException thrown = failure;
        failure = failures.poll();
        return thrown;
    }

    private void lockSlowly(boolean isOwner) {
        if (ofOneThread && !isOwner) {
            throw new RankwireException(ErrorClass.RESOURCE, "thread " + Thread.currentThread().getName()
                    + ", started by the program, calls Rankwire: in a simulation only the thread that has joined the"
                    + " world may, because it is the one that virtual time lets run" + CallSite.find());
        }
        WAITERS.getAndAdd(this, 1);
        if (!isOwner) {
            revokeBias();
        }
        for (int tries = 0; !tryLock(); tries++) {
            pause(tries);
        }
        WAITERS.getAndAdd(this, -1);
    }

    private boolean tryLock() {
        int state = (int) SHARED.getAcquire(this);
        if (state == BIASED) {
            if (enterBiased()) {
                return true;
            }
            INSIDE.setRelease(this, inside + 1);
            return false;
        }
        return state != VISITED && HELD.compareAndSet(this, 0, 1);
    }

    /** Revokes the bias; called by a thread other than the owner. */
    private synchronized void revokeBias() {
        for (int tries = 0; !SHARED.compareAndSet(this, BIASED, CONTENDED); tries++) {
            if ((int) SHARED.getAcquire(this) == UNBIASED) {
                return;
            }
            pause(tries);
        }
        handshake();
        for (int tries = 0; ((int) INSIDE.getAcquire(this) & 1) != 0; tries++) {
            pause(tries);
        }
        SHARED.setVolatile(this, UNBIASED);
    }

    /** Forces the owner through a fence: the JVM stops the owner for a moment to read its stack. */
    private void handshake() {
        owner.getStackTrace();
    }

    private static void pause(int tries) {
        if (tries < 100) {
            Thread.onSpinWait();
        } else if (tries < 1_000) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(50_000);
        }
    }
}
