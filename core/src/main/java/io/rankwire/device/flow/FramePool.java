package io.rankwire.device.flow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Frames that are kept: those sent until they are acknowledged, and those that came too early until the ones before
 * them have. All peers share it. Memory grows in blocks of eight frames to the bound and is not given back. Small
 * frames have blocks of their own, so that a rank that exchanges only such ones needs little. Neither use may take more
 * than three quarters: early frames of some cannot keep all from sending.
 */
final class FramePool {
    static final int NONE = -1;
    /** A frame up to this size, with all that goes before its payload, is a small one. */
    static final int SMALL_BYTES = 512;

    private static final int BLOCK_SHIFT = 3;
    private static final int BLOCK = 1 << BLOCK_SHIFT;
    private static final int SMALL = 0;
    private static final int LARGE = 1;

    private static final int SENDS = 0xFF;
    private static final int SACKED = 1 << 8;
    private static final int RUSHED = 1 << 9;
    private static final int HELD = 1 << 10;
    private static final int IN_USE = 1 << 11;
    private static final int LOST = 1 << 12;

    private final int largeBytes;
    private final int most;
    private final int mostOfOneUse;
    private MemorySegment[] blocks = new MemorySegment[2];
    private boolean[] large = new boolean[2];
    private int blockCount;

    /** The next of the same list; lists are rings, known by their last frame. */
    int[] next = new int[0];
    int[] sequence = new int[0];
    int[] sentAt = new int[0];
    int[] bytes = new int[0];
    private int[] info = new int[0];

    private final int[] free = {NONE, NONE};
    private final int[] made = new int[2];
    private final int[] sending = new int[2];
    private final int[] holding = new int[2];

    FramePool(int largeBytes, int most) {
        // An odd number of lines: otherwise the first lines of all frames would compete for the same place in caches.
        this.largeBytes = Math.max(SMALL_BYTES, (largeBytes + 63 >>> 6 | 1) << 6);
        this.most = most & -BLOCK;
        this.mostOfOneUse = this.most - this.most / 4;
    }

    private static int size(int frameBytes) {
        return frameBytes <= SMALL_BYTES ? SMALL : LARGE;
    }

    /** Whether a frame of any size can be sent. */
    boolean hasRoom() {
        return roomToSend(SMALL) > 0 && roomToSend(LARGE) > 0;
    }

    private int roomToSend(int size) {
        return Math.min(mostOfOneUse - sending[size], most - sending[size] - holding[size]);
    }

    /** A frame of this size to be sent, or {@link #NONE}. */
    int takeToSend(int frameBytes) {
        int size = size(frameBytes);
        if (roomToSend(size) == 0) {
            return NONE;
        }
        sending[size]++;
        return take(size, IN_USE);
    }

    /** A frame of this size to be held, or {@link #NONE}. */
    int takeToHold(int frameBytes) {
        int size = size(frameBytes);
        if (holding[size] >= mostOfOneUse || sending[size] + holding[size] >= most) {
            return NONE;
        }
        holding[size]++;
        return take(size, IN_USE | HELD);
    }

    private int take(int size, int use) {
        if (free[size] == NONE) {
            addBlock(size);
        }
        int frame = free[size];
        free[size] = next[frame];
        info[frame] = use;
        return frame;
    }

    private void addBlock(int size) {
        int first = blockCount << BLOCK_SHIFT;
        if (blockCount == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * blockCount);
            large = Arrays.copyOf(large, 2 * blockCount);
        }
        if (first == next.length) {
            int room = Math.max(2 * BLOCK, 2 * first);
            next = Arrays.copyOf(next, room);
            sequence = Arrays.copyOf(sequence, room);
            sentAt = Arrays.copyOf(sentAt, room);
            bytes = Arrays.copyOf(bytes, room);
            info = Arrays.copyOf(info, room);
        }
        long each = size == LARGE ? largeBytes : SMALL_BYTES;
        blocks[blockCount] = Arena.ofAuto().allocate(each << BLOCK_SHIFT, 64);
        large[blockCount++] = size == LARGE;
        made[size] += BLOCK;
        for (int frame = first + BLOCK - 1; frame >= first; frame--) {
            next[frame] = free[size];
            free[size] = frame;
        }
    }

    void give(int frame) {
        assert (info[frame] & IN_USE) != 0 : "given back twice: frame " + frame;
        int size = large[frame >>> BLOCK_SHIFT] ? LARGE : SMALL;
        if ((info[frame] & HELD) != 0) {
            holding[size]--;
        } else {
            sending[size]--;
        }
        info[frame] = 0;
        next[frame] = free[size];
        free[size] = frame;
    }

    MemorySegment memory(int frame) {
        return blocks[frame >>> BLOCK_SHIFT];
    }

    long offset(int frame) {
        long each = large[frame >>> BLOCK_SHIFT] ? largeBytes : SMALL_BYTES;
        return (frame & BLOCK - 1) * each;
    }

    /** Whether this frame has room for this number of bytes. */
    boolean fits(int frame, int frameBytes) {
        return size(frameBytes) == (large[frame >>> BLOCK_SHIFT] ? LARGE : SMALL);
    }

    /** How often a frame was sent, up to 255. */
    int sends(int frame) {
        return info[frame] & SENDS;
    }

    void sent(int frame, int tick) {
        sentAt[frame] = tick;
        if ((info[frame] & SENDS) != SENDS) {
            info[frame]++;
        }
    }

    /** The peer has this frame although it lacks one before. */
    boolean isSacked(int frame) {
        return (info[frame] & SACKED) != 0;
    }

    void sack(int frame) {
        info[frame] |= SACKED;
    }

    /** The frame was last repeated because later ones had come. */
    boolean isRushed(int frame) {
        return (info[frame] & RUSHED) != 0;
    }

    void rushed(int frame, boolean now) {
        info[frame] = now ? info[frame] | RUSHED : info[frame] & ~RUSHED;
    }

    /** The frame is taken for lost, and has not been repeated since. */
    boolean isLost(int frame) {
        return (info[frame] & LOST) != 0;
    }

    void lost(int frame, boolean now) {
        info[frame] = now ? info[frame] | LOST : info[frame] & ~LOST;
    }

    int inUse() {
        return sending[SMALL] + sending[LARGE] + holding[SMALL] + holding[LARGE];
    }

    /** Bytes of memory taken up by frames, used or not. */
    long heldBytes() {
        return (long) made[SMALL] * SMALL_BYTES + (long) made[LARGE] * largeBytes;
    }

    /**
     * @param listed frames found on the lists of peers, and the one that is claimed
     */
    void checkInvariants(int listed) {
        check(listed == inUse(), listed + " frames on lists, " + inUse() + " in use");
        int freeCount = 0;
        for (int size = SMALL; size <= LARGE; size++) {
            check(made[size] <= most, made[size] + " frames made, " + most + " allowed");
            check(sending[size] <= mostOfOneUse && holding[size] <= mostOfOneUse, "one use takes more than its part");
            for (int frame = free[size]; frame != NONE; frame = next[frame]) {
                check((info[frame] & IN_USE) == 0, "a free frame is in use");
                check(large[frame >>> BLOCK_SHIFT] == (size == LARGE), "a frame on the wrong list");
                freeCount++;
                check(freeCount <= made[SMALL] + made[LARGE], "a free list that does not end");
            }
        }
        check(freeCount + inUse() == made[SMALL] + made[LARGE], "a frame is lost");
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
