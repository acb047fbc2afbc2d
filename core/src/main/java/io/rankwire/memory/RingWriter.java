package io.rankwire.memory;

import java.lang.foreign.MemorySegment;

/**
 * The writing end of a line ring: claim a body, fill it, commit the same number of bytes. One thread at a time; a claim
 * that is not committed counts for nothing.
 */
public final class RingWriter {
    public static final long FULL = -1;

    /** Keeps the ring's memory from being let go; reads and writes go through {@link #memory}. */
    private final MemorySegment ring;
    private final MemorySegment memory;
    private final long origin;
    private final long lines;
    private final int maxBody;
    /** One bit a line: its first word holds body bytes, not a ring word of the last lap. */
    private final long[] soiled;

    private long head;
    private long consumed;
    private int soiledLines;
    private String wrong;

    /** The ring word of the frame written last if a body can be added to it, else 0. */
    private long open;
    /** The first word of its bodies. */
    private long openFirst;
    /** Where the rest of the body goes that is added next. */
    private long openAt;
    /** How many bodies can be added. */
    private int openRoom;

    public RingWriter(MemorySegment ring) {
        this.ring = ring;
        this.memory = Words.reach(ring);
        this.origin = Words.origin(ring);
        this.lines = RingLayout.lines(ring.byteSize());
        this.maxBody = RingLayout.maxBody((int) lines);
        this.soiled = new long[(int) (lines + 63 >>> 6)];
    }

    public MemorySegment memory() {
        return memory;
    }

    public int maxBody() {
        return maxBody;
    }

    /** Offset of a free body of this size, or {@link #FULL}. */
    public long claim(int bodyBytes) {
        assert bodyBytes >= 0 && bodyBytes <= maxBody : bodyBytes;
        int need = RingLayout.linesOf(bodyBytes);
        long at = head & lines - 1;
        if (at + need > lines || head + need - consumed > lines) {
            return claimSlowly(need);
        }
        return offset(at) + RingLayout.WORD;
    }

    /**
     * Where a body of this size, meta and first word goes, after its first word, if it can be added to the frame
     * written last, else {@link #FULL}.
     */
    public long claimMore(int bodyBytes, int meta, long first) {
        return (open & RingLayout.SHAPE_MASK) == RingLayout.shape(bodyBytes, meta) && openFirst == first
                ? openAt : FULL;
    }

    /** Whether {@link #claimMore} has returned this place, for the claim made last. */
    public boolean isMore(long at) {
        return at == openAt && open != 0;
    }

    /** Publishes the body claimed by {@link #claimMore}. */
    public void commitMore() {
        long word = open + RingLayout.ONE_BODY;
        Words.release(memory, offset(head - 1 & lines - 1), word);
        if (--openRoom == 0) {
            open = 0;
        } else {
            open = word;
            openAt += RingLayout.stride(RingLayout.body(word));
        }
    }

    /** Publishes the claimed frame with one release store. */
    public void commit(int bodyBytes, int meta) {
        open = 0;
        publish(bodyBytes, RingLayout.word(head, bodyBytes, meta));
    }

    /** As {@link #commit(int, int)}; writes the first word of the body, too. Short bodies can be added to the frame. */
    public void commit(int bodyBytes, int meta, long first) {
        long at = offset(head & lines - 1);
        long word = RingLayout.word(head, bodyBytes, meta);
        int most = RingLayout.mostBodies(bodyBytes);
        Words.store(memory, at + RingLayout.WORD, first);
        if (most > 1) {
            word |= RingLayout.ONE_BODY;
            open = word;
            openFirst = first;
            openAt = at + 2 * RingLayout.WORD + RingLayout.stride(bodyBytes);
            openRoom = most - 1;
        } else {
            open = 0;
        }
        publish(bodyBytes, word);
    }

    private void publish(int bodyBytes, long word) {
        long at = head & lines - 1;
        int used = RingLayout.linesOf(bodyBytes);
        if (used > 1 || soiledLines != 0) {
            soil(at, used);
        }
        Words.release(memory, offset(at), word);
        head += used;
        if (used > 1) {
            prepare(used);
        }
    }

