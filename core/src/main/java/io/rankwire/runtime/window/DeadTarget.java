package io.rankwire.runtime.window;

import io.rankwire.device.Operation;
import io.rankwire.fabric.PeerLost;
import io.rankwire.runtime.CallSite;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.lang.foreign.MemorySegment;

/** The part of a rank that is dead: each access ends with an error. */
record DeadTarget(WindowEndpoint window, int rank, PeerLost cause) implements Target {
    private RuntimeException error(String call) {
        return window.lost(call + " at rank " + rank + " on " + window.name() + CallSite.find(), cause);
    }

    @Override
    public MemorySegment memory() {
        throw error("shared");
    }

    @Override
    public Operation begin(long bytes) {
        throw error("access");
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        throw error("put");
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        throw error("get");
    }

    @Override
    public void accumulate(
            Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        throw error("accumulate");
    }

    @Override
    public void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at, Operation operation) {
        throw error("getAccumulate");
    }

    @Override
    public void compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        throw error("compareAndSwap");
    }

    @Override
    public void lock(boolean exclusive, String call) {
        throw error(call);
    }

    @Override
    public void unlock(boolean exclusive) {
        // There is nothing left to unlock.
    }

    @Override
    public void flush(String call) {
        throw error(call);
    }

    @Override
    public void flushLocal(String call) {
        throw error(call);
    }

    @Override
    public void close() {
        // There is nothing left to close.
    }
}
