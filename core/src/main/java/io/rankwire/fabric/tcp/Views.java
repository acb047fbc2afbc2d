package io.rankwire.fabric.tcp;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Memory of the program as buffers for channels. Programs use the same memory again, so the last few are kept. */
final class Views {
    private static final int KEPT = 8;
    /** A buffer has at most 2 GiB, so each begins at a multiple of this, and ends anywhere in the next. */
    private static final int WINDOW = 30;

    /** What is seen: native segments, and arrays. */
    private final Object[] memory = new Object[KEPT];
    private final long[] windows = new long[KEPT];
    private final ByteBuffer[] views = new ByteBuffer[KEPT];
    private final MemorySegment[] arrays = new MemorySegment[KEPT];
    private int next;
    private boolean used;

    /** A buffer of the memory, in which the offset is at {@link #at}. Its position and limit are the caller's. */
    ByteBuffer of(MemorySegment segment, long offset) {
        used = true;
        long window = offset >>> WINDOW;
        for (int i = 0; i < KEPT; i++) {
            if (memory[i] == segment && windows[i] == window) {
                return views[i];
            }
        }
        long from = window << WINDOW;
        ByteBuffer view = Words.ofAnyThread(segment)
                .asSlice(from, Math.min(segment.byteSize() - from, Integer.MAX_VALUE)).asByteBuffer();
        keep(segment, window, view, null);
        return view;
    }

    /** The segment of an array. */
    MemorySegment ofArray(Object array) {
        if (array instanceof MemorySegment segment) {
            return segment;
        }
        used = true;
        for (int i = 0; i < KEPT; i++) {
            if (memory[i] == array) {
                return arrays[i];
            }
        }
        MemorySegment segment = Words.ofArray(array);
        keep(array, 0, null, segment);
        return segment;
    }

    private void keep(Object seen, long window, ByteBuffer view, MemorySegment array) {
        memory[next] = seen;
        windows[next] = window;
        views[next] = view;
        arrays[next] = array;
        next = (next + 1) % KEPT;
    }

    static boolean isNative(Object memory) {
        return memory instanceof MemorySegment segment && segment.isNative();
    }

    static int at(long offset) {
        return (int) (offset & (1L << WINDOW) - 1);
    }

    /** Forgets what was not used since the last call. */
    void trim() {
        if (!used) {
            Arrays.fill(memory, null);
            Arrays.fill(views, null);
            Arrays.fill(arrays, null);
        }
        used = false;
    }
}
