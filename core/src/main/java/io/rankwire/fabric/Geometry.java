package io.rankwire.fabric;

import io.rankwire.memory.RingLayout;

/**
 * Sizes of the memory that frames go through. {@code rankwire} measures which are fastest on a machine. All ranks of a
 * job have the same, since each maps memory that another one has made.
 *
 * @param mostInRing longer payloads lie in the slab of their sender
 * @param slabBytes the size of a slab in a job of few ranks, a power of two
 */
public record Geometry(int mostInRing, int slabBytes) {
    /** Where nothing was measured. */
    public static final Geometry DEFAULT = new Geometry(1024, 512 << 10);

    private static final int LEAST_IN_RING = RingLayout.LINE;
    private static final int MOST_IN_RING = 4096;
    private static final int LEAST_SLAB = 256 << 10;
    private static final int MOST_SLAB = 16 << 20;
    /** The slabs of all ranks take no more, as long as each has the least. */
    private static final int ALL_SLABS = 16 << 20;

    public Geometry {
        if (mostInRing < LEAST_IN_RING || mostInRing > MOST_IN_RING || slabBytes < LEAST_SLAB || slabBytes > MOST_SLAB
                || Integer.bitCount(slabBytes) != 1) {
            throw new IllegalArgumentException("payloads in rings up to " + mostInRing + ", slabs of " + slabBytes);
        }
    }

    /**
     * Lines of a ring: 64 KiB a pair, which stays in a core's own cache, and half of it when many ranks share the
     * memory, so that all pairs of 32 ranks talking fit in the 64 MB that containers give.
     */
    public static int ringLines(int ranks) {
        return ranks <= 16 ? 1024 : 512;
    }

    /** The longest payload of a frame, in the ring or in the slab. */
    public static int mostInFrame(int ringLines) {
        return RingLayout.maxBody(ringLines) - RingLayout.WORD;
    }

    /** Bytes of a chunk of the slab: the longest payload, and the two words that it has before it in a ring. */
    public static int chunkBytes(int ringLines) {
        return mostInFrame(ringLines) + 2 * RingLayout.WORD;
    }

    /** Bytes of the slab of each rank. */
    public int slabBytes(int ranks) {
        return Math.clamp(Integer.highestOneBit(ALL_SLABS / ranks), LEAST_SLAB, slabBytes);
    }

    /** Two whole numbers of bytes, in the order of the record: as ranks get them and files hold them. */
    public String text() {
        return Integer.toString(mostInRing).concat(" ").concat(Integer.toString(slabBytes));
    }

    /** What {@link #text} wrote; null when it is damaged, or out of bounds. */
    public static Geometry parse(String text) {
        int space = text.indexOf(' ');
        try {
            return space < 0 ? null : new Geometry(Integer.parseInt(text.substring(0, space)),
                    Integer.parseInt(text.substring(space + 1)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
