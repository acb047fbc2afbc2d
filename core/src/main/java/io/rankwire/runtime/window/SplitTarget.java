package io.rankwire.runtime.window;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A part for which put and get have a way of their own. Locks and operations on elements go to the owner's device in
 * frames, as those of all other ranks do, so that each excludes all others. While such an operation may be under way,
 * put and get go behind it.
 */
abstract class SplitTarget implements Target {
    final FramedTarget framed;
    /** Operations that were given to the owner's device, and how many of them a flush has found done. */
    private final AtomicLong given = new AtomicLong();
    private volatile long done;

    SplitTarget(FramedTarget framed) {
        this.framed = framed;
    }

    final boolean isUnderWay() {
        return given.get() != done;
    }

    /** Returns when the owner's device has done all that it was given before. */
    final void flushOwner(String call) {
        long before = given.get();
        framed.flush(call);
        done = before;
    }

    @Override
    public final Operation begin(long bytes) {
        return framed.begin(bytes);
    }

    @Override
    public final void accumulate(
            Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        given.incrementAndGet();
        framed.accumulate(op, base, offset, bytes, type, at, operation);
    }

    @Override
    public final void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at, Operation operation) {
        given.incrementAndGet();
        framed.fetch(op, base, offset, result, resultOffset, bytes, type, at, operation);
    }

    @Override
    public final void compareAndSwap(
            long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        given.incrementAndGet();
        framed.compareAndSwap(expected, value, result, resultOffset, type, at);
    }

    @Override
    public final void lock(boolean exclusive, String call) {
        framed.lock(exclusive, call);
    }

    @Override
    public final void unlock(boolean exclusive) {
        framed.unlock(exclusive);
    }

    @Override
    public final void flushLocal(String call) {
        framed.flushLocal(call);
    }

    @Override
    public final void close() {
        framed.close();
    }
}
