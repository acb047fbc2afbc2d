package io.rankwire;

/** The collective calls; the place of each is its number in tags, see {@link CollectivePrograms}. */
enum CollectiveKind {
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
    EXSCAN("exscan");

    final String call;

    CollectiveKind(String call) {
        this.call = call;
    }

    /** Whether all ranks give the same root, length and operation; else they need not, or do not know. */
    boolean isAlike() {
        return switch (this) {
            case BROADCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE -> true;
            case REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, SCAN, EXSCAN -> true;
            default -> false;
        };
    }

    boolean hasRoot() {
        return switch (this) {
            case BROADCAST, GATHER, GATHERV, SCATTER, SCATTERV, REDUCE -> true;
            default -> false;
        };
    }
}
