package io.rankwire;

import java.util.Arrays;

/** An ordered set of ranks, told by their ranks in the world. Immutable. */
public final class Group {
    /**
     * The ranks {@code first}, {@code first + step} … as far as {@code last}, which they may miss. A step below zero
     * goes down.
     */
    public record Range(int first, int last, int step) {
        public Range {
            if (step == 0) {
                throw new RankwireException(ErrorClass.ARGUMENT, "argument step of a range is zero");
            }
        }

        /** How many ranks it tells. */
        private long count() {
            boolean away = step > 0 ? last < first : last > first;
            return away ? 0 : ((long) last - first) / step + 1;
        }
    }

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

    /**
     * The ranks in another group of several ranks here, -1 for those it does not have; {@link Communicator#NONE} stays
     * what it is.
     */
    public int[] translate(int[] some, Group other) {
        int[] result = new int[some.length];
        for (int i = 0; i < some.length; i++) {
            result[i] = some[i] == Communicator.NONE ? Communicator.NONE : translate(some[i], other);
        }
        return result;
    }

    /** {@link Comparison#IDENTICAL}, {@link Comparison#SIMILAR} or {@link Comparison#UNEQUAL}. */
    public Comparison compare(Group other) {
        if (equals(other)) {
            return Comparison.IDENTICAL;
        }
        return size == other.size && difference(other).size == 0 ? Comparison.SIMILAR : Comparison.UNEQUAL;
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

    /** The ranks of the ranges, in that order. */
    public Group includeRanges(Range... ranges) {
        return include(ranks(ranges));
    }

    /** This group without the ranks of the ranges. */
    public Group excludeRanges(Range... ranges) {
        return exclude(ranks(ranges));
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

    /** Every rank is held against this group before room is made for all, so that no range is too long. */
    private int[] ranks(Range... ranges) {
        int[] result = new int[0];
        for (Range range : ranges) {
            long told = range.count();
            if (told > 0) {
                worldRank(range.first);
                worldRank((int) (range.first + (told - 1) * range.step));
            }
            int count = (int) told;
            int known = result.length;
            result = Arrays.copyOf(result, known + count);
            for (int i = 0; i < count; i++) {
                result[known + i] = range.first + i * range.step;
            }
        }
        return result;
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
