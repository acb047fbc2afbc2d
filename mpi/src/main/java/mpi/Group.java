package mpi;

import io.rankwire.Comparison;

/** An ordered set of ranks, in both dialects. */
public final class Group implements Freeable {
    /** The code of {@link MPI#GROUP_EMPTY}. */
    public static final int EMPTY = 3;
    /** The code of {@link MPI#GROUP_NULL}. */
    static final int NONE = 2;
    private static final int MADE = -1;

    /** Which of the predefined groups it is; -1 for all others. */
    public final int code;

    /** Null after it was freed, and of a null group. */
    private io.rankwire.Group core;

    Group(io.rankwire.Group core) {
        this.core = core;
        this.code = MADE;
    }

    /** A predefined one. */
    Group(int code) {
        this.code = code;
    }

    /** For the predefined ones, which come and go with the world. */
    void open(io.rankwire.Group group) {
        core = group;
    }

    /** A question to a group, or to several. */
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

    public int getSize() throws MPIException {
        return ask(() -> core(this).size());
    }

    /** This rank's place, or {@link MPI#UNDEFINED}. */
    public int getRank() throws MPIException {
        return ask(() -> {
            int rank = core(this).rankOf(PerRank.COMM_WORLD().core().rank());
            return rank < 0 ? MPI.UNDEFINED : rank;
        });
    }

    @Override
    public void free() throws MPIException {
        ask(() -> core(this));
        core = null;
    }

    /** Nothing has to be given back; the JVM does not keep track of objects for an empty method. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    public boolean isNull() {
        return core == null;
    }

    /** For ranks of one group those of another; {@link MPI#UNDEFINED} for those it has not. */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return ask(() -> {
            int[] ranks = core(group1).translate(ranks1, core(group2));
            for (int i = 0; i < ranks.length; i++) {
                ranks[i] = ranks[i] < 0 && ranks[i] != MPI.PROC_NULL ? MPI.UNDEFINED : ranks[i];
            }
            return ranks;
        });
    }

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

    public static Group union(Group group1, Group group2) throws MPIException {
        return ask(() -> new Group(core(group1).union(core(group2))));
    }

    public static Group intersection(Group group1, Group group2) throws MPIException {
        return ask(() -> new Group(core(group1).intersection(core(group2))));
    }

    public static Group difference(Group group1, Group group2) throws MPIException {
        return ask(() -> new Group(core(group1).difference(core(group2))));
    }

    public Group incl(int[] ranks) throws MPIException {
        return ask(() -> new Group(core(this).include(ranks)));
    }

    public Group excl(int[] ranks) throws MPIException {
        return ask(() -> new Group(core(this).exclude(ranks)));
    }

    /** The ranks of ranges: first, last and step of each. */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        return ask(() -> new Group(core(this).includeRanges(ranges(ranges))));
    }

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

    public int Size() throws MPIException {
        return getSize();
    }

    public int Rank() throws MPIException {
        return getRank();
    }

    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return translateRanks(group1, ranks1, group2);
    }

    public static int Compare(Group group1, Group group2) throws MPIException {
        return compare(group1, group2);
    }

    public static Group Union(Group group1, Group group2) throws MPIException {
        return union(group1, group2);
    }

    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return intersection(group1, group2);
    }

    public static Group Difference(Group group1, Group group2) throws MPIException {
        return difference(group1, group2);
    }

    public Group Incl(int[] ranks) throws MPIException {
        return incl(ranks);
    }

    public Group Excl(int[] ranks) throws MPIException {
        return excl(ranks);
    }

    public Group Range_incl(int[][] ranges) throws MPIException {
        return rangeIncl(ranges);
    }

    public Group Range_excl(int[][] ranges) throws MPIException {
        return rangeExcl(ranges);
    }

    @Override
    public String toString() {
        return core == null ? "null group" : core.toString();
    }
}
