package io.rankwire.memory;

import java.lang.foreign.MemorySegment;

/** The writing end of a line ring: claim a body, fill it, commit. One thread at a time; one claim open at a time. */
public final class RingWriter {
    public static final long FULL = -1;

    private final MemorySegment memory;
    private final long lines;
    private final int maxBody;
    /** One bit a line: its first word holds body bytes, not a ring word of the last lap. */
    private final long[] soiled;

    private long head;
    private long consumed;
    private int claimed = -1;

    public RingWriter(MemorySegment memory) {
        this.memory = memory;
        this.lines = RingLayout.lines(memory.byteSize());
        this.maxBody = RingLayout.maxBody((int) lines);
        this.soiled = new long[(int) (lines + 63 >>> 6)];
    }

    public MemorySegment memory() {
        return memory;
    }

    public int maxBody() {
        return maxBody;
    }

    /** Offset of a free body of so many bytes, or {@link #FULL}. */
    public long claim(int bodyBytes) {
        assert bodyBytes >= 0 && bodyBytes <= maxBody : bodyBytes;
        int need = RingLayout.linesOf(bodyBytes);
        long at = head & lines - 1;
        if (at + need > lines || head + need - consumed > lines) {
            if (!makeRoom(need)) {
                return FULL;
            }
            at = head & lines - 1;
        }
        claimed = bodyBytes;
        return RingLayout.LINES + (at << RingLayout.LINE_SHIFT) + RingLayout.WORD;
    }

    /** Publishes the claimed frame with one release store. */
    public void commit(int meta) {
        assert claimed >= 0 && meta != RingLayout.FILLER;
        publish(claimed, meta);
        claimed = -1;
    }

    /** Whether the reader asked to be rung. Seen late at worst: the reader looks at its sleepers now and then. */
    public boolean readerAsleep() {
        return Words.plain(memory, RingLayout.ASLEEP) != 0;
    }

    private void publish(int bodyBytes, int meta) {
        long at = head & lines - 1;
        int used = RingLayout.linesOf(bodyBytes);
        long next = at + used & lines - 1;
        if (used > 1) {
            soil(at + 1, at + used);
        }
        if ((soiled[(int) (next >>> 6)] & 1L << next) != 0) {
            Words.plain(memory, offset(next), 0);
            soiled[(int) (next >>> 6)] &= ~(1L << next);
        }
        Words.release(memory, offset(at), RingLayout.word(head, bodyBytes, meta));
        head += used;
    }

    private boolean makeRoom(int need) {
        long at = head & lines - 1;
        long filler = at + need > lines ? lines - at : 0;
        if (head + filler + need - consumed > lines) {
            consumed = Words.acquire(memory, RingLayout.CONSUMED);
            if (head + filler + need - consumed > lines) {
                return false;
            }
        }
        if (filler > 0) {
            publish((int) (filler << RingLayout.LINE_SHIFT) - RingLayout.WORD, RingLayout.FILLER);
        }
        return true;
    }

    private void soil(long from, long to) {
        for (long line = from; line < to; line++) {
            soiled[(int) (line >>> 6)] |= 1L << line;
        }
    }

    private static long offset(long line) {
        return RingLayout.LINES + (line << RingLayout.LINE_SHIFT);
    }
}
