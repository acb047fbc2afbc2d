package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Payload of eager messages that met no receive, in linked fragments from a free list over one native segment. When the
 * fragments run out a payload spills whole into a heap block; the credit of senders bounds all of them together.
 *
 * <p>A reference is the first fragment of a chain (not negative), a spilled block (-2 and below), or {@link #EMPTY}.
 * The buffer does not keep lengths; the header does. Not thread-safe: the device owns it.
 */
public final class UnexpectedBuffer {
    /** The reference of a payload of no bytes. */
    public static final int EMPTY = Integer.MIN_VALUE;

    private static final int FIRST_SPILL = -2;
    /**
     * A free fragment's link is this minus the next free one, so a free fragment is never mistaken for one in a chain.
     */
    private static final int FREE = -3;

    private final MemorySegment memory;
    private final int fragmentBytes;
    /** In a chain, the next fragment or -1. */
    private final int[] links;
    private int freeHead = -1;
    private int freeCount;
    /** Fragments from here up have never been used and are on no list, so their pages stay untouched. */
    private int fresh;
    private byte[][] spills = new byte[8][];
    private int[] freeSpills = new int[8];
    private int freeSpillCount;
    private int spillSlots;
    private long bytesHeld;
    private long highWater;

    public UnexpectedBuffer(Arena arena, int fragmentBytes, int fragments) {
        if (fragmentBytes < 1 || fragments < 0) {
            throw new IllegalArgumentException("fragments " + fragments + " of " + fragmentBytes + " bytes");
        }
        this.fragmentBytes = fragmentBytes;
        memory = arena.allocate((long) fragmentBytes * fragments, 64);
        links = new int[fragments];
    }

    /** Copies a payload in; returns its reference. */
    public int store(MemorySegment source, long offset, int length) {
        if (length == 0) {
            return EMPTY;
        }
        assert length > 0;
        int needed = (int) ((length + fragmentBytes - 1L) / fragmentBytes);
        if (needed > freeCount + links.length - fresh) {
            return storeSpilled(source, offset, length);
        }
        hold((long) needed * fragmentBytes);
        int first = takeFragment();
        int fragment = first;
        int left = length;
        while (true) {
            int part = Math.min(left, fragmentBytes);
            MemorySegment.copy(source, offset, memory, offset(fragment), part);
            left -= part;
            if (left == 0) {
                links[fragment] = -1;
                return first;
            }
            offset += part;
            int next = takeFragment();
            links[fragment] = next;
            fragment = next;
        }
    }

    private int takeFragment() {
        int fragment = freeHead;
        if (fragment < 0) {
            return fresh++;
        }
        freeHead = FREE - links[fragment];
        freeCount--;
        return fragment;
    }

    private int storeSpilled(MemorySegment source, long offset, int length) {
        byte[] block = new byte[length];
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, block, 0, length);
        int slot = freeSpillCount > 0 ? freeSpills[--freeSpillCount] : spillSlots++;
        if (slot == spills.length) {
            spills = Arrays.copyOf(spills, 2 * slot);
            freeSpills = Arrays.copyOf(freeSpills, 2 * slot);
        }
        spills[slot] = block;
        hold(length);
        return FIRST_SPILL - slot;
    }

    private void hold(long bytes) {
        bytesHeld += bytes;
        highWater = Math.max(highWater, bytesHeld);
    }

    /** Gives a payload's storage back. */
    public void release(int reference) {
        if (reference >= 0) {
            releaseChain(reference);
        } else if (reference != EMPTY) {
            int slot = FIRST_SPILL - reference;
            bytesHeld -= spills[slot].length;
            spills[slot] = null;
            freeSpills[freeSpillCount++] = slot;
        }
    }

    /** The fragments go to the head of the free list in their order: those in a row serve the next payload in a row. */
    private void releaseChain(int first) {
        int before = freeHead;
        int fragment = first;
        while (fragment >= 0) {
            int next = links[fragment];
            assert next >= -1 : "released twice: fragment " + fragment;
            links[fragment] = FREE - (next >= 0 ? next : before);
            freeCount++;
            bytesHeld -= fragmentBytes;
            fragment = next;
        }
        freeHead = first;
    }

    /** A payload where it lies; null if its fragments do not lie in a row. */
    public MemorySegment whole(int reference, int length) {
        if (reference == EMPTY) {
            return memory.asSlice(0, 0);
        }
        if (spilled(reference)) {
            return MemorySegment.ofArray(spill(reference));
        }
        for (int fragment = reference; links[fragment] >= 0; fragment++) {
            if (links[fragment] != fragment + 1) {
                return null;
            }
        }
        return memory.asSlice(offset(reference), length);
    }

    /** Whether a payload is in a heap block. */
    public boolean spilled(int reference) {
        return reference <= FIRST_SPILL && reference != EMPTY;
    }

    /** The block of a spilled payload, as long as the payload. */
    public byte[] spill(int reference) {
        return spills[FIRST_SPILL - reference];
    }

    /** Where all fragments are. */
    public MemorySegment memory() {
        return memory;
    }

    /** Where a fragment starts in {@link #memory()}. */
    public long offset(int fragment) {
        return (long) fragment * fragmentBytes;
    }

    /** The fragment after this one in its chain, or -1. */
    public int next(int fragment) {
        return links[fragment];
    }

    public int fragmentBytes() {
        return fragmentBytes;
    }

    /** All storage in use: whole fragments and spilled blocks. */
    public long bytesHeld() {
        return bytesHeld;
    }

    /** The most that {@link #bytesHeld} has been. */
    public long highWater() {
        return highWater;
    }

    public void checkInvariants() {
        int free = 0;
        for (int f = freeHead; f >= 0; f = FREE - links[f]) {
            check(links[f] <= FREE + 1, "free list holds a fragment of a chain");
            check(++free <= fresh, "free list runs in a circle");
        }
        check(free == freeCount && fresh <= links.length, "free fragments miscounted");
        long spilledBytes = 0;
        int empty = 0;
        for (int slot = 0; slot < spillSlots; slot++) {
            spilledBytes += spills[slot] == null ? 0 : spills[slot].length;
            empty += spills[slot] == null ? 1 : 0;
        }
        check(empty == freeSpillCount, "spill slots lost");
        check(bytesHeld == (long) (fresh - free) * fragmentBytes + spilledBytes, "bytes miscounted");
        check(bytesHeld <= highWater, "more bytes than were ever held");
    }
}
