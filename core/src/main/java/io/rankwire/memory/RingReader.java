package io.rankwire.memory;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** The reading end of a line ring: peek at the next frame, use its body in place, advance. One thread at a time. */
public final class RingReader {
    /** Keeps the ring's memory from being let go; reads and writes go through {@link #memory}. */
    private final MemorySegment ring;
    private final MemorySegment memory;
    private final long origin;
    private final long mask;
    /** Bytes of the longest body behind its first word. */
    private final int mostRest;

    /** The processor fetches further lines itself, once it has seen a few in a row. */
    private static final int MOST_FETCHED = 5;

    private long tail;
    /** Bodies read of the frame at the tail; 0 if it is new. */
    private int taken;
    private long published;
    /** Keeps the compiler from leaving out the reads of {@link #fetch}. */
    private long fetched;

    public RingReader(MemorySegment ring) {
        this.ring = ring;
        this.memory = Words.reach(ring);
        this.origin = Words.origin(ring);
        this.mask = RingLayout.lines(ring.byteSize()) - 1;
        this.mostRest = RingLayout.maxBody((int) mask + 1) - RingLayout.WORD;
    }

    public MemorySegment memory() {
        return memory;
    }

    /** The ring word of the next frame, or of one with more bodies than were read; 0 when there is none. */
    public long peek() {
        long word = Words.acquire(memory, line());
        if (taken != 0) {
            return RingLayout.bodies(word) > taken ? word : peekPastOpen();
        }
        if (!isAt(tail, word)) {
            return 0;
        }
        return RingLayout.meta(word) == RingLayout.FILLER ? peekPastFiller(word) : word;
    }

    private static boolean isAt(long position, long word) {
        return word >>> RingLayout.SEQUENCE_SHIFT == (position & RingLayout.SEQUENCE_MASK | RingLayout.SEQUENCE_MARK);
    }

    /** All bodies of the frame at the tail were read. It gets no more once the writer has written the next line. */
    private long peekPastOpen() {
        if (!isAt(tail + 1, Words.acquire(memory, line(tail + 1)))) {
            return 0;
        }
        long word = Words.acquire(memory, line());
        if (RingLayout.bodies(word) > taken) {
            return word;
        }
        close();
        return peek();
    }

    /** Whether the next line is filled; for a thread that is not the reader a guess, which changes nothing. */
    public boolean mayHaveFrame() {
        long at = tail;
        int read = taken;
        try {
            long word = Words.acquire(memory, line(at));
            return read == 0 ? isAt(at, word)
                    : RingLayout.bodies(word) > read || isAt(at + 1, Words.acquire(memory, line(at + 1)));
        } finally {
            // The reader may let go of the ring meanwhile.
            Reference.reachabilityFence(ring);
        }
    }

    /** Where the body of the peeked frame starts. */
    public long body() {
        return line() + RingLayout.WORD;
    }

    private long line() {
        return line(tail);
    }

    private long line(long position) {
        return origin + RingLayout.LINES + ((position & mask) << RingLayout.LINE_SHIFT);
    }

    /**
     * How many frames from the peeked one on, at most so many, have its length and meta, begin with the same word, and
     * lie one line after another.
     */
    public int alike(long word, int most) {
        if (RingLayout.body(word) > RingLayout.LINE - RingLayout.WORD) {
            return 1;
        }
        MemorySegment memory = this.memory;
        long at = line();
        long first = Words.load(memory, at + RingLayout.WORD);
        int end = (int) Math.min(most, mask + 1 - (tail & mask));
        long next = word;
        int count = 1;
        while (count < end) {
            at += RingLayout.LINE;
            next += 1L << RingLayout.SEQUENCE_SHIFT;
            if (Words.acquire(memory, at) != next || Words.load(memory, at + RingLayout.WORD) != first) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * Reads a word of each further line of the peeked frame. The lines come at the same time, while the caller still
     * looks at the header; otherwise they would be waited for when the payload is copied.
     */
    public void fetch(long word) {
        long last = Math.min(RingLayout.linesOf(RingLayout.body(word)), MOST_FETCHED);
        long at = line();
        long sum = 0;
        for (long line = 1; line < last; line++) {
            sum += Words.load(memory, at + (line << RingLayout.LINE_SHIFT));
        }
        fetched = sum;
    }

    /** Where the rest of the first body starts that was not read of the peeked frame, which has several. */
    public long rest(long word) {
        return body() + RingLayout.WORD + taken * RingLayout.stride(RingLayout.body(word));
    }

    /** How many bodies of the peeked frame were not read. */
    public int bodiesLeft(long word) {
        return RingLayout.bodies(word) - taken;
    }

    /** Goes past a number of bodies of the peeked frame; gives its line back if it is full. */
    public void take(long word, int count) {
        taken += count;
        if (taken == RingLayout.mostBodies(RingLayout.body(word))) {
            close();
        }
    }

    private void close() {
        taken = 0;
        advance(1);
    }

    /** Gives the peeked frame's lines back; the writer learns of it a quarter ring later at most. */
    public void advance(long word) {
        advance(word, 1);
    }

    /** Gives a number of frames back that are {@link #alike}. */
    public void advance(long word, int count) {
        advance(count * RingLayout.linesOfFrame(word));
    }

    private void advance(int lines) {
        tail += lines;
        if (tail - published > mask >>> 2) {
            publish();
        }
    }

    /** Where the body of the peeked frame lies, which is staged. */
    public long place() {
        return Words.load(memory, body() + RingLayout.WORD);
    }

    /** Gives the line of the peeked frame back, which is staged, and reports to the writer that its place is free. */
    public void advanceStaged() {
        tail++;
        publish();
    }

    /** Lets the writer have all lines read so far; called when the reader is about to rest. */
    public void publish() {
        if (published != tail) {
            published = tail;
            Words.release(memory, origin + RingLayout.CONSUMED, tail);
        }
    }

    /** Asks the writer to ring. The caller must peek once more after this. */
    public void asleep(boolean value) {
        Words.ordered(memory, origin + RingLayout.ASLEEP, value ? 1 : 0);
    }

    /** A filler ends with the lap; one that does not is no filler, and the caller gets it as a frame. */
    private long peekPastFiller(long word) {
        if (RingLayout.linesOfFrame(word) != mask + 1 - (tail & mask)) {
            return word;
        }
        advance(word);
        return peek();
    }

    /**
     * Whether the peeked frame, which takes more than a line, can be as it is: its body has to hold its first word, to
     * be no longer than the writer can make it, and to end with the lap at the latest.
     */
    public boolean isWhole(long word) {
        int bytes = RingLayout.body(word);
        return Integer.compareUnsigned(bytes - RingLayout.WORD, mostRest) <= 0
                && (tail & mask) + RingLayout.linesOf(bytes) <= mask + 1;
    }

    /** What is wrong with a frame that is not. */
    public String wrong(long word) {
        return "a body of " + RingLayout.body(word) + " bytes that begins in line " + (tail & mask) + " of "
                + (mask + 1) + ", where one has from " + RingLayout.WORD + " to " + (mostRest + RingLayout.WORD);
    }
}
