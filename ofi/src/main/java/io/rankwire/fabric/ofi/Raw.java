package io.rankwire.fabric.ofi;

import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory by its address, without bounds: structures of C, and buffers that are passed to the library. */
final class Raw {
    /** All memory of the process. Known to the compiler as a constant, so that an access is one instruction. */
    static final MemorySegment ALL = all();

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private Raw() {}

    private static MemorySegment all() {
        if (!Words.reachAll()) {
            throw new IllegalStateException("libfabric needs native access: start Java with "
                    + "--enable-native-access=ALL-UNNAMED");
        }
        return Words.reach(MemorySegment.NULL);
    }

    static long word(long address) {
        return ALL.get(LONG, address);
    }

    static void word(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static int half(long address) {
        return ALL.get(INT, address);
    }

    static void half(long address, int value) {
        ALL.set(INT, address, value);
    }

    /** The text at an address; null for a null pointer. */
    static String text(long address) {
        return address == 0 ? null : ALL.getString(address);
    }

    static void clear(long address, long bytes) {
        ALL.asSlice(address, bytes).fill((byte) 0);
    }

    static byte[] bytes(long address, int count) {
        return ALL.asSlice(address, count).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Memory full of zeros, on a cache line of its own. */
    static long allocate(Arena arena, long bytes) {
        return arena.allocate(bytes, Abi.CONTEXT).address();
    }

    static long allocate(Arena arena, String text) {
        return text == null ? 0 : arena.allocateFrom(text).address();
    }
}
