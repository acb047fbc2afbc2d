package io.rankwire;

/**
 * Collectives whose elements lie in their buffers as {@link Datatype}s say, in the three forms that all have. Offsets
 * are in elements of the buffer and say where the first datatype has its byte 0; counts are of datatypes in one block,
 * displacements in extents of the datatype. Blocks of calls that do not name their places lie one behind the other.
 * What one rank gives and another takes must be the same elements in the same order; their layouts may differ, between
 * ranks and between the sides of one rank. Such calls meet those of the same name without datatypes.
 *
 * <p>Operations combine elements, wherever they lie. A datatype of several element types needs an operation of the
 * program's own, which sees packed bytes and whose group is the bytes that belong together; or {@link Op#MINLOC} and
 * {@link Op#MAXLOC}, if it is made of values that have an {@code int} each.
 *
 * <p>Between two groups what is told of all ranks is of those of the other side: they give what this side gets. Who
 * gives and who gets, and what stands for the root, is as in {@link InterCollectives}; there are no scans, and no
 * buffer is both read and written.
 */
public abstract sealed class TypedCollectives extends CollectiveStarts permits Collectives, InterCollectives {
    TypedCollectives(World world, Group group, Group peers, int context, String name) {
        super(world, group, peers, context, name);
    }

    /** The root's elements go to the places of all. */
    public void broadcast(Object buffer, long offset, long count, Datatype type, int root) {
        run(typed().broadcast(buffer, offset, count, type, root, false));
    }

    public Request ibroadcast(Object buffer, long offset, long count, Datatype type, int root) {
        return start(typed().broadcast(buffer, offset, count, type, root, false));
    }

    public Request broadcastInit(Object buffer, long offset, long count, Datatype type, int root) {
        return persistent(typed().broadcast(buffer, offset, count, type, root, true));
    }

