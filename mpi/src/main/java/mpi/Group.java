package mpi;

import io.rankwire.Comparison;

/** An ordered set of ranks, in both dialects. */
public final class Group implements Freeable {
    /** The code of {@link MPI#GROUP_EMPTY}. */
    public static final int EMPTY = 3;
    /** The code of {@link MPI#GROUP_NULL}. */
    static final int NONE = 2;
    private static final int MADE = -1;

    /** The number of a predefined group; -1 for all others. */
    public final int code;

    /** Null in a null group. */
    private io.rankwire.Group core;

    Group(io.rankwire.Group core) {
        this.core = core;
        this.code = MADE;
    }

    /** Makes a predefined group. */
    Group(int code) {
        this.code = code;
    }

    /** Connects a predefined group to a world, or with null makes it a null group. */
    void open(io.rankwire.Group group) {
        core = group;
    }

    /** A call on one group or on several. */
    @FunctionalInterface
    private interface Question<T> {
        T answer();
    }

    private static <T> T ask(Question<T> question) {
        try {
            return question.answer();
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    static io.rankwire.Group core(Group group) {
        if (group == null || group.core == null) {
            throw new MPIException(MPI.ERR_GROUP, "argument group is null");
        }
        return group.core;
    }

    // Open MPI

    /** Returns the number of ranks (MPI_Group_size). */
    public int getSize() throws MPIException {
        return ask(() -> core(this).size());
    }

    /** Returns the calling process's rank in the group, or {@link MPI#UNDEFINED} (MPI_Group_rank). */
    public int getRank() throws MPIException {
        return ask(() -> {
            int rank = core(this).rankOf(PerRank.COMM_WORLD().on.core().rank());
            return rank < 0 ? MPI.UNDEFINED : rank;
        });
    }

    @Override
    public void free() throws MPIException {
        ask(() -> core(this));
        core = null;
    }

    /** Does nothing; the JVM ignores a finalizer that is empty. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    /** Returns whether this is a null group. */
    public boolean isNull() {
        return core == null;
    }

    /** Returns ranks of one group as ranks of another, or {@link MPI#UNDEFINED} (MPI_Group_translate_ranks). */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return ask(() -> {
            int[] ranks = core(group1).translate(ranks1, core(group2));
            for (int i = 0; i < ranks.length; i++) {
                ranks[i] = ranks[i] < 0 && ranks[i] != MPI.PROC_NULL ? MPI.UNDEFINED : ranks[i];
            }
            return ranks;
        });
    }

    /** Compares two groups (MPI_Group_compare). */
    public static int compare(Group group1, Group group2) throws MPIException {
        return ask(() -> code(core(group1).compare(core(group2))));
    }

    static int code(Comparison comparison) {
        return switch (comparison) {
            case IDENTICAL -> MPI.IDENT;
            case CONGRUENT -> MPI.CONGRUENT;
            case SIMILAR -> MPI.SIMILAR;
            case UNEQUAL -> MPI.UNEQUAL;
        };
    }

    /** Returns the ranks of the first group, then the others of the second (MPI_Group_union). */
    public static Group union(Group group1, Group group2) throws MPIException {
        return ask(() -> new Group(core(group1).union(core(group2))));
    }

    /** Returns the ranks of the first group that the second has too (MPI_Group_intersection). */
    public static Group intersection(Group group1, Group group2) throws MPIException {
        return ask(() -> new Group(core(group1).intersection(core(group2))));
    }

    /** Returns the ranks of the first group that the second does not have (MPI_Group_difference). */
    public static Group difference(Group group1, Group group2) throws MPIException {
        return ask(() -> new Group(core(group1).difference(core(group2))));
    }

    /** Returns a group of some ranks, in the order given (MPI_Group_incl). */
    public Group incl(int[] ranks) throws MPIException {
        return ask(() -> new Group(core(this).include(ranks)));
    }

    /** Returns a group without some ranks (MPI_Group_excl). */
    public Group excl(int[] ranks) throws MPIException {
        return ask(() -> new Group(core(this).exclude(ranks)));
    }

    /** Returns a group of the ranks of ranges: first, last and step of each (MPI_Group_range_incl). */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        return ask(() -> new Group(core(this).includeRanges(ranges(ranges))));
    }

    /** Returns a group without the ranks of ranges (MPI_Group_range_excl). */
    public Group rangeExcl(int[][] ranges) throws MPIException {
        return ask(() -> new Group(core(this).excludeRanges(ranges(ranges))));
    }

    private static io.rankwire.Group.Range[] ranges(int[][] triples) {
        io.rankwire.Group.Range[] ranges = new io.rankwire.Group.Range[triples.length];
        for (int i = 0; i < ranges.length; i++) {
            if (triples[i].length != 3) {
                throw new MPIException(MPI.ERR_ARG, "argument ranges[" + i + "]: a range is first, last and step, not "
                        + triples[i].length + " numbers");
            }
            ranges[i] = new io.rankwire.Group.Range(triples[i][0], triples[i][1], triples[i][2]);
        }
        return ranges;
    }

    // mpiJava

    /** As {@link #getSize}. */
    public int Size() throws MPIException {
        return getSize();
    }

    /** As {@link #getRank}. */
    public int Rank() throws MPIException {
        return getRank();
    }

    /** As {@link #translateRanks}. */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return translateRanks(group1, ranks1, group2);
    }

    /** As {@link #compare}. */
    public static int Compare(Group group1, Group group2) throws MPIException {
        return compare(group1, group2);
    }

    /** As {@link #union}. */
    public static Group Union(Group group1, Group group2) throws MPIException {
        return union(group1, group2);
    }

    /** As {@link #intersection}. */
    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return intersection(group1, group2);
    }

    /** As {@link #difference}. */
    public static Group Difference(Group group1, Group group2) throws MPIException {
        return difference(group1, group2);
    }

    /** As {@link #incl}. */
    public Group Incl(int[] ranks) throws MPIException {
        return incl(ranks);
    }

    /** As {@link #excl}. */
    public Group Excl(int[] ranks) throws MPIException {
        return excl(ranks);
    }

    /** As {@link #rangeIncl}. */
    public Group Range_incl(int[][] ranges) throws MPIException {
        return rangeIncl(ranges);
    }

    /** As {@link #rangeExcl}. */
    public Group Range_excl(int[][] ranges) throws MPIException {
        return rangeExcl(ranges);
    }

    @Override
    public String toString() {
        return core == null ? "null group" : core.toString();
    }
}
