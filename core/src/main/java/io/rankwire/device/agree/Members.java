package io.rankwire.device.agree;

import java.util.Arrays;
import java.util.BitSet;
import java.util.TreeMap;

/**
 * The members of a group as one of them sees it: who is dead, and the tree of the others. The positions of the group
 * are divided into blocks of {@code fan}, {@code fan} * {@code fan} … positions. The head of a block is its first
 * position that is not known to be dead. The parent of a member is the head of the smallest block around it that
 * another member heads; the head of all is the root. So a dead head is replaced by the next one of its block, whose
 * parent stays the same.
 *
 * <p>Members that know of different deaths see different trees. What makes a sweep right nevertheless: if {@code h}
 * takes {@code r} for its parent, {@code h} answers for at least the block for which {@code r} expects an answer of
 * {@code h}, now or later. Else {@code r} would take {@code h} for the head of a block that holds {@code r} before
 * {@code h}, and so itself for dead.
 */
final class Members {
    /** In groups of up to this size the root is the parent of all other members. */
    static final int FLAT = 16;
    static final int FAN = 8;
    static final int NONE = -1;

    final int context;
    /** How often the number of the context was used before. */
    final int use;
    /** By position: ranks of the world. */
    private final int[] ranks;
    /** Ranks in order, each with its position; made when a rank is looked for whose position is not its number. */
    private long[] byRank;
    final int self;
    private final int fan;
    private final BitSet dead = new BitSet();

    /** The head of all. */
    private int root;
    /** The position of the parent, or {@link #NONE} at the root. */
    private int parent;
    /** Positions; those with the most members behind them first. */
    private int[] children;

    /** Calls in shared memory; null if there is none, or not for all members. */
    SharedCalls shared;
    /** The calls that may still be asked about, by number. */
    final TreeMap<Integer, Instance> calls = new TreeMap<>();
    int lastBegun = -1;
    boolean revoked;
    /** Positions to which REVOKE was sent, or from which it came. */
    final BitSet informed = new BitSet();
    boolean dropped;

    /**
     * @param ranks is not copied
     * @param lost ranks of the world that are dead, members or not
     */
    Members(int context, int use, int[] ranks, int self, Iterable<Integer> lost) {
        this.context = context;
        this.use = use;
        this.ranks = ranks;
        this.self = self;
        this.fan = ranks.length <= FLAT ? FLAT : FAN;
        for (int rank : lost) {
            int position = position(rank);
            if (position != NONE) {
                dead.set(position);
            }
        }
        link();
    }

    private static long[] sorted(int[] ranks) {
        long[] places = new long[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            places[i] = (long) ranks[i] << 32 | i;
        }
        Arrays.sort(places);
        return places;
    }

    int count() {
        return ranks.length;
    }

    int rank(int position) {
        return ranks[position];
    }

    /** The position of a rank of the world, or {@link #NONE}. */
    int position(int rank) {
        if (rank < ranks.length && ranks[rank] == rank) {
            return rank;
        }
        byRank = byRank == null ? sorted(ranks) : byRank;
        int at = Arrays.binarySearch(byRank, (long) rank << 32);
        at = at < 0 ? ~at : at;
        return at < byRank.length && (int) (byRank[at] >>> 32) == rank ? (int) byRank[at] : NONE;
    }

    /** Notes a death; false if nothing changes. */
    boolean lose(int position) {
        if (position == NONE || position == self || dead.get(position)) {
            return false;
        }
        dead.set(position);
        link();
        return true;
    }

    boolean isDead(int position) {
        return dead.get(position);
    }

    /** How many members are known to be dead. */
    int deaths() {
        return dead.cardinality();
    }

    int root() {
        return root;
    }

    int parent() {
        return parent;
    }

    int[] children() {
        return children;
    }

    private void link() {
        root = dead.nextClearBit(0);
        parent = NONE;
        int[] found = new int[fan];
        int count = 0;
        long part = 1;
        for (long block = fan; part < ranks.length; part = block, block *= fan) {
            long first = self / block * block;
            int head = dead.nextClearBit((int) first);
            if (head != self) {
                parent = head;
                break;
            }
            long end = Math.min(first + block, ranks.length);
            for (long from = first; from < end; from += part) {
                int child = dead.nextClearBit((int) from);
                if (child < Math.min(from + part, end) && child != self) {
                    found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                    found[count++] = child;
                }
            }
        }
        children = new int[count];
        for (int i = 0; i < count; i++) {
            children[i] = found[count - 1 - i];
        }
    }
}
