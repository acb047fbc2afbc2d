package mpi;

/**
 * The fields of {@link MPI} that each rank has its own of. Programs use the fields; those of a simulation are made to
 * call these instead as they are loaded, since ranks share the fields there.
 */
public final class PerRank {
    private PerRank() {}

    public static Intracomm COMM_WORLD() {
        return RankState.mine().all;
    }

    public static Intracomm COMM_SELF() {
        return RankState.mine().self;
    }

    public static Group GROUP_EMPTY() {
        return RankState.mine().emptyGroup;
    }

    public static Status EMPTY_STATUS() {
        return RankState.mine().emptyStatus;
    }

    public static Info INFO_ENV() {
        return RankState.mine().environment();
    }
}
