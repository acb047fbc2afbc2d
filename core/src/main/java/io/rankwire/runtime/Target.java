package io.rankwire.runtime;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/**
 * How one rank's part of a window is reached. Arguments are checked; buffers are bases with byte offsets, {@code at} is
 * a byte of the part. An access may be done later: then the operation, if one is given, tells when.
 */
public interface Target {
    /** An operation to give to a call below, or null where all is done when the call returns. */
    public Operation begin(long bytes);

    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation);

    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation);

    public void accumulate(
            Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation);

    /** As {@link #accumulate}; what was there before goes into the result. */
    public void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes, ElementType type,
            long at, Operation operation);

    /** One element, its bits in the lowest of each word. */
    public void compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at);

    public void lock(boolean exclusive, String call);

    public void unlock(boolean exclusive);

    /** Returns when all accesses are done at the target; throws if one was refused. */
    public void flush(String call);

    /** Returns when the buffers of all accesses may be used again; throws if one was refused. */
    public void flushLocal(String call);

    public void close();
}