    /** Blocks of all ranks come together at the root, in their order; other ranks' {@code out} is not looked at. */
    public void gather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        run(typed().blocks(CollectiveKind.GATHER, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                root, false));
    }

    public Request igather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return start(typed().blocks(CollectiveKind.GATHER, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, root, false));
    }

    public Request gatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return persistent(typed().blocks(CollectiveKind.GATHER, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, root, true));
    }

    /** As gather, with blocks of different lengths at places that the root names. */
    public void gatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root) {
        run(typed().gatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements, outType, root));
    }

    public Request igatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root) {
        return start(typed().gatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements,
                outType, root));
    }

    public Request gathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root) {
        return persistent(typed().gatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements,
                outType, root));
    }

    /** The root's blocks go one to each rank; other ranks' {@code in} is not looked at. */
    public void scatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        run(typed().blocks(CollectiveKind.SCATTER, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                root, false));
    }

    public Request iscatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return start(typed().blocks(CollectiveKind.SCATTER, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, root, false));
    }

    public Request scatterInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return persistent(typed().blocks(CollectiveKind.SCATTER, in, inOffset, inCount, inType, out, outOffset,
                outCount, outType, root, true));
    }

    /** As scatter, with blocks of different lengths at places that the root names. */
    public void scatterv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, int root) {
        run(typed().scatterv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCount, outType, root));
    }

    public Request iscatterv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, long outCount, Datatype outType, int root) {
        return start(typed().scatterv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCount,
                outType, root));
    }

    public Request scattervInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, long outCount, Datatype outType, int root) {
        return persistent(typed().scatterv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCount,
                outType, root));
    }

    /** Blocks of all ranks come together at all. */
    public void allgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(typed().blocks(CollectiveKind.ALLGATHER, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                0, false));
    }

    public Request iallgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return start(typed().blocks(CollectiveKind.ALLGATHER, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, 0, false));
    }

    public Request allgatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return persistent(typed().blocks(CollectiveKind.ALLGATHER, in, inOffset, inCount, inType, out, outOffset,
                outCount, outType, 0, true));
    }

    /** As allgather, with blocks of different lengths at places that each rank names. */
    public void allgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(typed().allgatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements, outType));
    }

    public Request iallgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(typed().allgatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements,
                outType));
    }

    public Request allgathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(typed().allgatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements,
                outType));
    }

    /** Block i goes to rank i, and the block of rank i comes to place i. */
    public void alltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(typed().blocks(CollectiveKind.ALLTOALL, in, inOffset, inCount, inType, out, outOffset, outCount, outType, 0,
                false));
    }

    public Request ialltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return start(typed().blocks(CollectiveKind.ALLTOALL, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, 0, false));
    }

    public Request alltoallInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return persistent(typed().blocks(CollectiveKind.ALLTOALL, in, inOffset, inCount, inType, out, outOffset,
                outCount, outType, 0, true));
    }

    /** As alltoall, with blocks of different lengths at places that each rank names. */
    public void alltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(typed().alltoallv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCounts,
                outDisplacements, outType));
    }

    public Request ialltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(typed().alltoallv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCounts,
                outDisplacements, outType));
    }

    public Request alltoallvInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(typed().alltoallv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCounts,
                outDisplacements, outType));
    }

    /** As alltoallv, with a datatype for each block; displacements are in bytes from the start of the buffer. */
    public void alltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        run(typed().alltoallw(in, inCounts, inDisplacements, inTypes, out, outCounts, outDisplacements, outTypes));
    }

    public Request ialltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return start(typed().alltoallw(in, inCounts, inDisplacements, inTypes, out, outCounts, outDisplacements,
                outTypes));
    }

    public Request alltoallwInit(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return persistent(typed().alltoallw(in, inCounts, inDisplacements, inTypes, out, outCounts, outDisplacements,
                outTypes));
    }

    /** The elements of all ranks are combined, one by one, at the root. */
    public void reduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        run(typed().vectors(CollectiveKind.REDUCE, in, inOffset, inCount, inType, out, outOffset, outCount, outType, op,
                root, false));
    }

    public Request ireduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        return start(typed().vectors(CollectiveKind.REDUCE, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, op, root, false));
    }

    public Request reduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        return persistent(typed().vectors(CollectiveKind.REDUCE, in, inOffset, inCount, inType, out, outOffset,
                outCount, outType, op, root, true));
    }

    /** The elements of all ranks are combined, one by one, for all. */
    public void allreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(typed().vectors(CollectiveKind.ALLREDUCE, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                op, 0, false));
    }

    public Request iallreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(typed().vectors(CollectiveKind.ALLREDUCE, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, op, 0, false));
    }

    public Request allreduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(typed().vectors(CollectiveKind.ALLREDUCE, in, inOffset, inCount, inType, out, outOffset,
                outCount, outType, op, 0, true));
    }

    /** The elements of all ranks are combined and block i goes to rank i. */
    public void reduceScatterBlock(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(typed().reduceScatterBlock(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, false));
    }

    public Request ireduceScatterBlock(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, Op op) {
        return start(typed().reduceScatterBlock(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op,
                false));
    }

    public Request reduceScatterBlockInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, Op op) {
        return persistent(typed().reduceScatterBlock(in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                op, true));
    }

    /**
     * As reduceScatterBlock, with blocks of different lengths, one behind the other. In place, the counts are of
     * {@code outType}.
     */
    public void reduceScatter(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(typed().reduceScatter(in, inOffset, inCounts, inType, out, outOffset, outCount, outType, op));
    }

    public Request ireduceScatter(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(typed().reduceScatter(in, inOffset, inCounts, inType, out, outOffset, outCount, outType, op));
    }

    public Request reduceScatterInit(Object in, long inOffset, int[] inCounts, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, Op op) {
        return persistent(typed().reduceScatter(in, inOffset, inCounts, inType, out, outOffset, outCount, outType, op));
    }

    /** What this rank's calls are made by. */
    abstract TypedCalls typed();
}
