package io.rankwire.fabric.ofi;

import java.lang.foreign.MemorySegment;

/** A counter of the provider, which operations that end count up, and which deferred work waits for. */
final class Counter {
    final Fid fid;
    private final MemorySegment read;
    private final MemorySegment readErrors;
    private final MemorySegment add;
    private final MemorySegment set;

    Counter(Fid fid) {
        this.fid = fid;
        read = fid.required(Abi.OBJECT_OPS, Abi.CNTR_READ, "counters");
        readErrors = fid.required(Abi.OBJECT_OPS, Abi.CNTR_READERR, "counters");
        add = fid.required(Abi.OBJECT_OPS, Abi.CNTR_ADD, "counters");
        set = fid.required(Abi.OBJECT_OPS, Abi.CNTR_SET, "counters");
    }

    long value() {
        return Calls.call(read, fid.address);
    }

    /** Operations that ended with an error; they are not in {@link #value}. */
    long errors() {
        return Calls.call(readErrors, fid.address);
    }

    int add(long value) {
        return (int) Calls.call(add, fid.address, value);
    }

    int set(long value) {
        return (int) Calls.call(set, fid.address, value);
    }

    int close() {
        return fid.close();
    }
}
