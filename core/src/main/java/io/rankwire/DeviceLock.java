package io.rankwire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock on a device. Most programs call from one thread, so the lock starts out leaning towards the thread that made
 * it: that one comes and goes with plain stores. The first other thread ends this for good: it raises {@code shared},
 * makes the owner pass a handshake of the JVM, and from then on everyone takes the lock by compare-and-set.
 *
 * <p>Why that is safe: the owner stores {@code inside} and then loads {@code shared}. Without a fence the load may pass
 * the store, but not across a handshake. If the owner stored before the handshake, the other thread sees {@code inside}
 * and waits; if after, the owner sees {@code shared} and backs out.
 */
final class DeviceLock {
    private static final int LEANING = 0;
    private static final int COMING = 1;
    private static final int SHARED_BY_ALL = 2;

    private static final VarHandle INSIDE;
    private static final VarHandle SHARED;
    private static final VarHandle HELD;

    static {
        try {
            var lookup = MethodHandles.lookup();
            INSIDE = lookup.findVarHandle(DeviceLock.class, "inside", int.class);
            SHARED = lookup.findVarHandle(DeviceLock.class, "shared", int.class);
            HELD = lookup.findVarHandle(DeviceLock.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Thread owner = Thread.currentThread();
    /** 1 while the owner has the lock by leaning. Written by the owner only. */
    private int inside;
    /** Only goes up: the owner's alone, another thread has come, the owner is known to have seen it. */
    private int shared;
    private int held;
    private volatile int wanting;

    void lock() {
        if (Thread.currentThread() == owner) {
            INSIDE.setOpaque(this, 1);
            if ((int) SHARED.getOpaque(this) == LEANING) {
                return;
            }
        }
        lockShared();
    }

    private void lockShared() {
        boolean mine = Thread.currentThread() == owner;
        if (mine) {
            INSIDE.setRelease(this, 0);
        }
        if (!mine && (int) SHARED.getAcquire(this) != SHARED_BY_ALL || !HELD.compareAndSet(this, 0, 1)) {
            lockSlowly();
        }
    }

    void unlock() {
        if (inside == 1 && Thread.currentThread() == owner) {
            INSIDE.setRelease(this, 0);
        } else {
            HELD.setRelease(this, 0);
        }
    }

    /** Whether another thread waits for the lock; the holder should let go soon. */
    boolean wanted() {
        return wanting != 0;
    }

    private void lockSlowly() {
        changeWanting(1);
        share();
        for (int tries = 0; !HELD.compareAndSet(this, 0, 1); tries++) {
            pause(tries);
        }
        changeWanting(-1);
    }

    private synchronized void share() {
        if (shared == SHARED_BY_ALL || Thread.currentThread() == owner) {
            return;
        }
        SHARED.setVolatile(this, COMING);
        owner.getStackTrace();
        for (int tries = 0; (int) INSIDE.getAcquire(this) == 1; tries++) {
            pause(tries);
        }
        SHARED.setVolatile(this, SHARED_BY_ALL);
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

    private synchronized void changeWanting(int by) {
        wanting += by;
    }
}
