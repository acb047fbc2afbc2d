package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock on a device. Most programs call from one thread, so the lock leans towards the thread that made it: that one
 * comes and goes with plain stores. A visitor, the thread that drives the device while its owner is away, borrows it
 * and gives it back leaning. The first other thread of the program ends the leaning for good; from then on everyone
 * takes the lock by compare-and-set.
 *
 * <p>Why that is safe: the owner stores {@code inside} and then loads {@code shared}. Without a fence the load may pass
 * the store, but not across a fence that someone else makes the owner pass. Who comes raises {@code shared}, makes the
 * owner pass one, and looks at {@code inside}. If the owner stored before the fence, the comer sees it; if after, the
 * owner sees {@code shared} and backs out. Decisions 7 and 10 say more.
 */
public final class DeviceLock {
    private static final int LEANING = 0;
    private static final int VISITED = 1;
    private static final int COMING = 2;
    private static final int SHARED_BY_ALL = 3;

    private static final VarHandle INSIDE;
    private static final VarHandle SHARED;
    private static final VarHandle HELD;
    private static final VarHandle WANTING;

    static {
        try {
            var lookup = MethodHandles.lookup();
            INSIDE = lookup.findVarHandle(DeviceLock.class, "inside", int.class);
            SHARED = lookup.findVarHandle(DeviceLock.class, "shared", int.class);
            HELD = lookup.findVarHandle(DeviceLock.class, "held", int.class);
            WANTING = lookup.findVarHandle(DeviceLock.class, "wanting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Thread owner = Thread.currentThread();
    private final boolean ofOneThread;
    /** Odd while the owner has the lock by leaning; counts its comings and goings. Written by the owner only. */
    private int inside;
    /** The owner's alone, a visitor tries or is in, another thread has come, all know of it. */
    private int shared;
    private int held;
    /** Times the lock was taken by compare-and-set. */
    private int turns;
    private volatile int wanting;
    /** What a visit failed with; for the next to lock. */
    private RuntimeException failure;
    /** Asked by a thread that has taken the lock, but for leaning; throws if it may not have it. Null: all may. */
    private Runnable guard;
    private boolean guardsFromAll;

    public DeviceLock() {
        this(false);
    }

    /**
     * @param ofOneThread whether only the thread that makes it may ever take it
     */
    public DeviceLock(boolean ofOneThread) {
        this.ofOneThread = ofOneThread;
    }

    /** Takes the lock, or throws, without it, what a visit has failed with or the guard throws. */
    public void lock() {
        if (!lean()) {
            lockShared();
            if (failure != null) {
                RuntimeException thrown = takeFailure();
                unlock();
                throw thrown;
            }
            if (guard != null) {
                pass(guard);
            }
        }
    }

    private void pass(Runnable asked) {
        try {
            if (guardsFromAll || Thread.currentThread() != owner) {
                asked.run();
            }
        } catch (RuntimeException e) {
            unlock();
            throw e;
        }
    }

    /**
     * As {@link #lock}, for a caller that unlocks in any case: it has the lock also when this throws. The guard is not
     * asked.
     */
    public void lockAgain() {
        if (!lean()) {
            lockShared();
            if (failure != null) {
                throw takeFailure();
            }
        }
    }

    private boolean lean() {
        if (Thread.currentThread() == owner) {
            INSIDE.setOpaque(this, inside + 1);
            return (int) SHARED.getAcquire(this) == LEANING;
        }
        return false;
    }

    private void lockShared() {
        boolean mine = Thread.currentThread() == owner;
        if (mine) {
            INSIDE.setRelease(this, inside + 1);
        }
        int how = (int) SHARED.getAcquire(this);
        boolean byHeld = how == SHARED_BY_ALL || mine && how == COMING;
        if (!byHeld || !HELD.compareAndSet(this, 0, 1)) {
            lockSlowly(mine);
        }
    }

    /** From now on asks this of every thread but the one the lock leans to; the caller has the lock. */
    public void guard(Runnable asked) {
        guard = asked;
    }

    /** From now on asks this of every thread; the caller has the lock, and has it still. */
    public void guardFromAll(Runnable asked) {
        guard = asked;
        guardsFromAll = true;
        if ((inside & 1) != 0 && Thread.currentThread() == owner) {
            HELD.setOpaque(this, 1);
            SHARED.setVolatile(this, SHARED_BY_ALL);
            INSIDE.setRelease(this, inside + 1);
        }
    }

    /** Whether other threads than the one the lock leans to have come. */
    public boolean isShared() {
        int how = (int) SHARED.getAcquire(this);
        return how == COMING || how == SHARED_BY_ALL;
    }

    public void unlock() {
        int turn = inside;
        if ((turn & 1) != 0 && Thread.currentThread() == owner) {
            INSIDE.setRelease(this, turn + 1);
        } else {
            turns++;
            HELD.setRelease(this, 0);
        }
    }

    /** Whether another thread waits for the lock; the holder should let go soon. */
    public boolean wanted() {
        return wanting != 0;
    }

    /**
     * Changes with every use of the lock that is no visit. This and {@link #inUse} are guesses, for threads that do not
     * have the lock.
     */
    public int uses() {
        return (int) INSIDE.getOpaque(this) + turns;
    }

    public boolean inUse() {
        return ((int) INSIDE.getOpaque(this) & 1) != 0 || (int) HELD.getOpaque(this) != 0;
    }

    /** Takes the lock for a visit if nobody has it or wants it. */
    public boolean tryVisit() {
        if (wanted()) {
            return false;
        }
        if ((int) SHARED.getAcquire(this) == SHARED_BY_ALL) {
            return HELD.compareAndSet(this, 0, 1);
        }
        if (!SHARED.compareAndSet(this, LEANING, VISITED)) {
            return false;
        }
        if (!ProcessFence.pass()) {
            handshake();
        }
        if (((int) INSIDE.getAcquire(this) & 1) != 0) {
            SHARED.setRelease(this, LEANING);
            return false;
        }
        return true;
    }

    /** Ends a visit. */
    public void leave() {
        if ((int) SHARED.getOpaque(this) == VISITED) {
            SHARED.setRelease(this, LEANING);
        } else {
            HELD.setRelease(this, 0);
        }
    }

    /** Ends a visit that failed. The leaning ends too, so that the next to lock comes to see the failure. */
    public void leave(RuntimeException thrown) {
        failure = thrown;
        if (!SHARED.compareAndSet(this, VISITED, SHARED_BY_ALL)) {
            HELD.setRelease(this, 0);
        }
    }

    private RuntimeException takeFailure() {
        RuntimeException thrown = failure;
        failure = null;
        return thrown;
    }

    private void lockSlowly(boolean mine) {
        if (ofOneThread && !mine) {
            throw new RankwireException(ErrorClass.RESOURCE, "thread " + Thread.currentThread().getName()
                    + ", started by the program, calls Rankwire: in a simulation only the thread that has joined the"
                    + " world may, because it is the one that virtual time lets run" + CallSite.find());
        }
        WANTING.getAndAdd(this, 1);
        if (!mine) {
            share();
        }
        for (int tries = 0; !tryLock(); tries++) {
            pause(tries);
        }
        WANTING.getAndAdd(this, -1);
    }

    private boolean tryLock() {
        int how = (int) SHARED.getAcquire(this);
        if (how == LEANING) {
            if (lean()) {
                return true;
            }
            INSIDE.setRelease(this, inside + 1);
            return false;
        }
        return how != VISITED && HELD.compareAndSet(this, 0, 1);
    }

    /** Ends the leaning, on behalf of a thread that is not the owner. */
    private synchronized void share() {
        for (int tries = 0; !SHARED.compareAndSet(this, LEANING, COMING); tries++) {
            if ((int) SHARED.getAcquire(this) == SHARED_BY_ALL) {
                return;
            }
            pause(tries);
        }
        handshake();
        for (int tries = 0; ((int) INSIDE.getAcquire(this) & 1) != 0; tries++) {
            pause(tries);
        }
        SHARED.setVolatile(this, SHARED_BY_ALL);
    }

    /** The JVM stops the owner for a moment, which is a fence too. */
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
