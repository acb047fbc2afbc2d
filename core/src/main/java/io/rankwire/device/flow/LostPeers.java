package io.rankwire.device.flow;

import java.util.Arrays;

/** The peers that were given up, in eight bytes each: what still comes of them is refused. */
final class LostPeers {
    /** Refuses a peer whatever start its frames are of. */
    static final int EVERY_START = Integer.MAX_VALUE;

    private int[] ranks = new int[0];
    /** By rank: the last incarnation that was given up. */
    private int[] incarnations = new int[0];
    private int count;

    boolean contains(int rank) {
        return count != 0 && find(rank) >= 0;
    }

    private int find(int rank) {
        return Arrays.binarySearch(ranks, 0, count, rank);
    }

    /** Whether a frame of this incarnation is to be refused. One of a later start is welcome, and ends the matter. */
    boolean refuses(int rank, int incarnation) {
        int at = count == 0 ? -1 : find(rank);
        if (at < 0) {
            return false;
        }
        if (incarnations[at] == 0) {
            incarnations[at] = incarnation;
        }
        return incarnation <= incarnations[at];
    }

    /**
     * @param incarnation the last one known, 0 for none: then that of the first frame to come
     */
    void add(int rank, int incarnation) {
        int at = find(rank);
        if (at < 0) {
            at = ~at;
            if (count == ranks.length) {
                ranks = Arrays.copyOf(ranks, Math.max(4, 2 * count));
                incarnations = Arrays.copyOf(incarnations, ranks.length);
            }
            System.arraycopy(ranks, at, ranks, at + 1, count - at);
            System.arraycopy(incarnations, at, incarnations, at + 1, count - at);
            ranks[at] = rank;
            count++;
        }
        incarnations[at] = incarnation;
    }

    /** The peer may be spoken with again, unless that was ruled out for good. */
    void welcome(int rank) {
        int at = find(rank);
        if (at >= 0 && incarnations[at] != EVERY_START) {
            count--;
            System.arraycopy(ranks, at + 1, ranks, at, count - at);
            System.arraycopy(incarnations, at + 1, incarnations, at, count - at);
        }
    }

    int count() {
        return count;
    }
}
