package io.rankwire.wire;

/**
 * The 64-bit word that decides which receive a message meets. The context has already picked the queue, so the word
 * holds only the source (a world rank) and the tag:
 *
 * <pre>
 *  63 62 | 61 ........ 31 | 30 ......... 0
 *  wild  | source + 1     | tag
 * </pre>
 *
 * A wildcard field is blank (zero) and its wild bit is set, so a posted word of any shape is one exact key. Zero is no
 * word.
 */
public final class MatchWord {
    public static final int ANY = -1;
    public static final int MAX_TAG = Integer.MAX_VALUE;
    public static final int MAX_SOURCE = Integer.MAX_VALUE - 1;

    public static final long TAG_MASK = (1L << 31) - 1;
    public static final long SOURCE_MASK = TAG_MASK << 31;
    public static final long ANY_TAG_BIT = 1L << 62;
    public static final long ANY_SOURCE_BIT = 1L << 63;
    public static final long WILD_MASK = ANY_TAG_BIT | ANY_SOURCE_BIT;

    private MatchWord() {}

    /** The word of a message, or of a receive without wildcards. */
    public static long exact(int source, int tag) {
        return (source + 1L) << 31 | tag;
    }

    /** The word of a receive; either argument may be {@link #ANY}. */
    public static long of(int source, int tag) {
        long word = source == ANY ? ANY_SOURCE_BIT : (source + 1L) << 31;
        return tag == ANY ? word | ANY_TAG_BIT : word | tag;
    }

    public static int source(long word) {
        return (int) ((word & SOURCE_MASK) >>> 31) - 1;
    }

    public static int tag(long word) {
        return (int) (word & TAG_MASK);
    }

    public static long anyTag(long exactWord) {
        return exactWord & SOURCE_MASK | ANY_TAG_BIT;
    }

    public static long anySource(long exactWord) {
        return exactWord & TAG_MASK | ANY_SOURCE_BIT;
    }

    /** Whether a message's exact word meets a posted word. */
    public static boolean matches(long posted, long exactWord) {
        long compared = (posted & ANY_SOURCE_BIT) != 0 ? 0 : SOURCE_MASK;
        if ((posted & ANY_TAG_BIT) == 0) {
            compared |= TAG_MASK;
        }
        return ((posted ^ exactWord) & compared) == 0;
    }
}
