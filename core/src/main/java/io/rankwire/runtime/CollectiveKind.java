package io.rankwire.runtime;

/** The collective calls; the place of each is its number in tags, see {@link CollectivePrograms}. */
public enum CollectiveKind {
    BARRIER("barrier"),
    BROADCAST("broadcast"),
    GATHER("gather"),
    GATHERV("gatherv"),
    SCATTER("scatter"),
    SCATTERV("scatterv"),
    ALLGATHER("allgather"),
    ALLGATHERV("allgatherv"),
    ALLTOALL("alltoall"),
    ALLTOALLV("alltoallv"),
    REDUCE("reduce"),
    ALLREDUCE("allreduce"),
    REDUCE_SCATTER_BLOCK("reduceScatterBlock"),
    REDUCE_SCATTER("reduceScatter"),
    SCAN("scan"),
    EXSCAN("exscan"),
    ALLTOALLW("alltoallw"),
    NEIGHBOUR_ALLGATHER("neighbourAllgather"),
    NEIGHBOUR_ALLGATHERV("neighbourAllgatherv"),
    NEIGHBOUR_ALLTOALL("neighbourAlltoall"),
    NEIGHBOUR_ALLTOALLV("neighbourAlltoallv"),
    NEIGHBOUR_ALLTOALLW("neighbourAlltoallw");

    public final String call;

    CollectiveKind(String call) {
        this.call = call;
    }

    /** Whether long blocks that a rank has got go on to others; pieces of them should then not wait for the rest. */
    public boolean passesOn() {
        return this == BROADCAST || this == ALLGATHER || this == ALLGATHERV;
    }

    /** Whether all ranks give the same root, length and operation; else they need not, or do not know. */
    public boolean isAlike() {
        return switch (this) {
            case BROADCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE -> true;
            case REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, SCAN, EXSCAN -> true;
            default -> false;
        };
    }

    public boolean hasRoot() {
        return switch (this) {
            case BROADCAST, GATHER, GATHERV, SCATTER, SCATTERV, REDUCE -> true;
            default -> false;
        };
    }
}
