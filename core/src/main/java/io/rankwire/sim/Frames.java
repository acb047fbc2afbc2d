package io.rankwire.sim;

import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Frames under way in a simulated world, in columns; the payload of each lies in a piece of native memory. */
final class Frames {
    private static final int SMALLEST_SHIFT = 6;
    private static final long FIRST_CHUNK = 1 << 16;
    private static final long CHUNK = 1 << 20;

    private int[] from = new int[256];
    private int[] to = new int[256];
    private int[] meta = new int[256];
    private long[] header = new long[256];
    private int[] bytes = new int[256];
    /** log2 of the room, less {@link #SMALLEST_SHIFT}; the room stays with the number. */
    private byte[] size = new byte[256];
    private MemorySegment[] memory = new MemorySegment[256];
    private long[] offset = new long[256];
    private int[] next = new int[256];
    private int made;
    private final int[] free;

    private final Arena arena = Arena.ofAuto();
    private MemorySegment chunk = MemorySegment.NULL;
    private long used;
    private int inUse;

    Frames(int maxPayload) {
        free = new int[1 + sizeOf(maxPayload)];
        Arrays.fill(free, -1);
    }

    private static int sizeOf(int bytes) {
        return Math.max(0, 32 - Integer.numberOfLeadingZeros(Math.max(1, bytes) - 1 >> SMALLEST_SHIFT));
    }

    /** A frame with room for so many bytes. */
    int take(int room) {
        int wanted = sizeOf(room);
        int frame = free[wanted];
        if (frame < 0) {
            frame = make(wanted);
        } else {
            free[wanted] = next[frame];
        }
        inUse++;
        return frame;
    }

    void give(int frame) {
        int of = size[frame];
        next[frame] = free[of];
        free[of] = frame;
        inUse--;
    }

    int inUse() {
        return inUse;
    }

    boolean fits(int frame, int room) {
        return size[frame] == sizeOf(room);
    }

    void fill(int frame, int sender, int receiver, int frameMeta, long frameHeader, int payloadBytes) {
        from[frame] = sender;
        to[frame] = receiver;
        meta[frame] = frameMeta;
        header[frame] = frameHeader;
        bytes[frame] = payloadBytes;
    }

    int copy(int frame) {
        int twin = take(bytes[frame]);
        fill(twin, from[frame], to[frame], meta[frame], header[frame], bytes[frame]);
        MemorySegment.copy(memory[frame], offset[frame], memory[twin], offset[twin], bytes[frame]);
        return twin;
    }

    void flip(int frame, int bit) {
        if (bit < Short.SIZE) {
            meta[frame] ^= 1 << bit;
        } else if (bit < Short.SIZE + Long.SIZE) {
            header[frame] ^= 1L << bit - Short.SIZE;
        } else {
            long at = offset[frame] + (bit - Short.SIZE - Long.SIZE >> 3);
            byte was = memory[frame].get(Words.BYTE, at);
            memory[frame].set(Words.BYTE, at, (byte) (was ^ 1 << (bit & 7)));
        }
    }

    void cut(int frame, int payloadBytes) {
        bytes[frame] = payloadBytes;
    }

    int from(int frame) {
        return from[frame];
    }

    int to(int frame) {
        return to[frame];
    }

    int meta(int frame) {
        return meta[frame];
    }

    long header(int frame) {
        return header[frame];
    }

    int bytes(int frame) {
        return bytes[frame];
    }

    MemorySegment memory(int frame) {
        return memory[frame];
    }

    long offset(int frame) {
        return offset[frame];
    }

    private int make(int wanted) {
        if (made == next.length) {
            grow();
        }
        long room = 1L << wanted + SMALLEST_SHIFT;
        if (used + room > chunk.byteSize()) {
            long wish = Math.clamp(2 * chunk.byteSize(), FIRST_CHUNK, CHUNK);
            chunk = arena.allocate(Math.max(wish, room), 64);
            used = 0;
        }
        int frame = made++;
        size[frame] = (byte) wanted;
        memory[frame] = Words.reach(chunk);
        offset[frame] = Words.origin(chunk) + used;
        used += room;
        return frame;
    }

    private void grow() {
        int room = 2 * made;
        from = Arrays.copyOf(from, room);
        to = Arrays.copyOf(to, room);
        meta = Arrays.copyOf(meta, room);
        header = Arrays.copyOf(header, room);
        bytes = Arrays.copyOf(bytes, room);
        size = Arrays.copyOf(size, room);
        memory = Arrays.copyOf(memory, room);
        offset = Arrays.copyOf(offset, room);
        next = Arrays.copyOf(next, room);
    }
}
