package io.rankwire.wire;

/**
 * Widths of the fields of a match word, as software chooses them for a device: how many ranks, tags and communicators
 * can be told apart. The two top bits are the wildcards, as in {@link MatchWord}.
 *
 * <pre>
 *  63 62 | ... | context | source + 1 | tag
 *  wild  |  0  |         |            |
 * </pre>
 *
 * The match queues of a device always use {@link MatchWord}, whose widths are constants and wide enough for every
 * layout. A layout limits what the device accepts, and is what modelled matcher units compare.
 *
 * @param sourceBits of the number of the rank that sends, plus one
 * @param tagBits of the tag
 * @param contextBits of a number for the context; 0 if each context has a queue of its own, which needs none
 */
public record WordLayout(int sourceBits, int tagBits, int contextBits) {
    private static final int FIELDS = 31;
    private static final int ALL = 62;

    /** That of {@link MatchWord}. */
    public static final WordLayout DEFAULT = new WordLayout(FIELDS, FIELDS, 0);

    /** The fewest bits of a tag: MPI promises tags up to 32,767. */
    public static final int LEAST_TAG_BITS = 15;

    public WordLayout {
        if (sourceBits < 1 || sourceBits > FIELDS || tagBits < LEAST_TAG_BITS || tagBits > FIELDS || contextBits < 0
                || contextBits > FIELDS || sourceBits + tagBits + contextBits > ALL) {
            throw new IllegalArgumentException("match words: 1 to " + FIELDS + " bits for the source, " + LEAST_TAG_BITS
                    + " to " + FIELDS + " for the tag and 0 to " + FIELDS + " for the context, " + ALL
                    + " together, not " + sourceBits + ", " + tagBits + " and " + contextBits);
        }
    }

    /** The largest tag. */
    public int mostTag() {
        return (1 << tagBits) - 1 & Integer.MAX_VALUE;
    }

    /** Most ranks of a job. */
    public int mostRanks() {
        return (1 << sourceBits) - 1 & Integer.MAX_VALUE;
    }

    /** Most contexts in one queue. */
    public long mostContexts() {
        return contextBits == 0 ? Long.MAX_VALUE : 1L << contextBits;
    }

    /** The bits of the tag: a wildcard masks them out. */
    public long tagMask() {
        return (1L << tagBits) - 1;
    }

    /** The bits of the source. */
    public long sourceMask() {
        return (1L << sourceBits) - 1 << tagBits;
    }

    /**
     * A word of this layout; fields with a wildcard stay blank. A tag of the library's own that is too wide is folded,
     * and so is a context.
     *
     * @param word of {@link MatchWord}
     */
    public long pack(long word, int context) {
        long tag = word & MatchWord.TAG_MASK;
        long folded = (tag ^ tag >>> tagBits) & tagMask();
        long source = ((word & MatchWord.SOURCE_MASK) >>> FIELDS << tagBits) & sourceMask();
        long number = (context & (1L << contextBits) - 1) << sourceBits + tagBits;
        return word & MatchWord.WILD_MASK | number | source | folded;
    }

    public int source(long word) {
        return (int) ((word & sourceMask()) >>> tagBits) - 1;
    }

    public int tag(long word) {
        return (int) (word & tagMask());
    }

    /** The number of the context, folded. */
    public int context(long word) {
        return (int) ((word & ~MatchWord.WILD_MASK) >>> sourceBits + tagBits);
    }
}
