package io.rankwire;

import java.util.Arrays;

/** An ordered set of ranks, told by their ranks in the world. Immutable. */
public final class Group {
    /** World rank of each rank here; null when they are the same. */
    private final int[] worldRanks;
    private final int size;
    /** Rank here of each world rank, -1 for none; null when they are the same. */
    private final int[] ranks;

    private Group(int[] worldRanks, int size) {
        this.worldRanks = worldRanks;
        this.size = size;
        if (worldRanks == null) {
            ranks = null;
            return;
        }
        int highest = -1;
        for (int worldRank : worldRanks) {
            highest = Math.max(highest, worldRank);
        }
        ranks = new int[highest + 1];
        Arrays.fill(ranks, -1);
        for (int i = 0; i < size; i++) {
            if (worldRanks[i] < 0 || ranks[worldRanks[i]] >= 0) {
                throw new RankwireException(ErrorClass.RANK, "a group cannot hold world rank " + worldRanks[i]
                        + (worldRanks[i] < 0 ? "" : " twice"));
            }
            ranks[worldRanks[i]] = i;
        }
    }

    static Group world(int size) {
        return new Group(null, size);
    }

    static Group of(int... worldRanks) {
        return new Group(worldRanks.clone(), worldRanks.length);
    }

    public int size() {
        return size;
    }

    /** The world rank of a rank of this group. */
    public int worldRank(int rank) {
        if (rank < 0 || rank >= size) {
            throw new RankwireException(ErrorClass.RANK, "argument rank: " + rank + " is not in a group of " + size);
        }
        return worldRankOf(rank);
    }

    /** As {@link #worldRank}, of a rank that is known to be in the group. */
    int worldRankOf(int rank) {
        return worldRanks == null ? rank : worldRanks[rank];
    }

    /** The rank here of a world rank, or -1. */
    public int rankOf(int worldRank) {
        if (ranks == null) {
            return worldRank >= 0 && worldRank < size ? worldRank : -1;
        }
        return worldRank >= 0 && worldRank < ranks.length ? ranks[worldRank] : -1;
    }

    /** The rank in another group of a rank here, or -1. */
    public int translate(int rank, Group other) {
        return other.rankOf(worldRank(rank));
    }

    /** The given ranks of this group, in that order. */
    public Group include(int... chosen) {
        int[] result = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            result[i] = worldRank(chosen[i]);
        }
        return of(result);
    }

    /** This group without the given ranks. */
    public Group exclude(int... left) {
        boolean[] out = new boolean[size];
        for (int rank : left) {
            worldRank(rank);
            out[rank] = true;
        }
        return filter(rank -> !out[rank]);
    }

    /** This group, then the ranks only the other has. */
    public Group union(Group other) {
        int[] result = Arrays.copyOf(members(), size + other.size);
        int count = size;
        for (int i = 0; i < other.size; i++) {
            if (rankOf(other.worldRank(i)) < 0) {
                result[count++] = other.worldRank(i);
            }
        }
        return of(Arrays.copyOf(result, count));
    }

    /** The ranks both have, in the order here. */
    public Group intersection(Group other) {
        return filter(rank -> other.rankOf(worldRank(rank)) >= 0);
    }

    /** The ranks the other has not, in the order here. */
    public Group difference(Group other) {
        return filter(rank -> other.rankOf(worldRank(rank)) < 0);
    }

    /** Same ranks in the same order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Group group && Arrays.equals(members(), group.members());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(members());
    }

    @Override
    public String toString() {
        return Arrays.toString(members());
    }

    private Group filter(java.util.function.IntPredicate keep) {
        int[] result = new int[size];
        int count = 0;
        for (int rank = 0; rank < size; rank++) {
            if (keep.test(rank)) {
                result[count++] = worldRank(rank);
            }
        }
        return of(Arrays.copyOf(result, count));
    }

    private int[] members() {
        int[] result = new int[size];
        for (int rank = 0; rank < size; rank++) {
            result[rank] = worldRank(rank);
        }
        return result;
    }
}
