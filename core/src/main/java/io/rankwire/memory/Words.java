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
    /**
     * All memory of the process as one segment, or the empty one if native access is not enabled. Its class, size
     * and lifetime are constants for the compiler: an access to it is one comparison and the instruction itself, where
     * one to a segment of which nothing is known takes a dozen.
     */
    private static final MemorySegment ALL =
            Words.class.getModule().isNativeAccessEnabled() ? allMemory() : MemorySegment.NULL;

    private Words() {}

    @SuppressWarnings("restricted")
    private static MemorySegment allMemory() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /**
     * The segment through which a native segment's bytes are reached fastest; add {@link #origin} to their offsets.
     * Who uses it must keep the segment itself reachable, and must not let its memory go before.
     */
    public static MemorySegment reach(MemorySegment memory) {
        return memory.isNative() && ALL.byteSize() != 0 ? ALL : memory;
    }

    /** What to add to offsets in the segment for {@link #reach} of it. */
    public static long origin(MemorySegment memory) {
        return reach(memory) == ALL ? memory.address() : 0;
    }

    /** Whether memory of any thread can be reached by its address: whether the JVM allows that. */
    public static boolean reachAll() {
        return ALL.byteSize() != 0;
    }

    /**
     * The segment itself, or, if it is confined to another thread, one of the same bytes that this thread may use.
     * The caller makes sure that the other thread does not close the memory meanwhile.
     */
    public static MemorySegment accessible(MemorySegment memory) {
        return isOwn(memory) ? memory : ofAnotherThread(memory);
    }

    /** Whether this thread may touch the memory. */
    public static boolean isOwn(MemorySegment memory) {
        return memory.isAccessibleBy(Thread.currentThread());
    }

    /** For {@link #accessEnded}, before an access to memory that another thread may close. */
    public static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /**
     * An access has failed because its memory was closed. The JVM ends it by a signal that also sets the interrupt
     * status of this thread, which the program has not asked for.
     */
    public static void accessEnded(boolean wasInterrupted) {
        if (!wasInterrupted) {
            Thread.interrupted();
        }
    }

    private static MemorySegment ofAnotherThread(MemorySegment memory) {
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("Already closed");
        }
        if (!reachAll()) {
            throw new WrongThreadException("memory that is confined to another thread");
        }
        return ALL.asSlice(memory.address(), memory.byteSize());
    }

    public static long load(MemorySegment memory, long offset) {
        return memory == ALL ? ALL.get(LONG, offset) : memory.get(LONG, offset);
    }

    public static void store(MemorySegment memory, long offset, long value) {
        if (memory == ALL) {
            ALL.set(LONG, offset, value);
        } else {
            memory.set(LONG, offset, value);
        }
    }

    public static long loadUnaligned(MemorySegment memory, long offset) {
        return memory == ALL ? ALL.get(LONG_UNALIGNED, offset) : memory.get(LONG_UNALIGNED, offset);
    }

    public static void storeUnaligned(MemorySegment memory, long offset, long value) {
        if (memory == ALL) {
            ALL.set(LONG_UNALIGNED, offset, value);
        } else {
            memory.set(LONG_UNALIGNED, offset, value);
        }
    }

    public static long acquire(MemorySegment memory, long offset) {
        return memory == ALL ? (long) WORD.getAcquire(ALL, offset) : (long) WORD.getAcquire(memory, offset);
    }

    public static void release(MemorySegment memory, long offset, long value) {
        if (memory == ALL) {
            WORD.setRelease(ALL, offset, value);
        } else {
            WORD.setRelease(memory, offset, value);
        }
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
