package io.rankwire.runtime.window;

import io.rankwire.device.Operation;
import io.rankwire.memory.Words;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Host;
import io.rankwire.type.Combinations;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import io.rankwire.type.TypedBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * A part that is mapped here: loads, stores and copies, all done when the call returns, with no help of its owner. The
 * origin does operations on elements while it holds a word that one rank at a time can hold. A lock has a word for the
 * rank that has it alone, and one for each rank that may share it. All words name their holders, so that what a dead
 * rank holds can be given on. A rank waits for such a word as for a message, so that the end of the job ends the wait.
 *
 * <pre>
 *   0  lock: 0 free, rank + 1 of the rank that has it alone, or waits for those that share it
 *   8  1 as soon as a rank has shared it
 *  64  elements: 0 free, rank + 1 of the rank that changes some now
 * 128  for each rank: 1 while it shares the lock
 * </pre>
 */
final class MappedTarget implements Target {
    private static final int LOCK = 0;
    private static final int SHARED = 8;
    private static final int ELEMENTS = 64;
    private static final int SHARES = 128;
    private static final int SPINS = 2_000;
    private static final int MOST_COPIED = 1 << 30;

    private final WindowEndpoint window;
    private final Host host;
    private final int rank;
    private final MemorySegment memory;
    private final MemorySegment control;
    /** Used by the rank that holds the word of elements. */
    private final Combinations combinations = new Combinations();

    /** Returns the bytes that the words of one part take in a window of this number of ranks. */
    static long controlBytes(int ranks) {
        return SHARES + (long) Long.BYTES * ranks;
    }

