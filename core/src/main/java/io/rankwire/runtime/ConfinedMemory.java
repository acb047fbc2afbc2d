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
 * Handles buffers in memory that only one thread may access ({@code Arena.ofConfined()}), because another thread may
 * drive the device and copy them. While the memory's thread waits in a blocking call it cannot close the memory, so
 * other threads may access it by its address, if the JVM allows that. After a nonblocking call nothing keeps the memory
 * alive, so the device works on a copy that the memory's thread fills or empties. Windows and nonblocking collective
 * calls cannot work on a copy: with them only one thread of the rank may make calls, and calls of other threads fail.
 * Calls with buffers use this class with the device's lock. Decision 24 says more.
 */
public final class ConfinedMemory {
    /** A thread that owns no memory. */
    private static final Thread OTHER_THREAD = new Thread();
    private static final int LARGEST_ARRAY = 1 << 30;

    private final DeviceLock lock;
    private final Device device;
    private final int rank;
    /** Whether the lock checks other threads by {@link #checkUnused}. */
    private boolean guarded;
    /** Whether a nonblocking collective call that may be under way uses confined memory. */
    private boolean inCollectives;
    /** Windows over confined memory. */
    private int inWindows;

    ConfinedMemory(DeviceLock lock, Device device, int rank) {
        this.lock = lock;
        this.device = device;
        this.rank = rank;
    }

    /** Whether only one thread may access the memory of a base. */
    public static boolean is(Object base) {
        Object memory = base instanceof TypedBuffer typed ? typed.memory() : base;
        return memory instanceof MemorySegment segment && !segment.isAccessibleBy(OTHER_THREAD);
    }

    /**
     * Returns the memory that the device sends from: a copy of confined memory if the call does not wait or other
     * threads cannot access the memory, else the base itself.
     */
    public static Object toSend(Object base, long offset, long bytes, boolean waits) {
        if (!is(base) || waits && Words.reachAll()) {
            return base;
        }
        checkOwn(base);
        Object copy = bytes <= LARGEST_ARRAY ? new byte[(int) bytes] : Arena.ofAuto().allocate(bytes, 64);
        Copy.between(base, offset, copy, 0, bytes);
        return copy;
    }

    /** Returns what the device receives into: in the same cases a buffer that the memory's thread has to settle. */
    public static Object toReceive(Object base, boolean waits) {
        if (!is(base) || waits && Words.reachAll()) {
            return base;
        }
        checkOwn(base);
        return new OwnedBuffer(base);
    }

    /** Throws if the memory belongs to another thread, which is possible where a persistent request is started. */
    private static void checkOwn(Object base) {
        Buffers.checkReachable(base instanceof TypedBuffer typed ? typed.memory() : base);
    }

    /** Called when a collective call or a work program is about to use this buffer. */
    public void inCollective(Object base, boolean waits) {
        if (is(base) && !(waits && Words.reachAll())) {
            checkOwn(base);
            keepToOneThread("a collective call that does not wait");
            inCollectives = true;
        }
    }

    /** Called when a window gives other ranks access to this memory. */
    public void inWindow(Object base) {
        if (is(base)) {
            keepToOneThread("a window");
            inWindows++;
        }
    }

    /** Called when the window over this memory ends. */
    public void outOfWindow(Object base) {
        if (is(base)) {
            inWindows--;
        }
    }

    /** Whether a visitor must not drive the device now. */
    boolean isOfOneThread() {
        inCollectives &= device.hasOperations();
        return inWindows > 0 || inCollectives;
    }

    private void keepToOneThread(String what) {
        if (!lock.isBiased()) {
            throw new RankwireException(ErrorClass.BUFFER, "rank " + rank + ": memory of Arena.ofConfined() in " + what
                    + ": several threads of this rank make calls, and each may have to reach it; use Arena.ofShared()"
                    + " or Arena.ofAuto()" + CallSite.find());
        }
        if (!guarded) {
            guarded = true;
            lock.guard(this::checkUnused);
        }
    }

    /** Throws, on another thread that has taken the lock, if confined memory is still in use. */
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
