package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers that messages arrive in, one behind the other, and the messages that have arrived. A buffer is posted again
 * when the provider has given it back and all its messages have been delivered.
 */
final class Inbox {
    private static final int BUFFERS = 4;
    private static final int BYTES = 1 << 19;
    /** Arrivals that are kept; completions are not read while there is no room for more. */
    private static final int KEPT = 1 << 10;

    private final Engine engine;
    private final long memory;
    private final long contexts;
    private final long desc;
    private final List<Region> regions = new ArrayList<>();
    private final int[] undelivered = new int[BUFFERS];
    private final boolean[] isPosted = new boolean[BUFFERS];
    private int posted;
    private final long[] addresses = new long[KEPT];
    private final int[] lengths = new int[KEPT];
    private final byte[] buffers = new byte[KEPT];
    private int first;
    private int count;

    Inbox(Engine engine, Arena arena) {
        this.engine = engine;
        memory = arena.allocate((long) BUFFERS * BYTES, 4 << 10).address();
        contexts = Raw.allocate(arena, (long) BUFFERS * Abi.CONTEXT);
        desc = engine.provider.needs(Abi.FI_MR_LOCAL)
                ? Slots.register(engine, regions, memory, (long) BUFFERS * BYTES, Abi.FI_RECV).desc : 0;
        // A provider that does not let this be chosen gives a buffer back when it is full, which is as good.
        engine.leastFree(Message.MOST_BYTES);
    }

    /** Posts all buffers that are free; those that the provider does not take now are tried again. */
    void post() {
        if (posted == BUFFERS) {
            return;
        }
        for (int i = 0; i < BUFFERS; i++) {
            if (!isPosted[i] && undelivered[i] == 0) {
                long code = engine.receiveMany(memory + (long) i * BYTES, BYTES, desc,
                        contexts + (long) i * Abi.CONTEXT);
                if (code == 0) {
                    isPosted[i] = true;
                    posted++;
                } else if ((int) code != -Abi.FI_EAGAIN) {
                    throw new FabricException("libfabric (" + engine.provider.name()
                            + ") takes no buffer for messages: " + engine.library.text(code), null);
                } else {
                    return;
                }
            }
        }
    }

    /** Whether the context is that of a buffer. */
    boolean has(long context) {
        long index = context - contexts >> 6;
        return index >= 0 && index < BUFFERS;
    }

    boolean hasRoom(int arrivals) {
        return count + arrivals <= KEPT;
    }

    /** A message has come, or a buffer was given back, or both. */
    void arrived(long context, long flags, long address, long bytes, boolean isMessage) {
        int buffer = (int) (context - contexts >> 6);
        if ((flags & Abi.FI_MULTI_RECV) != 0 && isPosted[buffer]) {
            isPosted[buffer] = false;
            posted--;
        }
        long start = memory + (long) buffer * BYTES;
        // What the library says is checked like what a peer says: these numbers become addresses.
        if (isMessage && address >= start && bytes > 0 && bytes <= start + BYTES - address) {
            int at = (first + count++) % KEPT;
            addresses[at] = address;
            lengths[at] = (int) bytes;
            buffers[at] = (byte) buffer;
            undelivered[buffer]++;
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The message that has come first, and its bytes. */
    long address() {
        return addresses[first];
    }

    int length() {
        return lengths[first];
    }

    /** The first message was delivered, or dropped. */
    void remove() {
        undelivered[buffers[first]]--;
        first = (first + 1) % KEPT;
        count--;
    }

    void cancel() {
        for (int i = 0; i < BUFFERS; i++) {
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
