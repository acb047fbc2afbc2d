package io.rankwire.sim;

import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Frames under way in a simulated world. What is known of one lies in a line of words; its payload lies in a piece of
 * native memory.
 */
public final class Frames {
    private static final int SMALLEST_SHIFT = 6;
    private static final long FIRST_CHUNK = 1 << 16;
    private static final long CHUNK = 1 << 20;

    private static final int WORDS = 8;
    /** Elements of a large array start 16 bytes into a line: this many words more let a frame fill one. */
    private static final int BIAS = 6;
    /** Sender above, receiver below. */
    private static final int ENDS = 0;
    private static final int HEADER = 1;
    /** Meta above, bytes of the payload below. */
    private static final int META = 2;
    private static final int OFFSET = 3;
    /** The number of the chunk above; log2 of the room, less {@link #SMALLEST_SHIFT}, below. They stay. */
    private static final int ROOM = 4;
    /** The next frame of a list it is in, or -1. */
    private static final int NEXT = 5;
    /** Of a frame that waits for a thread: since when, and the buffer of the network that it is in. */
    private static final int SINCE = 6;
    private static final int BUFFER = 7;

    private long[] words = new long[BIAS + 256 * WORDS];
    private int made;
    private final int[] free;

    private final Arena arena = Arena.ofAuto();
    /** As {@link Words#reach} shows them. */
    private MemorySegment[] chunks = new MemorySegment[4];
    private int chunkCount;
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

    private static int at(int frame) {
        return BIAS + frame * WORDS;
    }

    /** A frame with room for this many bytes. */
    int take(int room) {
        int wanted = sizeOf(room);
        int frame = free[wanted];
        if (frame < 0) {
            frame = make(wanted);
        } else {
            free[wanted] = next(frame);
        }
        inUse++;
        return frame;
    }

    public void give(int frame) {
        int of = size(frame);
        next(frame, free[of]);
        free[of] = frame;
        inUse--;
    }

    int inUse() {
        return inUse;
    }

    boolean fits(int frame, int room) {
        return size(frame) == sizeOf(room);
    }

    void fill(int frame, int sender, int receiver, int meta, long header, int payloadBytes) {
        int at = at(frame);
        words[at + ENDS] = (long) sender << 32 | receiver;
        words[at + HEADER] = header;
        words[at + META] = (long) meta << 32 | payloadBytes;
    }

    /** Makes a copy of a frame. */
    public int copy(int frame) {
        int bytes = bytes(frame);
        int twin = take(bytes);
        fill(twin, from(frame), to(frame), meta(frame), header(frame), bytes);
        MemorySegment.copy(memory(frame), offset(frame), memory(twin), offset(twin), bytes);
        return twin;
    }

    /** Changes a bit: of meta (from 0), the header (from 16), the payload (from 80). */
    public void flip(int frame, int bit) {
        if (bit < Short.SIZE) {
            words[at(frame) + META] ^= 1L << 32 + bit;
        } else if (bit < Short.SIZE + Long.SIZE) {
            words[at(frame) + HEADER] ^= 1L << bit - Short.SIZE;
        } else {
            long at = offset(frame) + (bit - Short.SIZE - Long.SIZE >> 3);
            byte was = memory(frame).get(Words.BYTE, at);
            memory(frame).set(Words.BYTE, at, (byte) (was ^ 1 << (bit & 7)));
        }
    }

    /** The payload ends here. */
    public void cut(int frame, int payloadBytes) {
        words[at(frame) + META] = (long) meta(frame) << 32 | payloadBytes;
    }

    public int from(int frame) {
        return (int) (words[at(frame) + ENDS] >>> 32);
    }

    public int to(int frame) {
        return (int) words[at(frame) + ENDS];
    }

    public int meta(int frame) {
        return (int) (words[at(frame) + META] >>> 32);
    }

    public long header(int frame) {
        return words[at(frame) + HEADER];
    }

    public int bytes(int frame) {
        return (int) words[at(frame) + META];
    }

    public MemorySegment memory(int frame) {
        return chunks[(int) (words[at(frame) + ROOM] >>> 32)];
    }

    public long offset(int frame) {
        return words[at(frame) + OFFSET];
    }

    /** The next in whatever list it is in, or -1. */
    int next(int frame) {
        return (int) words[at(frame) + NEXT];
    }

    void next(int frame, int other) {
        words[at(frame) + NEXT] = other;
    }

    /** Notes since when a frame waits, and in which buffer of the network; -1 for none. */
    void waits(int frame, long since, int buffer) {
        words[at(frame) + SINCE] = since;
        words[at(frame) + BUFFER] = buffer;
    }

    long since(int frame) {
        return words[at(frame) + SINCE];
    }

    int buffer(int frame) {
        return (int) words[at(frame) + BUFFER];
    }

    /** Reads what there is of a frame; the result means nothing. */
    long touch(int frame) {
        return words[at(frame)];
    }

    long touchPayload(int frame) {
        return Words.load(memory(frame), offset(frame));
    }

    private int size(int frame) {
        return (int) words[at(frame) + ROOM];
    }

    private int make(int wanted) {
        if (at(made) + WORDS > words.length) {
            words = Arrays.copyOf(words, BIAS + 2 * made * WORDS);
        }
        long room = 1L << wanted + SMALLEST_SHIFT;
        if (used + room > chunk.byteSize()) {
            long wish = Math.clamp(2 * chunk.byteSize(), FIRST_CHUNK, CHUNK);
            chunk = arena.allocate(Math.max(wish, room), 64);
            used = 0;
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            }
            chunks[chunkCount++] = Words.reach(chunk);
        }
        int frame = made++;
        words[at(frame) + ROOM] = (long) (chunkCount - 1) << 32 | wanted;
        words[at(frame) + OFFSET] = Words.origin(chunk) + used;
        used += room;
        return frame;
    }
}
