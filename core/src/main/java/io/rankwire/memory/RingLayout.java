package io.rankwire.memory;

/**
 * Bytes of a line ring: one writer, one reader, frames of whole 64-byte lines.
 *
 * <pre>
 *    0  consumed   lines read so far, written by the reader, seldom
 *  128  asleep     1 while the reader waits for the bell, written by the reader
 *  512  lines      frames; a frame starts on a line with its ring word:
 *
 *   63 .... 40 |   39   | 38 .. 36 | 35 .... 16 | 15 .. 0
 *   sequence   | staged |  bodies  | body bytes | meta
 * </pre>
 *
 * The body of a staged frame lies elsewhere but for its first word, which is followed by its place: such a frame takes
 * one line. Its place is free when the reader has read past the line, and the reader reports that at once. Two places
 * that are below zero stand for marks instead of frames: {@link #REPORT} and {@link #END}.
 *
 * <p>A frame of one line can have several bodies, if they are short and equal in meta, length and first word: what
 * follows that word lies body after body, at whole words. The writer adds a body to the frame that it wrote last, and
 * stores the ring word again with the new number of bodies; 0 is a frame to which none is added. So small messages that
 * are sent faster than they are read need fewer lines, and each line crosses once for all of them. A reader that has
 * read all bodies of such a frame looks at its ring word and at the next line: the writer adds nothing once it has
 * written that.
 *
 * <p>The ring word is stored last, so a frame of one line is one line crossing. The sequence is the line's position
 * with its top bit set: a word of the lap before never passes for a new one. A line that held body bytes may hold
 * anything, so the writer clears such a line before the reader can come to it as the start of a frame.
 */
public final class RingLayout {
    public static final int LINE_SHIFT = 6;
    public static final int LINE = 1 << LINE_SHIFT;
    public static final int WORD = 8;
    public static final long CONSUMED = 0;
    public static final long ASLEEP = 128;
    public static final long LINES = 512;

    static final int SEQUENCE_SHIFT = 40;
    static final int LENGTH_SHIFT = 16;
    static final long LENGTH_MASK = (1L << 20) - 1;
    static final int BODIES_SHIFT = 36;
    static final long ONE_BODY = 1L << BODIES_SHIFT;
    static final int MOST_BODIES = 7;
    static final long SHAPE_MASK = ONE_BODY - 1;
    static final long STAGED = 1L << 39;
    static final long META_MASK = (1L << 16) - 1;
    static final long SEQUENCE_MARK = 1L << 23;
    static final long SEQUENCE_MASK = SEQUENCE_MARK - 1;
    /** In place of the place of a staged body: no frame; the reader only reports how far it has read. */
    public static final long REPORT = -1;
    /** The same: nothing comes in this ring any more. */
    public static final long END = -2;
    /** Meta of the filler that closes a lap; no frame may use it. */
    static final int FILLER = 0;

    static {
        assert LINES % LINE == 0 && ASLEEP - CONSUMED >= 2 * LINE && LINES - ASLEEP >= 2 * LINE;
    }

    /** A frame of a quarter of the ring must have a length that the ring word can hold. */
    private static final int MOST_LINES = 1 << 16;

    private RingLayout() {}

    public static long bytes(int lines) {
        return LINES + ((long) lines << LINE_SHIFT);
    }

    /** Lines of a ring in a segment of this size. */
    public static int lines(long bytes) {
        int lines = (int) ((bytes - LINES) >>> LINE_SHIFT);
        if (lines < 8 || lines > MOST_LINES || Integer.bitCount(lines) != 1) {
            throw new IllegalArgumentException("a ring needs a power of two of lines, at least 8, not " + lines);
        }
        return lines;
    }

    /** The largest body that a ring of this number of lines takes: a quarter, so that a filler and a frame fit. */
    public static int maxBody(int lines) {
        return (lines >>> 2 << LINE_SHIFT) - WORD;
    }

    static int linesOf(int bodyBytes) {
        return (bodyBytes + WORD + LINE - 1) >>> LINE_SHIFT;
    }

    static long word(long position, int bodyBytes, int meta) {
        return (position & SEQUENCE_MASK | SEQUENCE_MARK) << SEQUENCE_SHIFT | shape(bodyBytes, meta);
    }

    /** Length and meta of a frame as they stand in its ring word. */
    static long shape(int bodyBytes, int meta) {
        return (long) bodyBytes << LENGTH_SHIFT | meta;
    }

    /** Bytes between two bodies of a frame: of what follows their common first word. */
    public static int stride(int bodyBytes) {
        return bodyBytes - 1 & -WORD;
    }

    /** How many bodies of this length a frame of one line can have; below two it has one, to which none is added. */
    static int mostBodies(int bodyBytes) {
        int stride = stride(bodyBytes);
        return stride == 0 ? MOST_BODIES : (LINE - 2 * WORD) / stride;
    }

    /** Whether a frame that is not staged begins with a whole word and ends in its first line. */
    public static boolean isOfOneLine(long word) {
        return Integer.compareUnsigned(body(word) - WORD, LINE - 2 * WORD) <= 0;
    }

    /** Whether all bodies of a frame that has several lie in its line. */
    public static boolean hasRoomForBodies(long word) {
        int rest = body(word) - WORD;
        return Integer.compareUnsigned(rest, LINE - 2 * WORD) <= 0
                && (bodies(word) - 1) * stride(rest + WORD) + rest <= LINE - 2 * WORD;
    }

    /** The bodies of the frame with this ring word, or 0 if it has one to which none is added. */
    public static int bodies(long word) {
        return (int) (word >>> BODIES_SHIFT) & MOST_BODIES;
    }

    /** Whether the body of the frame with this ring word lies outside the ring, but for its first word. */
    public static boolean isStaged(long word) {
        return (word & STAGED) != 0;
    }

    static int linesOfFrame(long word) {
        return isStaged(word) ? 1 : linesOf(body(word));
    }

    public static int meta(long word) {
        return (int) (word & META_MASK);
    }

    public static int body(long word) {
        return (int) (word >>> LENGTH_SHIFT & LENGTH_MASK);
    }
}
