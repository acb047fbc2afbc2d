package io.rankwire.memory;

import java.lang.foreign.MemorySegment;

/** The reading end of a line ring: peek at the next frame, use its body in place, advance. One thread at a time. */
public final class RingReader {
    private final MemorySegment memory;
    private final long lines;

    private long tail;
    private long published;

    public RingReader(MemorySegment memory) {
        this.memory = memory;
        this.lines = RingLayout.lines(memory.byteSize());
    }

    public MemorySegment memory() {
        return memory;
    }

    /** The ring word of the next frame, or 0 when there is none. */
    public long peek() {
        long word = Words.acquire(memory, RingLayout.LINES + ((tail & lines - 1) << RingLayout.LINE_SHIFT));
        if (word >>> RingLayout.SEQUENCE_SHIFT != (tail & RingLayout.SEQUENCE_MASK | RingLayout.SEQUENCE_MARK)) {
            return 0;
        }
        return RingLayout.meta(word) == RingLayout.FILLER ? peekPastFiller(word) : word;
    }

    /** Whether the next line is filled; for a thread that is not the reader a guess, which changes nothing. */
    public boolean mayHaveFrame() {
        long at = tail;
        long word = Words.acquire(memory, RingLayout.LINES + ((at & lines - 1) << RingLayout.LINE_SHIFT));
        return word >>> RingLayout.SEQUENCE_SHIFT == (at & RingLayout.SEQUENCE_MASK | RingLayout.SEQUENCE_MARK);
    }

    /** Where the body of the peeked frame starts. */
    public long body() {
        return RingLayout.LINES + ((tail & lines - 1) << RingLayout.LINE_SHIFT) + RingLayout.WORD;
    }

    /** Gives the peeked frame's lines back; the writer learns of it a quarter ring later at most. */
    public void advance(long word) {
        tail += RingLayout.linesOf(RingLayout.body(word));
        if (tail - published >= lines >>> 2) {
            publish();
        }
    }

    /** Lets the writer have all lines read so far; called when the reader is about to rest. */
    public void publish() {
        if (published != tail) {
            published = tail;
            Words.release(memory, RingLayout.CONSUMED, tail);
        }
    }

    /** Asks the writer to ring. The caller must peek once more after this. */
    public void asleep(boolean value) {
        Words.ordered(memory, RingLayout.ASLEEP, value ? 1 : 0);
    }

    private long peekPastFiller(long word) {
        advance(word);
        return peek();
    }
}
