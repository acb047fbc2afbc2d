package mpi;

/** Who is so many steps away in a grid: {@link MPI#PROC_NULL} beyond an edge. */
public final class ShiftParms {
    /** Whose message a shift brings here. */
    public int rank_source;
    /** Where a shift takes this rank's message. */
    public int rank_dest;

    ShiftParms(int source, int dest) {
        rank_source = source;
        rank_dest = dest;
    }

    public int getRankSource() {
        return rank_source;
    }

    public int getRankDest() {
        return rank_dest;
    }
}
