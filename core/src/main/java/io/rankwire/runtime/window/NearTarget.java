package io.rankwire.runtime.window;

import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.runtime.Host;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A part that is mapped here, of a window that ranks of other hosts reach too. Put and get are copies. Locks and
 * operations on elements go to the owner's device, as those of other hosts do, so that each excludes all others. While
 * such an operation may be under way, put and get go behind it.
 */
final class NearTarget implements Target {
    private final Host host;
    private final Target mapped;
    private final Target framed;
    /** Operations that were given to the owner's device, and how many of them a flush has found done. */
    private final AtomicLong given = new AtomicLong();
    private volatile long done;

    NearTarget(Host host, MappedTarget mapped, FramedTarget framed) {
        this.host = host;
        this.mapped = mapped;
        this.framed = framed;
    }

    @Override
    public MemorySegment memory() {
        return mapped.memory();
    }

    @Override
    public Operation begin(long bytes) {
        return framed.begin(bytes);
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay()) {
            framed.put(base, offset, bytes, type, at, operation);
        } else {
            mapped.put(base, offset, bytes, type, at, null);
            end(operation);
        }
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay()) {
            framed.get(base, offset, bytes, type, at, operation);
        } else {
            mapped.get(base, offset, bytes, type, at, null);
            end(operation);
        }
    }

    private boolean isUnderWay() {
        return given.get() != done;
    }

    private void end(Operation operation) {
        if (operation != null) {
            host.lock();
            try {
                host.device.finish(operation, Code.OK);
            } finally {
                host.unlock();
            }
        }
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
        mapped.flush(call);
        if (isUnderWay()) {
            long before = given.get();
            framed.flush(call);
            done = before;
        }
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