    /**
     * Clears the lines that the body of a next frame of this number of lines would have, and the one behind it. The
     * reader has read them a lap ago: a store takes a line back from its cache, which the next frame would have to wait
     * for, line by line.
     */
    private void prepare(int used) {
        long first = (head & lines - 1) + 1;
        long end = first + used;
        if (end > lines || head + 1 + used - consumed > lines) {
            return;
        }
        for (long line = first; line < end; line++) {
            Words.store(memory, offset(line), 0);
        }
        if (soiledLines != 0) {
            clean(first, end);
        }
    }

    /**
     * Publishes a frame whose body lies elsewhere; the caller has claimed two words, and has stored the first word of
     * the body. Returns the position to pass to {@link #hasRead}.
     *
     * @param place where the reader finds the body
     */
    public long commitStaged(int bodyBytes, int meta, long place) {
        long at = head & lines - 1;
        open = 0;
        if (soiledLines != 0) {
            soil(at, 1);
        }
        Words.store(memory, offset(at) + 2 * RingLayout.WORD, place);
        Words.release(memory, offset(at), RingLayout.word(head, bodyBytes, meta) | RingLayout.STAGED);
        return ++head;
    }

    /**
     * Writes a mark, which is no frame: {@link RingLayout#REPORT} or {@link RingLayout#END}.
     *
     * @return false if there is no room
     */
    public boolean mark(long mark) {
        if (claim(2 * RingLayout.WORD) < 0) {
            return false;
        }
        commitStaged(RingLayout.WORD, 1, mark);
        return true;
    }

    /** The position behind the last frame. */
    public long head() {
        return head;
    }

    /** Whether the reader has read all frames before a position. */
    public boolean hasRead(long position) {
        if (consumed < position) {
            readConsumed();
        }
        return consumed >= position;
    }

    /** The reader never goes back, nor past what was written. */
    private void readConsumed() {
        long now = Words.acquire(memory, origin + RingLayout.CONSUMED);
        if (now >= consumed && now <= head) {
            consumed = now;
        } else {
            wrong = "of " + head + " lines of the ring it has read " + now + ", and " + consumed + " before";
        }
    }

    /** What is wrong with the reader's report of how far it has read, or null. */
    public String wrong() {
        return wrong;
    }

    /** Whether the reader asked to be rung. Seen late at worst: the reader looks at its sleepers now and then. */
    public boolean readerAsleep() {
        return Words.load(memory, origin + RingLayout.ASLEEP) != 0;
    }

    private long claimSlowly(int need) {
        long at = head & lines - 1;
        long filler = at + need > lines ? lines - at : 0;
        if (head + filler + need - consumed > lines) {
            readConsumed();
            if (head + filler + need - consumed > lines) {
                return FULL;
            }
        }
        if (filler > 0) {
            commit((int) (filler << RingLayout.LINE_SHIFT) - RingLayout.WORD, RingLayout.FILLER);
        }
        return offset(head & lines - 1) + RingLayout.WORD;
    }

    /** Notes which lines the frame leaves without a ring word, and clears the one the reader will look at next. */
    private void soil(long at, int used) {
        for (long line = at + 1; line < at + used; line = (line | 63) + 1) {
            long bits = bits(line, at + used);
            int word = (int) (line >>> 6);
            soiledLines += Long.bitCount(bits & ~soiled[word]);
            soiled[word] |= bits;
        }
        long next = at + used & lines - 1;
        if ((soiled[(int) (next >>> 6)] & 1L << next) != 0) {
            Words.store(memory, offset(next), 0);
            soiled[(int) (next >>> 6)] &= ~(1L << next);
            soiledLines--;
        }
    }

    /** Those of the lines from the first one to an end that share its word of {@link #soiled}. */
    private static long bits(long first, long end) {
        long bits = -1L << first;
        return (first | 63) >= end ? bits & -1L >>> -end : bits;
    }

    private void clean(long first, long end) {
        for (long line = first; line < end; line = (line | 63) + 1) {
            long bits = bits(line, end);
            int word = (int) (line >>> 6);
            soiledLines -= Long.bitCount(bits & soiled[word]);
            soiled[word] &= ~bits;
        }
    }

    private long offset(long line) {
        return origin + RingLayout.LINES + (line << RingLayout.LINE_SHIFT);
    }
}
