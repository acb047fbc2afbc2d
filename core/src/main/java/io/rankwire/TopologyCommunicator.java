package io.rankwire;

/**
 * A communicator whose ranks have neighbours, with the collectives in which each rank exchanges blocks with its
 * neighbours alone. All ranks of the communicator make the call, in the three forms that all collectives have.
 *
 * <p>The buffers hold one block for each neighbour: in a {@link GraphCommunicator} in the order of its neighbours,
 * whose edges must lead both ways; in a {@link DistributedGraphCommunicator} one to each destination and one from each
 * source; in a {@link CartesianCommunicator} for each dimension first the block for or from the rank before, then the
 * one for or from the rank behind. Of several edges between two ranks, the first block sent is the first received. In a
 * grid, what is sent forwards along a dimension comes from backwards, also where both are the same rank, or this one.
 * Blocks beyond an open border of a grid are left alone. {@code IN_PLACE} has no meaning here.
 */
public abstract sealed class TopologyCommunicator extends Communicator
        permits CartesianCommunicator, GraphCommunicator, DistributedGraphCommunicator {
    private NeighbourCalls neighbours;

    TopologyCommunicator(World world, Group group, int context, String name) {
        super(world, group, context, name);
    }

    /** Whom this rank exchanges with. */
    abstract Neighbourhood neighbourhood();

    /** How many blocks a rank takes in a call with its neighbours, those beyond open borders of a grid counted too. */
    public int inDegree() {
        return neighbourhood().sources().length;
    }

    /** How many blocks it gives in a call that has one for each neighbour. */
    public int outDegree() {
        return neighbourhood().destinations().length;
    }

    /** Throws if it is known here that some rank would wait for a block that nobody sends. */
    void checkNeighbours() {}

    private NeighbourCalls neighbours() {
        TypedCalls typed = typed();
        if (neighbours == null) {
            neighbours = new NeighbourCalls(this, calls().programs, typed);
        }
        return neighbours;
    }

    /** One block goes to all destinations, and one comes from each source. */
    public void neighbourAllgather(Object in, Object out) {
        neighbourAllgather(in, 0, out, 0, neighbours().elements(true, in, out));
    }

    public void neighbourAllgather(Object in, int inOffset, Object out, int outOffset, int count) {
        run(neighbours().blocks(true, in, inOffset, out, outOffset, count, false));
    }

    /** As {@link #neighbourAllgather(Object, Object)}, with elements that lie as datatypes say. */
    public void neighbourAllgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(neighbours().blocks(true, in, inOffset, inCount, inType, out, outOffset, outCount, outType, false));
    }

    public Request ineighbourAllgather(Object in, Object out) {
        return ineighbourAllgather(in, 0, out, 0, neighbours().elements(true, in, out));
    }

    public Request ineighbourAllgather(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(neighbours().blocks(true, in, inOffset, out, outOffset, count, false));
    }

    public Request ineighbourAllgather(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return start(neighbours().blocks(true, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                false));
    }

    public Request neighbourAllgatherInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(neighbours().blocks(true, in, inOffset, out, outOffset, count, true));
    }

    public Request neighbourAllgatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return persistent(neighbours().blocks(true, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                true));
    }

    /** A block goes to each destination, and one comes from each source. */
    public void neighbourAlltoall(Object in, Object out) {
        neighbourAlltoall(in, 0, out, 0, neighbours().elements(false, in, out));
    }

    public void neighbourAlltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        run(neighbours().blocks(false, in, inOffset, out, outOffset, count, false));
    }

    /** As {@link #neighbourAlltoall(Object, Object)}, with elements that lie as datatypes say. */
    public void neighbourAlltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(neighbours().blocks(false, in, inOffset, inCount, inType, out, outOffset, outCount, outType, false));
    }

    public Request ineighbourAlltoall(Object in, Object out) {
        return ineighbourAlltoall(in, 0, out, 0, neighbours().elements(false, in, out));
    }

    public Request ineighbourAlltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(neighbours().blocks(false, in, inOffset, out, outOffset, count, false));
    }

    public Request ineighbourAlltoall(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return start(neighbours().blocks(false, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                false));
    }

    public Request neighbourAlltoallInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(neighbours().blocks(false, in, inOffset, out, outOffset, count, true));
    }

    public Request neighbourAlltoallInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return persistent(neighbours().blocks(false, in, inOffset, inCount, inType, out, outOffset, outCount, outType,
                true));
    }

    /** As neighbourAllgather, with blocks of different lengths at places that each rank names. */
    public void neighbourAllgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        run(neighbours().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    /** Displacements are in extents of the datatype. */
    public void neighbourAllgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(neighbours().allgatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements,
                outType));
    }

    public Request ineighbourAllgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return start(neighbours().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    public Request ineighbourAllgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(neighbours().allgatherv(in, inOffset, inCount, inType, out, outOffset, outCounts, outDisplacements,
                outType));
    }

    public Request neighbourAllgathervInit(Object in, int inOffset, int inCount, Object out, int[] counts,
            int[] offsets) {
        return persistent(neighbours().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    public Request neighbourAllgathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(neighbours().allgatherv(in, inOffset, inCount, inType, out, outOffset, outCounts,
                outDisplacements, outType));
    }

    /** As neighbourAlltoall, with blocks of different lengths at places that each rank names. */
    public void neighbourAlltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        run(neighbours().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    /** Displacements are in extents of the datatype. */
    public void neighbourAlltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(neighbours().alltoallv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCounts,
                outDisplacements, outType));
    }

    public Request ineighbourAlltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return start(neighbours().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    public Request ineighbourAlltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(neighbours().alltoallv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset, outCounts,
                outDisplacements, outType));
    }

    public Request neighbourAlltoallvInit(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return persistent(neighbours().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    public Request neighbourAlltoallvInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements,
            Datatype inType, Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(neighbours().alltoallv(in, inOffset, inCounts, inDisplacements, inType, out, outOffset,
                outCounts, outDisplacements, outType));
    }

    /** As neighbourAlltoallv, with a datatype for each block; displacements are in bytes from the buffer's start. */
    public void neighbourAlltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        run(neighbours().alltoallw(in, inCounts, inDisplacements, inTypes, out, outCounts, outDisplacements, outTypes));
    }

    public Request ineighbourAlltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes,
            Object out, int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return start(neighbours().alltoallw(in, inCounts, inDisplacements, inTypes, out, outCounts, outDisplacements,
                outTypes));
    }

    public Request neighbourAlltoallwInit(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes,
            Object out, int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return persistent(neighbours().alltoallw(in, inCounts, inDisplacements, inTypes, out, outCounts,
                outDisplacements, outTypes));
    }
}
