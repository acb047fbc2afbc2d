package io.rankwire.memory;

import java.lang.foreign.MemorySegment;

/**
 * Where ranks that share memory meet: each has a row of places, which it alone writes and all read. They count their
 * steps alike; at each step a rank writes what it gives into the place of that step, then the word that says it is
 * there. Places are used again every {@link #DEPTH} steps and nothing is ever reset: a place holds step s until its
 * writer knows that all ranks are beyond.
 *
 * <pre>
 *   place of rank r and step s: (r * DEPTH + s % DEPTH) * 1152
 *      0  step, 28 bits | what kind of call, 36 bits
 *      8  the call's signature
 *     16  what the rank gives, up to 1024 bytes: the first 48 cross over with the word in one line
 * </pre>
 */
public final class MeetingLines {
    public static final int DEPTH = 4;
    /** Bytes a rank can give at a step. */
    public static final int ROOM = 1024;

    private static final int SIGNATURE = 8;
    private static final int GIVEN = 16;
    /** No power of two, so that places spread over the cache, and two lines apart. */
    private static final int PLACE = 1152;
    private static final int STEP_SHIFT = 36;
    /** Steps are 28 bits and go round; this aligns their sign with that of an int. */
    private static final int WRAP = 4;

    private final MemorySegment owner;
    private final MemorySegment memory;
    private final long origin;
    private final long own;

    public MeetingLines(MemorySegment memory, int rank) {
        this.owner = memory;
        this.memory = Words.reach(memory);
        this.origin = Words.origin(memory);
        this.own = origin + (long) rank * DEPTH * PLACE;
    }

    public static long bytes(int ranks) {
        return (long) ranks * DEPTH * PLACE;
    }

    /** The word of a step. */
    public static long word(int step, long call) {
        return (long) step << STEP_SHIFT | call;
    }

    /** What a word says of the call. */
    public static long call(long word) {
        return word & (1L << STEP_SHIFT) - 1;
    }

    /** How many steps a word is ahead of a step, or below zero: behind. */
    public static int ahead(long word, int step) {
        return (int) (word >>> STEP_SHIFT) - step << WRAP >> WRAP;
    }

    /** The memory that {@link #given} gives offsets of. */
    public MemorySegment memory() {
        return memory;
    }

    /** Where a rank writes what it gives at a step. */
    public long given(int rank, int step) {
        return place(rank, step) + GIVEN;
    }

    /** This rank is there, and what it gives is written. */
    public void arrive(int step, long word, long signature) {
        long place = own + (step & DEPTH - 1) * PLACE;
        Words.store(memory, place + SIGNATURE, signature);
        Words.release(memory, place, word);
    }

    /** The word in a rank's place for a step; it may be of an earlier one. */
    public long look(int rank, int step) {
        return Words.acquire(memory, place(rank, step));
    }

    public long signature(int rank, int step) {
        return Words.load(memory, place(rank, step) + SIGNATURE);
    }

    private long place(int rank, int step) {
        return origin + (rank * DEPTH + (step & DEPTH - 1)) * (long) PLACE;
    }

    @Override
    public String toString() {
        return "meeting lines in " + owner;
    }
}
