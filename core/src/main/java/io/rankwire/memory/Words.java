package io.rankwire.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

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

    /** A thread that owns no memory. */
    private static final Thread NO_THREAD = new Thread();

    /** Kinds of access for {@link #elsewhere}. */
    private static final int LOAD = 0;
    private static final int STORE = 1;
    private static final int LOAD_UNALIGNED = 2;
    private static final int STORE_UNALIGNED = 3;
    private static final int ACQUIRE = 4;
    private static final int RELEASE = 5;

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

    /**
     * The bytes of a native segment until the arena is closed; then an access to them throws. Only if {@link #reachAll}
     * allows it. The segment itself stays reachable as long as the arena is open.
     */
    @SuppressWarnings("restricted")
    public static MemorySegment until(MemorySegment memory, Arena end) {
        return memory.reinterpret(end, ended -> Reference.reachabilityFence(memory));
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

    /**
     * The segment itself, or, if it is confined to one thread, one of the same bytes that any thread may use. The
     * caller makes sure that the thread does not close the memory meanwhile.
     */
    public static MemorySegment ofAnyThread(MemorySegment memory) {
        return memory.isAccessibleBy(NO_THREAD) ? memory : ofAnotherThread(memory);
    }

    /** The whole array as a segment, or null if it is no array or Java has no such view of it. */
    public static MemorySegment ofArray(Object array) {
        return switch (array) {
            case byte[] a -> MemorySegment.ofArray(a);
            case double[] a -> MemorySegment.ofArray(a);
            case int[] a -> MemorySegment.ofArray(a);
            case long[] a -> MemorySegment.ofArray(a);
            case float[] a -> MemorySegment.ofArray(a);
            case char[] a -> MemorySegment.ofArray(a);
            case short[] a -> MemorySegment.ofArray(a);
            default -> null;
        };
    }

    /** Whether {@link #ofArray} gives a segment, or the object is the segment of an array. */
    public static boolean isArray(Object memory) {
        return memory instanceof byte[] || memory instanceof double[] || memory instanceof int[]
                || memory instanceof long[] || memory instanceof float[] || memory instanceof char[]
                || memory instanceof short[] || memory instanceof MemorySegment segment && !segment.isNative();
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
        return memory == ALL ? ALL.get(LONG, offset) : elsewhere(LOAD, memory, offset, 0);
    }

    public static void store(MemorySegment memory, long offset, long value) {
        if (memory == ALL) {
            ALL.set(LONG, offset, value);
        } else {
            elsewhere(STORE, memory, offset, value);
        }
    }

    public static long loadUnaligned(MemorySegment memory, long offset) {
        return memory == ALL ? ALL.get(LONG_UNALIGNED, offset) : elsewhere(LOAD_UNALIGNED, memory, offset, 0);
    }

    public static void storeUnaligned(MemorySegment memory, long offset, long value) {
        if (memory == ALL) {
            ALL.set(LONG_UNALIGNED, offset, value);
        } else {
            elsewhere(STORE_UNALIGNED, memory, offset, value);
        }
    }

    public static long acquire(MemorySegment memory, long offset) {
        return memory == ALL ? (long) WORD.getAcquire(ALL, offset) : elsewhere(ACQUIRE, memory, offset, 0);
    }

    /**
     * As {@link #acquire}, but orders nothing: a first look, after which the caller reads again in order if the word
     * has changed.
     */
    public static long glance(MemorySegment memory, long offset) {
        return memory == ALL ? (long) WORD.getOpaque(ALL, offset) : elsewhere(ACQUIRE, memory, offset, 0);
    }

    public static void release(MemorySegment memory, long offset, long value) {
        if (memory == ALL) {
            WORD.setRelease(ALL, offset, value);
        } else {
            elsewhere(RELEASE, memory, offset, value);
        }
    }

    /**
     * An access to memory other than {@link #ALL}. One method for all kinds of access, too long for the JVM's first
     * compiler to inline: it would compile all layers of a segment once more at every call of the methods above, which
     * doubles its work in the first second of a program. The second compiler inlines it where it is used.
     */
    private static long elsewhere(int access, MemorySegment memory, long offset, long value) {
        switch (access) {
            case LOAD:
                return memory.get(LONG, offset);
            case LOAD_UNALIGNED:
                return memory.get(LONG_UNALIGNED, offset);
            case ACQUIRE:
                return (long) WORD.getAcquire(memory, offset);
            case STORE:
                memory.set(LONG, offset, value);
                return 0;
            case STORE_UNALIGNED:
                memory.set(LONG_UNALIGNED, offset, value);
                return 0;
            default:
                WORD.setRelease(memory, offset, value);
                return 0;
        }
    }

    /** A store that no later load of this thread may pass. */
    public static void ordered(MemorySegment memory, long offset, long value) {
        WORD.setVolatile(memory, offset, value);
    }

    /** A load that passes no earlier {@link #ordered(MemorySegment, long, long) ordered} store or compare-and-set. */
    public static long ordered(MemorySegment memory, long offset) {
        return (long) WORD.getVolatile(memory, offset);
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
