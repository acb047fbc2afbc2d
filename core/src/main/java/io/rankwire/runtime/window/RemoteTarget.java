package io.rankwire.runtime.window;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A part that is not mapped here, in memory that the network reads and writes by itself. A put or get of some length
 * from or to an allocation of this rank is made so, and takes no processor of the owner. All else goes in frames: locks
 * and operations on elements, because the owner's device is the judge of those for all ranks; short accesses, which a
 * frame brings there sooner; and other buffers, which the network does not know. While an operation on elements may be
 * under way, put and get go behind it.
 */
final class RemoteTarget implements Target {
    private final FramedTarget framed;
    /** Operations that were given to the owner's device, and how many of them a flush has found done. */
    private final AtomicLong given = new AtomicLong();
    private volatile long done;

    /**
     * @param place the allocation of the owner that holds the part, which begins at the offset there
     */
    RemoteTarget(FramedTarget framed, long place, long offset) {
        this.framed = framed;
        framed.byEngine(place, offset);
    }

    @Override
    public Target inOrder() {
        return framed;
    }

    @Override
    public Operation begin(long bytes) {
        return framed.begin(bytes);
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay() || !framed.paysByEngine(bytes) || bytes <= framed.mostInFrame()
                || !framed.putByEngine(base, offset, bytes, type, at, operation)) {
            framed.put(base, offset, bytes, type, at, operation);
        }
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay() || !framed.paysByEngine(bytes)
                || !framed.getByEngine(base, offset, bytes, type, at, operation)) {
            framed.get(base, offset, bytes, type, at, operation);
        }
    }

    private boolean isUnderWay() {
        return given.get() != done;
    }

    @Override
    public void accumulate(
            Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        given.incrementAndGet();
        framed.accumulate(op, base, offset, bytes, type, at, operation);
    }

    @Override
    public void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at, Operation operation) {
        given.incrementAndGet();
        framed.fetch(op, base, offset, result, resultOffset, bytes, type, at, operation);
    }

    @Override
    public void compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        given.incrementAndGet();
        framed.compareAndSwap(expected, value, result, resultOffset, type, at);
    }

    @Override
    public void lock(boolean exclusive, String call) {
        framed.lock(exclusive, call);
    }

    @Override
    public void unlock(boolean exclusive) {
        framed.unlock(exclusive);
    }

    @Override
    public void flush(String call) {
        long before = given.get();
        framed.flush(call);
        done = before;
    }

    @Override
    public void flushLocal(String call) {
        framed.flushLocal(call);
    }

    @Override
    public void close() {
        framed.close();
    }
}
