package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** An ordered set of ranks, each given by its rank in the world. Immutable. */
public final class RankSet {
    /** World rank of each rank here; null when they are the same. */
    private final int[] worldRanks;
    private final int size;
    /** Rank here of each world rank, -1 for none; null when they are the same. */
    private final int[] ranks;

    private RankSet(int[] worldRanks, int size) {
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

    public static RankSet world(int size) {
        return new RankSet(null, size);
    }

    public static RankSet of(int... worldRanks) {
        return new RankSet(worldRanks.clone(), worldRanks.length);
    }

    public int size() {
        return size;
    }

    /** The world rank of a rank of this set. */
    public int worldRank(int rank) {
        if (rank < 0 || rank >= size) {
            throw new RankwireException(ErrorClass.RANK, "argument rank: " + rank + " is not in a group of " + size);
        }
        return worldRankOf(rank);
    }

    /** As {@link #worldRank}, of a rank that is known to be in the set. */
    public int worldRankOf(int rank) {
        return worldRanks == null ? rank : worldRanks[rank];
    }

    /** The rank here of a world rank, or -1. */
    public int rankOf(int worldRank) {
        if (ranks == null) {
            return worldRank >= 0 && worldRank < size ? worldRank : -1;
        }
        return worldRank >= 0 && worldRank < ranks.length ? ranks[worldRank] : -1;
    }

    /** The given ranks of this set, in that order. */
    public RankSet include(int... chosen) {
        int[] result = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            result[i] = worldRank(chosen[i]);
        }
        return of(result);
    }

    /** The first ranks of this set. */
    public RankSet first(int count) {
        return of(Arrays.copyOf(members(), count));
    }

    /** This set without the given ranks. */
    public RankSet exclude(int... left) {
        boolean[] out = new boolean[size];
        for (int rank : left) {
            worldRank(rank);
            out[rank] = true;
        }
        return filter(rank -> !out[rank]);
    }

    /** This group, then the ranks that only the other set has. */
    public RankSet union(RankSet other) {
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
    public RankSet intersection(RankSet other) {
        return filter(rank -> other.rankOf(worldRank(rank)) >= 0);
    }

    /** The ranks the other has not, in the order here. */
    public RankSet difference(RankSet other) {
        return filter(rank -> other.rankOf(worldRank(rank)) < 0);
    }

    /** Same ranks in the same order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RankSet set && Arrays.equals(members(), set.members());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(members());
    }

    @Override
    public String toString() {
        return Arrays.toString(members());
    }

    private RankSet filter(IntPredicate keep) {
        int[] result = new int[size];
        int count = 0;
        for (int rank = 0; rank < size; rank++) {
            if (keep.test(rank)) {
                result[count++] = worldRank(rank);
            }
        }
        return of(Arrays.copyOf(result, count));
    }

    /** The world ranks, in order. */
    public int[] members() {
        int[] result = new int[size];
        for (int rank = 0; rank < size; rank++) {
            result[rank] = worldRank(rank);
        }
        return result;
    }
}
