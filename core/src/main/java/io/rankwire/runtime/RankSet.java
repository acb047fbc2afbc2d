package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** An ordered set of ranks, each given by its world rank: the members of a communicator or group. Immutable. */
public final class RankSet {
    /** The world rank of each rank; null when both are the same. */
    private final int[] worldRanks;
    private final int size;
    /** The rank of each world rank, or -1; null when both are the same. */
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

    /** Returns the set of all ranks of a world. */
    public static RankSet world(int size) {
        return new RankSet(null, size);
    }

    /** Returns the set of these world ranks, in this order. */
    public static RankSet of(int... worldRanks) {
        return new RankSet(worldRanks.clone(), worldRanks.length);
    }

    public int size() {
        return size;
    }

    /** Returns the world rank of a rank of this set; throws if it is not in the set. */
    public int worldRank(int rank) {
        if (rank < 0 || rank >= size) {
            throw new RankwireException(ErrorClass.RANK, "argument rank: " + rank + " is not in a group of " + size);
        }
        return worldRankOf(rank);
    }

    /** As {@link #worldRank}, for a rank that is known to be in the set. */
    public int worldRankOf(int rank) {
        return worldRanks == null ? rank : worldRanks[rank];
    }

    /** Returns the rank of a world rank, or -1. */
    public int rankOf(int worldRank) {
        if (ranks == null) {
            return worldRank >= 0 && worldRank < size ? worldRank : -1;
        }
        return worldRank >= 0 && worldRank < ranks.length ? ranks[worldRank] : -1;
    }

    /** Returns the set of the given ranks of this set, in that order. */
    public RankSet include(int... chosen) {
        int[] result = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            result[i] = worldRank(chosen[i]);
        }
        return of(result);
    }

    /** Returns the set of the first ranks of this set. */
    RankSet first(int count) {
        return of(Arrays.copyOf(members(), count));
    }

    /** Returns this set without the given ranks. */
    public RankSet exclude(int... left) {
        boolean[] out = new boolean[size];
        for (int rank : left) {
            worldRank(rank);
            out[rank] = true;
        }
        return filter(rank -> !out[rank]);
    }

    /** Returns the ranks of this set, then those that only the other set has. */
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

    /** Returns the ranks that both sets have, in the order of this set. */
    public RankSet intersection(RankSet other) {
        return filter(rank -> other.rankOf(worldRank(rank)) >= 0);
    }

    /** Returns the ranks that the other set does not have, in the order of this set. */
    public RankSet difference(RankSet other) {
        return filter(rank -> other.rankOf(worldRank(rank)) < 0);
    }

    /** Whether the other is a set of the same ranks in the same order. */
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

    /** Returns the world ranks, in order. */
    int[] members() {
        int[] result = new int[size];
        for (int rank = 0; rank < size; rank++) {
            result[rank] = worldRank(rank);
        }
        return result;
    }
}
