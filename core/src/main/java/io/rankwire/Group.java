package io.rankwire;

import io.rankwire.runtime.RankSet;
import java.util.Arrays;

/**
 * An ordered set of ranks. A group is immutable, and making one needs no other rank.
 *
 * <pre>{@code
 * Group even = all.group().includeRanges(new Group.Range(0, all.size() - 1, 2));
 * Optional<Communicator> mine = all.create(even);
 * }</pre>
 */
public final class Group {
    /**
     * The ranks {@code first}, {@code first + step} … up to {@code last}, which need not be one of them. With a step
     * below zero they go down.
     *
     * @param first the first rank
     * @param last no rank beyond it is in the range
     * @param step the distance between two ranks, not zero
     */
    public record Range(int first, int last, int step) {
        /**
         * Checks the step.
         *
         * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the step is zero
         */
        public Range {
            if (step == 0) {
                throw new RankwireException(ErrorClass.ARGUMENT, "argument step of a range is zero");
            }
        }

        /** How many ranks the range has. */
        private long count() {
            boolean away = step > 0 ? last < first : last > first;
            return away ? 0 : ((long) last - first) / step + 1;
        }
    }

    private final RankSet ranks;

    Group(RankSet ranks) {
        this.ranks = ranks;
    }

    static Group of(int... worldRanks) {
        return new Group(RankSet.of(worldRanks));
    }

    RankSet ranks() {
        return ranks;
    }

    /**
     * The number of ranks in this group.
     *
     * @return zero or more
     */
    public int size() {
        return ranks.size();
    }

    /**
     * The world rank of a rank of this group.
     *
     * @param rank from 0 to {@code size() - 1}
     * @return the rank in the world's communicator
     * @throws RankwireException of class {@link ErrorClass#RANK} if this group has no such rank
     */
    public int worldRank(int rank) {
        return ranks.worldRank(rank);
    }

    /**
     * The rank in this group of a rank in the world.
     *
     * @param worldRank any number
     * @return the rank, or -1 if this group does not have it
     */
    public int rankOf(int worldRank) {
        return ranks.rankOf(worldRank);
    }

    /**
     * The rank in another group of a rank of this group.
     *
     * @param rank a rank of this group
     * @param other the other group
     * @return the rank there, or -1 if the other group does not have it
     * @throws RankwireException of class {@link ErrorClass#RANK} if this group has no such rank
     */
    public int translate(int rank, Group other) {
        return other.rankOf(worldRank(rank));
    }

    /**
     * The ranks in another group of several ranks of this group.
     *
     * @param some ranks of this group; {@link Communicator#NONE} is translated to itself
     * @param other the other group
     * @return the ranks there, with -1 for each that the other group does not have
     * @throws RankwireException of class {@link ErrorClass#RANK} if this group lacks one of the ranks
     */
    public int[] translate(int[] some, Group other) {
        int[] result = new int[some.length];
        for (int i = 0; i < some.length; i++) {
            result[i] = some[i] == Communicator.NONE ? Communicator.NONE : translate(some[i], other);
        }
        return result;
    }

    /**
     * Compares the members and the order of two groups.
     *
     * @param other the other group
     * @return {@link Comparison#IDENTICAL}, {@link Comparison#SIMILAR} or {@link Comparison#UNEQUAL}
     */
    public Comparison compare(Group other) {
        if (equals(other)) {
            return Comparison.IDENTICAL;
        }
        return size() == other.size() && difference(other).size() == 0 ? Comparison.SIMILAR : Comparison.UNEQUAL;
    }

    /**
     * A group of the given ranks of this group, in the given order.
     *
     * @param chosen ranks of this group, each at most once
     * @return the new group
     * @throws RankwireException of class {@link ErrorClass#RANK} if a rank is not in this group, or is given twice
     */
    public Group include(int... chosen) {
        return new Group(ranks.include(chosen));
    }

    /**
     * This group without the given ranks.
     *
     * @param left ranks of this group
     * @return the new group
     * @throws RankwireException of class {@link ErrorClass#RANK} if a rank is not in this group
     */
    public Group exclude(int... left) {
        return new Group(ranks.exclude(left));
    }

    /**
     * A group of the ranks of the ranges, in that order.
     *
     * @param ranges ranges of ranks of this group
     * @return the new group
     * @throws RankwireException of class {@link ErrorClass#RANK} if a rank is not in this group, or is given twice
     */
    public Group includeRanges(Range... ranges) {
        return include(expand(ranges));
    }

    /**
     * This group without the ranks of the ranges.
     *
     * @param ranges ranges of ranks of this group
     * @return the new group
     * @throws RankwireException of class {@link ErrorClass#RANK} if a rank is not in this group
     */
    public Group excludeRanges(Range... ranges) {
        return exclude(expand(ranges));
    }

    /**
     * The ranks of this group, followed by the ranks that only the other group has.
     *
     * @param other the other group
     * @return the new group
     */
    public Group union(Group other) {
        return new Group(ranks.union(other.ranks));
    }

    /**
     * The ranks that both groups have, in the order of this group.
     *
     * @param other the other group
     * @return the new group
     */
    public Group intersection(Group other) {
        return new Group(ranks.intersection(other.ranks));
    }

    /**
     * The ranks that the other group does not have, in the order of this group.
     *
     * @param other the other group
     * @return the new group
     */
    public Group difference(Group other) {
        return new Group(ranks.difference(other.ranks));
    }

    /** Two groups are equal if they have the same ranks in the same order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Group group && ranks.equals(group.ranks);
    }

    @Override
    public int hashCode() {
        return ranks.hashCode();
    }

    @Override
    public String toString() {
        return ranks.toString();
    }

    /** The ends of each range are checked before an array for all of its ranks is made. */
    private int[] expand(Range... ranges) {
        int[] result = new int[0];
        for (Range range : ranges) {
            long members = range.count();
            if (members > 0) {
                worldRank(range.first);
                worldRank((int) (range.first + (members - 1) * range.step));
            }
            int known = result.length;
            result = Arrays.copyOf(result, known + (int) members);
            for (int i = 0; i < (int) members; i++) {
                result[known + i] = range.first + i * range.step;
            }
        }
        return result;
    }
}
