package io.rankwire.runtime.window;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.lang.foreign.MemorySegment;

/**
 * How one rank's part of a window is reached. Arguments are checked; buffers are bases with byte offsets, {@code at} is
 * a byte of the part. An access may be done later: then the operation, if one is given, is done then.
 */
interface Target {
    /** The part as memory of this process; null if it is not mapped here. */
    default MemorySegment memory() {
        return null;
    }

    /** The way on which accesses are done in the order of their calls. */
    default Target inOrder() {
        return this;
    }

    /** An operation to give to a call below, or null where all is done when the call returns. */
    Operation begin(long bytes);

    void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation);

    void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation);

    void accumulate(Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation);

    /** As {@link #accumulate}; what was there before goes into the result. */
    void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at, Operation operation);

    /** One element, its bits in the lowest of each word. */
    void compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at);

    void lock(boolean exclusive, String call);

    void unlock(boolean exclusive);

    /** Returns when all accesses are done at the target; throws if one was refused. */
    void flush(String call);

    /** Returns when the buffers of all accesses may be used again; throws if one was refused. */
    void flushLocal(String call);

    void close();
}
