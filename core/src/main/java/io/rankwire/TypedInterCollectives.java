package io.rankwire;

/**
 * Collective calls between the two sides of an {@link Intercommunicator} whose elements lie in their buffers as
 * {@link Datatype}s say, in the three forms that all have. Offsets, counts and displacements are those of
 * {@link TypedCollectives}; who gives and who gets, and what stands for the root, is as in {@link InterCollectives}.
 * Such calls meet those of the same name without datatypes.
 */
public abstract sealed class TypedInterCollectives extends InterCollectives permits Intercommunicator {
    private TypedInterCalls typed;

    TypedInterCollectives(World world, Group group, Group peers, int context, String name) {
        super(world, group, peers, context, name);
    }

    /** The root's elements go to the places of all of the other side. */
    public void broadcast(Object buffer, long offset, long count, Datatype type, int root) {
        run(typed().broadcast(buffer, offset, count, type, root, false));
    }

    public Request ibroadcast(Object buffer, long offset, long count, Datatype type, int root) {
        return start(typed().broadcast(buffer, offset, count, type, root, false));
    }

    public Request broadcastInit(Object buffer, long offset, long count, Datatype type, int root) {
        return persistent(typed().broadcast(buffer, offset, count, type, root, true));
    }

    /** Blocks of all ranks of the other side come together at the root, in their order. */
    public void gather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        run(typed().rooted(CollectiveKind.GATHER, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                root, false));
    }

    public Request igather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return start(typed().rooted(CollectiveKind.GATHER, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, root, false));
    }

    public Request gatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return persistent(typed().rooted(CollectiveKind.GATHER, in, inOffset, inCount, inType, out, outOffset, outCount,
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

    /** The root's blocks go one to each rank of the other side. */
    public void scatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        run(typed().rooted(CollectiveKind.SCATTER, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                root, false));
    }

    public Request iscatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return start(typed().rooted(CollectiveKind.SCATTER, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, root, false));
    }

    public Request scatterInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return persistent(typed().rooted(CollectiveKind.SCATTER, in, inOffset, inCount, inType, out, outOffset,
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

    /** Blocks of all ranks of one side come together at all of the other. */
    public void allgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(typed().allgather(in, inOffset, inCount, inType, out, outOffset, outCount, outType));
    }

    public Request iallgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return start(typed().allgather(in, inOffset, inCount, inType, out, outOffset, outCount, outType));
    }

    public Request allgatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return persistent(typed().allgather(in, inOffset, inCount, inType, out, outOffset, outCount, outType));
    }

    /** As allgather, with blocks of different lengths; each rank says where they go. */
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

    /** Each rank has a block for each of the other side. */
    public void alltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(typed().alltoall(in, inOffset, inCount, inType, out, outOffset, outCount, outType));
    }

    public Request ialltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return start(typed().alltoall(in, inOffset, inCount, inType, out, outOffset, outCount, outType));
    }

    public Request alltoallInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return persistent(typed().alltoall(in, inOffset, inCount, inType, out, outOffset, outCount, outType));
    }

    /** As alltoall, with blocks of different lengths. */
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

    /** As alltoallv, with a datatype for each block; displacements are in bytes. */
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

    /** The vectors of the other side are combined at the root. */
    public void reduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        run(typed().reduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, root, false));
    }

    public Request ireduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        return start(typed().reduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, root, false));
    }

    public Request reduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        return persistent(typed().reduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, root,
                true));
    }

    /** The vectors of each side are combined, and all of the other side get the result. */
    public void allreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(typed().allreduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, false));
    }

    public Request iallreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(typed().allreduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, false));
    }

    public Request allreduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(typed().allreduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op,
                true));
    }

    /** The vectors of each side are combined, and block i goes to rank i of the other. */
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

    /** As reduceScatterBlock, with blocks of different lengths, one for each rank of this side. */
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

    private TypedInterCalls typed() {
        InterCalls plain = calls();
        if (typed == null) {
            typed = new TypedInterCalls(this, plain);
        }
        return typed;
    }
}
