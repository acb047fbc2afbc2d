package io.rankwire.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Access to single words of a segment, named by memory order. Between two processes that map the same file these orders
 * are those of the hardware: the language's memory model does not speak of other processes (docs/decisions/04).
 */
public final class Words {
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    public static final ValueLayout.OfLong LONG_UNALIGNED = ValueLayout.JAVA_LONG_UNALIGNED;
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final VarHandle WORD = LONG.varHandle().withInvokeExactBehavior();

    private Words() {}

    public static long plain(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    public static void plain(MemorySegment memory, long offset, long value) {
        memory.set(LONG, offset, value);
    }

    public static long acquire(MemorySegment memory, long offset) {
        return (long) WORD.getAcquire(memory, offset);
    }

    public static void release(MemorySegment memory, long offset, long value) {
        WORD.setRelease(memory, offset, value);
    }

    /** A store that no later load of this thread may pass. */
    public static void ordered(MemorySegment memory, long offset, long value) {
        WORD.setVolatile(memory, offset, value);
    }

    public static long or(MemorySegment memory, long offset, long bits) {
        return (long) WORD.getAndBitwiseOr(memory, offset, bits);
    }

    public static long swap(MemorySegment memory, long offset, long value) {
        return (long) WORD.getAndSet(memory, offset, value);
    }

    public static long add(MemorySegment memory, long offset, long delta) {
        return (long) WORD.getAndAdd(memory, offset, delta);
    }

    public static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return WORD.compareAndSet(memory, offset, expected, value);
    }
}
