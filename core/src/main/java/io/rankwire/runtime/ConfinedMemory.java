package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.type.OwnedBuffer;
import io.rankwire.type.TypedBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Buffers in memory that belongs to one thread, by {@code Arena.ofConfined()}, while another one may drive the device.
 * While a call of its own thread waits, that thread cannot close it, so others may reach it by its address, if the JVM
 * allows that. Beyond a call nothing would keep the memory alive under a copy: then others have to do without it. What
 * cannot be done so, windows over it and collective calls that do not wait, leaves the rank to one thread, and others
 * are refused. All is called with the device's lock. Decision 24 says more.
 */
public final class ConfinedMemory {
    /** Owns no memory. */
    private static final Thread STRANGER = new Thread();
    private static final int LARGEST_ARRAY = 1 << 30;

    private final DeviceLock lock;
    private final Device device;
    private final int rank;
    private boolean guarded;
    private boolean inCollectives;
    private int inWindows;

    public ConfinedMemory(DeviceLock lock, Device device, int rank) {
        this.lock = lock;
        this.device = device;
        this.rank = rank;
    }

    /** Whether only one thread may touch the memory behind a base. */
    public static boolean is(Object base) {
        Object memory = base instanceof TypedBuffer typed ? typed.memory() : base;
        return memory instanceof MemorySegment segment && !segment.isAccessibleBy(STRANGER);
    }

    /** What the device sends from: a copy, if the call does not wait or other threads cannot reach the memory. */
    public static Object toSend(Object base, long offset, long bytes, boolean waits) {
        if (!is(base) || waits && Words.reachAll()) {
            return base;
        }
        checkOwn(base);
        Object copy = bytes <= LARGEST_ARRAY ? new byte[(int) bytes] : Arena.ofAuto().allocate(bytes, 64);
        Copy.between(base, offset, copy, 0, bytes);
        return copy;
    }

    /** What the device receives into: in the same cases a buffer that the thread of the memory has to settle. */
    public static Object toReceive(Object base, boolean waits) {
        if (!is(base) || waits && Words.reachAll()) {
            return base;
        }
        checkOwn(base);
        return new OwnedBuffer(base);
    }

    /** A persistent request may be started by any thread. */
    private static void checkOwn(Object base) {
        Buffers.checkReachable(base instanceof TypedBuffer typed ? typed.memory() : base);
    }

    /** A collective call, or a work program, is to use this buffer. */
    public void inCollective(Object base, boolean waits) {
        if (is(base) && !(waits && Words.reachAll())) {
            checkOwn(base);
            keepToOneThread("a collective call that does not wait");
            inCollectives = true;
        }
    }

    /** Other ranks are to reach this memory. */
    public void inWindow(Object base) {
        if (is(base)) {
            keepToOneThread("a window");
            inWindows++;
        }
    }

    public void outOfWindow(Object base) {
        if (is(base)) {
            inWindows--;
        }
    }

    /** Whether visitors must leave the device alone. */
    public boolean isOfOneThread() {
        inCollectives &= device.hasOperations();
        return inWindows > 0 || inCollectives;
    }

    private void keepToOneThread(String what) {
        if (lock.isShared()) {
            throw new RankwireException(ErrorClass.BUFFER, "rank " + rank + ": memory of Arena.ofConfined() in " + what
                    + ": several threads of this rank make calls, and each may have to reach it; use Arena.ofShared()"
                    + " or Arena.ofAuto()" + CallSite.find());
        }
        if (!guarded) {
            guarded = true;
            lock.guard(this::checkUnused);
        }
    }

    /** For a thread that comes to the one which has confined memory in use, or had. */
    private void checkUnused() {
        boolean[] used = {inWindows > 0};
        if (inCollectives) {
            device.forEachOperation(operation -> used[0] |= isCollective(operation));
        }
        if (used[0]) {
            throw new RankwireException(ErrorClass.BUFFER, "rank " + rank + ": thread "
                    + Thread.currentThread().getName() + " cannot make calls now: another thread of this rank has"
                    + " memory of Arena.ofConfined() in a window or collective call, which this one cannot reach; use"
                    + " Arena.ofShared() or Arena.ofAuto() there" + CallSite.find());
        }
    }

    private static boolean isCollective(Operation operation) {
        return operation.peer() == Endpoint.NONE && !operation.isDone();
    }
}
