package mpi;

/**
 * The fields of {@link MPI} that each rank has its own of. Programs use the fields; those of a simulation are made to
 * call these instead as they are loaded, since ranks share the fields there.
 */
public final class PerRank {
    private PerRank() {}

    /** Returns {@link MPI#COMM_WORLD} of the calling rank. */
    public static Intracomm COMM_WORLD() {
        return RankState.mine().all;
    }

    /** Returns {@link MPI#COMM_SELF} of the calling rank. */
    public static Intracomm COMM_SELF() {
        return RankState.mine().self;
    }

    /** Returns {@link MPI#GROUP_EMPTY} of the calling rank. */
    public static Group GROUP_EMPTY() {
        return RankState.mine().emptyGroup;
    }

    /** Returns {@link MPI#EMPTY_STATUS} of the calling rank. */
    public static Status EMPTY_STATUS() {
        return RankState.mine().emptyStatus;
    }

    /** Returns {@link MPI#INFO_ENV} of the calling rank. */
    public static Info INFO_ENV() {
        return RankState.mine().environment();
    }
}
