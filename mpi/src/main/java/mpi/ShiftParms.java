package mpi;

/** The ranks at a distance in a grid; {@link MPI#PROC_NULL} beyond an edge. */
public final class ShiftParms {
    /** The rank that a shift receives from. */
    public int rank_source;
    /** The rank that a shift sends to. */
    public int rank_dest;

    ShiftParms(int source, int dest) {
        rank_source = source;
        rank_dest = dest;
    }

    /** Returns the rank that a shift receives from. */
    public int getRankSource() {
        return rank_source;
    }

    /** Returns the rank that a shift sends to. */
    public int getRankDest() {
        return rank_dest;
    }
}
