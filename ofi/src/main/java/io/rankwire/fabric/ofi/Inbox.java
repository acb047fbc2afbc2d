package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Buffers that messages arrive in, one behind the other, and the messages that have arrived. A buffer is posted again
 * when the provider has given it back, all its messages have come whole, and all have been delivered. Some providers
 * give it back with the message that began last, while one that began earlier is still arriving: so the bytes that have
 * come are counted. Some give it back without a message, as {@code ofi_rxm} does if messages that had waited fill it
 * when it is posted: then it is whole when its messages leave no gap, and less room than the longest needs. A buffer
 * with a message that never ends, because its sender has died, is replaced by another.
 */
final class Inbox {
    private static final int USUAL = 4;
    private static final int MOST = 64;
    private static final int BYTES = 1 << 20;
    private static final int NONE = -1;
    /** The extent of a buffer that was given back without a message. */
    private static final long UNKNOWN = -1;

    private final Engine engine;
    private final Arena arena;
    private final long contexts;
    private final List<Region> regions = new ArrayList<>();
    private int made;
    private int posted;
    private final long[] starts = new long[MOST];
    private final long[] descs = new long[MOST];
    private final boolean[] isPosted = new boolean[MOST];
    /** Bytes that have come, those that are there in all once the buffer was given back, and messages not delivered. */
    private final long[] come = new long[MOST];
    private final long[] extent = new long[MOST];
    /** The end of the last message that has come. */
    private final long[] top = new long[MOST];
    private final int[] undelivered = new int[MOST];
    /** Messages that have come, at most as many as there is room for in the buffers: those that were not taken yet. */
    private long[] addresses = new long[0];
    private int[] lengths = new int[0];
    private byte[] buffers = new byte[0];
    private int[] next = new int[0];
    private int free = NONE;
    private int first = NONE;
    private int last = NONE;

    Inbox(Engine engine, Arena arena) {
        this.engine = engine;
        this.arena = arena;
        contexts = Raw.allocate(arena, (long) MOST * Abi.CONTEXT);
        for (int i = 0; i < USUAL; i++) {
            make();
        }
        // A provider that does not let this be chosen gives a buffer back when it is full, which is as good.
        engine.leastFree(Message.MOST_BYTES);
    }

    private void make() {
        long start = arena.allocate(BYTES, 4 << 10).address();
        starts[made] = start;
        descs[made] = engine.provider.needs(Abi.FI_MR_LOCAL)
                ? Slots.register(engine, regions, start, BYTES, Abi.FI_RECV).desc : 0;
        made++;
    }

    private boolean isFree(int buffer) {
        return !isPosted[buffer] && undelivered[buffer] == 0 && isWhole(buffer);
    }

    /** Whether no message is still arriving there. */
    private boolean isWhole(int buffer) {
        return extent[buffer] == UNKNOWN
                ? come[buffer] == top[buffer] && BYTES - top[buffer] < Message.MOST_BYTES
                : come[buffer] >= extent[buffer];
    }

    /** Posts all buffers that are free; those that the provider does not take now are tried again. */
    void post() {
        if (posted >= USUAL) {
            return;
        }
        int stuck = 0;
        for (int i = 0; i < made && posted < USUAL; i++) {
            if (isFree(i)) {
                long code = engine.receiveMany(starts[i], BYTES, descs[i], contexts + (long) i * Abi.CONTEXT);
                if ((int) code == -Abi.FI_EAGAIN) {
                    return;
                } else if (code != 0) {
                    throw new FabricException("libfabric (" + engine.provider.name()
                            + ") takes no buffer for messages: " + engine.library.text(code), null);
                }
                isPosted[i] = true;
                posted++;
                come[i] = 0;
                top[i] = 0;
                extent[i] = Long.MAX_VALUE;
            } else if (!isPosted[i] && undelivered[i] == 0) {
                stuck++;
            }
        }
        if (posted == 0 && stuck >= made - 1 && made < MOST) {
            make();
        }
    }

    /** Whether the context is that of a buffer. */
    boolean has(long context) {
        long index = context - contexts >> 6;
        return index >= 0 && index < made;
    }

    /** A message has come, or a buffer was given back, or both. */
    void arrived(long context, long flags, long address, long bytes) {
        int buffer = (int) (context - contexts >> 6);
        long start = starts[buffer];
        // What the library says is checked like what a peer says: these numbers become addresses.
        boolean isMessage = address >= start && bytes > 0 && bytes <= start + BYTES - address;
        if ((flags & Abi.FI_MULTI_RECV) != 0) {
            givenBack(buffer, isMessage ? address + bytes - start : UNKNOWN);
        }
        if (isMessage) {
            come[buffer] += bytes;
            top[buffer] = Math.max(top[buffer], address + bytes - start);
            undelivered[buffer]++;
            add(buffer, address, (int) bytes);
        }
    }

    /** The buffer was cancelled. */
    void cancelled(long context) {
        givenBack((int) (context - contexts >> 6), 0);
    }

    private void givenBack(int buffer, long bytes) {
        if (isPosted[buffer]) {
            isPosted[buffer] = false;
            posted--;
            extent[buffer] = bytes;
        }
    }

    private void add(int buffer, long address, int bytes) {
        if (free == NONE) {
            grow();
        }
        int at = free;
        free = next[at];
        next[at] = NONE;
        if (first == NONE) {
            first = at;
        } else {
            next[last] = at;
        }
        last = at;
        addresses[at] = address;
        lengths[at] = bytes;
        buffers[at] = (byte) buffer;
    }

    private void grow() {
        int count = addresses.length;
        int more = Math.max(64, count);
        addresses = Arrays.copyOf(addresses, count + more);
        lengths = Arrays.copyOf(lengths, count + more);
        buffers = Arrays.copyOf(buffers, count + more);
        next = Arrays.copyOf(next, count + more);
        for (int i = count; i < count + more; i++) {
            next[i] = free;
            free = i;
        }
    }

    boolean isEmpty() {
        return first == NONE;
    }

    /** Takes the message that has come first; it stays where it is until it is given back. */
    int take() {
        int taken = first;
        first = next[taken];
        next[taken] = NONE;
        return taken;
    }

    long address(int message) {
        return addresses[message];
    }

    int length(int message) {
        return lengths[message];
    }

    /** The message was delivered, or dropped. */
    void give(int message) {
        undelivered[buffers[message]]--;
        next[message] = free;
        free = message;
    }

    void cancel() {
        for (int i = 0; i < made; i++) {
            if (isPosted[i]) {
                engine.cancel(contexts + (long) i * Abi.CONTEXT);
            }
        }
    }

    boolean isCancelled() {
        return posted == 0;
    }

    void close() {
        regions.forEach(Region::close);
    }
}