    MappedTarget(WindowEndpoint window, Host host, int rank, MemorySegment memory, MemorySegment control) {
        this.window = window;
        this.host = host;
        this.rank = rank;
        this.memory = memory;
        this.control = control;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public Operation begin(long bytes) {
        return null;
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        try {
            write(base, offset, bytes, type, at);
        } catch (IllegalStateException e) {
            throw ended(e, "put");
        }
    }

    /** As {@link #put}, for the thread that drives the device. */
    void write(Object base, long offset, long bytes, ElementType type, long at) {
        if (bytes == 8 && base instanceof long[] a) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, a[(int) (offset >>> 3)]);
            return;
        }
        if (bytes == 8 && base instanceof double[] a) {
            memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, a[(int) (offset >>> 3)]);
            return;
        }
        if (type == ElementType.RAW && base instanceof MemorySegment from) {
            MemorySegment.copy(from, offset, memory, at, bytes);
            return;
        }
        for (long done = 0; done < bytes; done += MOST_COPIED) {
            Copy.out(base, offset + done, memory, at + done, (int) Math.min(MOST_COPIED, bytes - done));
        }
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        try {
            read(base, offset, bytes, type, at);
        } catch (IllegalStateException e) {
            throw ended(e, "get");
        }
    }

    /** As {@link #get}, for the thread that drives the device. */
    void read(Object base, long offset, long bytes, ElementType type, long at) {
        if (bytes == 8 && base instanceof long[] a) {
            a[(int) (offset >>> 3)] = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            return;
        }
        if (bytes == 8 && base instanceof double[] a) {
            a[(int) (offset >>> 3)] = memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
            return;
        }
        if (type == ElementType.RAW && base instanceof MemorySegment to) {
            MemorySegment.copy(memory, at, to, offset, bytes);
            return;
        }
        for (long done = 0; done < bytes; done += MOST_COPIED) {
            Copy.in(memory, at + done, base, offset + done, (int) Math.min(MOST_COPIED, bytes - done));
        }
    }

    @Override
    public void accumulate(
            Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        fetch(op, base, offset, null, 0, bytes, type, at, operation);
    }

    /** Combines; a result that is not null gets what was there before. */
    @Override
    public void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at, Operation operation) {
        try {
            hold();
            fetchHeld(op, base, offset, result, resultOffset, bytes, type, at);
        } catch (IllegalStateException e) {
            throw ended(e, "accumulate");
        }
    }

    /** As {@link #fetch}, for the thread that drives the device: false if another rank changes elements now. */
    boolean tryFetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at) {
        boolean held = tryHoldOfDead();
        if (held) {
            fetchHeld(op, base, offset, result, resultOffset, bytes, type, at);
        }
        return held;
    }

    private void fetchHeld(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at) {
        try {
            MemorySegment operand = view(base, offset, bytes);
            long from = base instanceof boolean[] || base instanceof TypedBuffer ? 0 : offset;
            if (result != null) {
                read(result, resultOffset, bytes, type, at);
            }
            combinations.apply(op, type, memory, at, operand, from, bytes / type.bytes());
        } finally {
            letGo();
        }
    }

    @Override
    public void compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        try {
            hold();
            swapHeld(expected, value, result, resultOffset, type, at);
        } catch (IllegalStateException e) {
            throw ended(e, "compareAndSwap");
        }
    }

    /** As {@link #compareAndSwap}, for the thread that drives the device: false as above. */
    boolean tryCompareAndSwap(
            long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        boolean held = tryHoldOfDead();
        if (held) {
            swapHeld(expected, value, result, resultOffset, type, at);
        }
        return held;
    }

    private void swapHeld(long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        try {
            read(result, resultOffset, type.bytes(), type, at);
            if (element(memory, type, at) == expected) {
                element(type, at, value);
            }
        } finally {
            letGo();
        }
    }

    /** The bits of an element, in the lowest of a word. */
    static long element(MemorySegment memory, ElementType type, long at) {
        return switch (type.bytes()) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, at) & 0xFFL;
            case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0xFFFFL;
            case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xFFFF_FFFFL;
            default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        };
    }

    private void element(ElementType type, long at, long value) {
        switch (type.bytes()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
            case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
            default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
        }
    }

    /** The operand as a segment: the whole array, or, where Java has no such view, a copy of the bytes. */
    static MemorySegment view(Object base, long offset, long bytes) {
        MemorySegment whole = Copy.segment(base);
        if (whole != null) {
            return whole;
        }
        byte[] copy = new byte[(int) bytes];
        Copy.toBytes(base, offset, copy);
        return MemorySegment.ofArray(copy);
    }

    private void hold() {
        for (int spins = 0; !tryHold(); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            await(this::tryHoldOfDead, "accumulate", ELEMENTS);
            return;
        }
    }

    private boolean tryHold() {
        return Words.acquire(control, ELEMENTS) == 0 && Words.compareAndSet(control, ELEMENTS, 0, window.rank() + 1L);
    }

    private boolean tryHoldOfDead() {
        return tryHold() || isFromDead(ELEMENTS) && tryHold();
    }

    private void letGo() {
        Words.release(control, ELEMENTS, 0);
    }

    @Override
    public void lock(boolean exclusive, String call) {
        try {
            if (!exclusive) {
                if (!tryShare()) {
                    awaitUsable(() -> tryShare() || isFromDead(LOCK) && tryShare(), call, LOCK, false);
                }
            } else if (!takeAlone() || Words.ordered(control, SHARED) != 0 && sharer() >= 0) {
                awaitAlone(call);
            }
        } catch (IllegalStateException e) {
            throw ended(e, call);
        } catch (RuntimeException e) {
            leave(exclusive);
            throw e;
        }
    }

    /** What an access has to throw: the owner may have freed its part. */
    private RuntimeException ended(IllegalStateException e, String call) {
        return isGone() ? window.gone(call, rank) : e;
    }

    /** Whether the owner has freed its part. */
    boolean isGone() {
        return !memory.scope().isAlive() || control != null && !control.scope().isAlive();
    }

    private void awaitAlone(String call) {
        if (Words.acquire(control, LOCK) != window.rank() + 1) {
            awaitUsable(() -> tryAlone() || isFromDead(LOCK) && tryAlone(), call, LOCK, true);
        }
        awaitUsable(() -> sharer() < 0, call, SHARES, true);
    }

    /** Waits for a lock as long as the rank lives to whose part it belongs, and the window is not revoked. */
    private void awaitUsable(BooleanSupplier condition, String call, int word, boolean exclusive) {
        await(() -> window.isDead(rank) || window.isRevoked() || condition.getAsBoolean(), call, word);
        if (window.isDead(rank)) {
            // The part of a dead rank throws.
            window.target(rank).lock(exclusive, call);
        }
        if (window.isRevoked()) {
            throw window.interruption(call + " at rank " + rank);
        }
    }

    /**
     * Gives back a lock that this rank has or waited for; does nothing if another rank has taken it because this one
     * was declared dead.
     */
    private void leave(boolean exclusive) {
        try {
            if (exclusive) {
                Words.compareAndSet(control, LOCK, window.rank() + 1L, 0);
            } else {
                Words.ordered(control, shareOf(window.rank()), 0);
            }
        } catch (IllegalStateException e) {
            checkFreed(e);
        }
    }

    /** The owner of a lock may have freed the window alone, because a member is dead or the window was revoked. */
    private void checkFreed(IllegalStateException e) {
        if (control.scope().isAlive()) {
            throw e;
        }
    }

    private boolean tryShare() {
        if (Words.acquire(control, LOCK) != 0) {
            return false;
        }
        if (Words.acquire(control, SHARED) == 0) {
            Words.ordered(control, SHARED, 1);
        }
        Words.ordered(control, shareOf(window.rank()), 1);
        if (Words.ordered(control, LOCK) == 0) {
            return true;
        }
        Words.ordered(control, shareOf(window.rank()), 0);
        return false;
    }

    private static long shareOf(int of) {
        return SHARES + (long) Long.BYTES * of;
    }

    /** For a rank that waits: the word is written only when it is free. */
    private boolean tryAlone() {
        return Words.acquire(control, LOCK) == 0 && takeAlone();
    }

    private boolean takeAlone() {
        return Words.compareAndSet(control, LOCK, 0, window.rank() + 1L);
    }

    /** A rank that shares the lock and is not dead, or -1. */
    private int sharer() {
        for (int of = 0; of < window.size(); of++) {
            if (Words.ordered(control, shareOf(of)) != 0 && !window.isDead(of)) {
                return of;
            }
        }
        return -1;
    }

    /** Frees a word that a dead rank holds; whether this call or another rank has. */
    private boolean isFromDead(int word) {
        long now = Words.acquire(control, word);
        if (now != 0 && window.isDead((int) now - 1)) {
            Words.compareAndSet(control, word, now, 0);
            return true;
        }
        return false;
    }

    @Override
    public void unlock(boolean exclusive) {
        leave(exclusive);
    }

    @Override
    public void flush(String call) {
        VarHandle.fullFence();
    }

    @Override
    public void flushLocal(String call) {
        // What is local was done with each call.
    }

    @Override
    public void close() {
        // The mapping goes when its owner frees it.
    }

    private void await(BooleanSupplier condition, String call, int word) {
        host.lock();
        try {
            host.await(condition, new Host.Waiting() {
                @Override
                public String describe() {
                    int holder = holder();
                    return call + " at rank " + rank + " on " + window.name() + ", held by "
                            + (holder < 0 ? "nobody now" : "rank " + holder) + CallSite.find();
                }

                private int holder() {
                    return word == SHARES ? sharer() : (int) Words.acquire(control, word) - 1;
                }

                @Override
                public int peer() {
                    int holder = holder();
                    return holder < 0 ? -1 : window.worldRank(holder);
                }
            });
        } finally {
            host.unlock();
        }
    }
}
