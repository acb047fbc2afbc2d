package io.rankwire;

import static io.rankwire.Datatype.side;

import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Neighbourhood;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Side;

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
    private final Runner collectives;

    /** The check throws if it is known here that some rank would wait for a block that no rank sends. */
    TopologyCommunicator(World world, Endpoint endpoint, Neighbourhood around, Runnable check) {
        super(world, endpoint);
        this.collectives = endpoint.collectives();
        collectives.topology(around, check);
    }

    /** How many blocks a rank takes in a call with its neighbours, those beyond open borders of a grid counted too. */
    public int inDegree() {
        return collectives.neighbourhood().sources().length;
    }

    /** How many blocks it gives in a call that has one for each neighbour. */
    public int outDegree() {
        return collectives.neighbourhood().destinations().length;
    }

    /** One block goes to all destinations, and one comes from each source. */
    public void neighbourAllgather(Object in, Object out) {
        neighbourAllgather(in, 0, out, 0, collectives.neighbourElements(Kind.NEIGHBOUR_ALLGATHER, in, out));
    }

    /** As {@link #neighbourAllgather(Object, Object)}, with a part of the buffer. */
    public void neighbourAllgather(Object in, int inOffset, Object out, int outOffset, int count) {
        run(Kind.NEIGHBOUR_ALLGATHER, in, inOffset, out, outOffset, count, null, 0);
    }

    /** As {@link #neighbourAllgather(Object, Object)}, with elements that lie as datatypes say. */
    public void neighbourAllgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(Kind.NEIGHBOUR_ALLGATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType),
                null, 0);
    }

    /** Starts {@link #neighbourAllgather(Object, Object)} and returns at once; await the request. */
    public Request ineighbourAllgather(Object in, Object out) {
        return ineighbourAllgather(in, 0, out, 0, collectives.neighbourElements(Kind.NEIGHBOUR_ALLGATHER, in, out));
    }

    /** Starts {@link #neighbourAllgather(Object, int, Object, int, int)} and returns at once; await the request. */
    public Request ineighbourAllgather(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(Kind.NEIGHBOUR_ALLGATHER, in, inOffset, out, outOffset, count, null, 0);
    }

    /**
     * Starts {@link #neighbourAllgather(Object, long, long, Datatype, Object, long, long, Datatype)} and returns at
     * once; await the request.
     */
    public Request ineighbourAllgather(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return start(Kind.NEIGHBOUR_ALLGATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount,
                outType), null, 0);
    }

    /**
     * A persistent {@link #neighbourAllgather(Object, int, Object, int, int)}: each {@link Request#start} starts the
     * call once more.
     */
    public Request neighbourAllgatherInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(Kind.NEIGHBOUR_ALLGATHER, in, inOffset, out, outOffset, count, null, 0);
    }

    /**
     * A persistent {@link #neighbourAllgather(Object, long, long, Datatype, Object, long, long, Datatype)}: each
     * {@link Request#start} starts the call once more.
     */
    public Request neighbourAllgatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return persistent(Kind.NEIGHBOUR_ALLGATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount,
                outType), null, 0);
    }

    /** A block goes to each destination, and one comes from each source. */
    public void neighbourAlltoall(Object in, Object out) {
        neighbourAlltoall(in, 0, out, 0, collectives.neighbourElements(Kind.NEIGHBOUR_ALLTOALL, in, out));
    }

    /** As {@link #neighbourAlltoall(Object, Object)}, with a part of the buffer. */
    public void neighbourAlltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        run(Kind.NEIGHBOUR_ALLTOALL, in, inOffset, out, outOffset, count, null, 0);
    }

    /** As {@link #neighbourAlltoall(Object, Object)}, with elements that lie as datatypes say. */
    public void neighbourAlltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(Kind.NEIGHBOUR_ALLTOALL, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null,
                0);
    }

    /** Starts {@link #neighbourAlltoall(Object, Object)} and returns at once; await the request. */
    public Request ineighbourAlltoall(Object in, Object out) {
        return ineighbourAlltoall(in, 0, out, 0, collectives.neighbourElements(Kind.NEIGHBOUR_ALLTOALL, in, out));
    }

    /** Starts {@link #neighbourAlltoall(Object, int, Object, int, int)} and returns at once; await the request. */
    public Request ineighbourAlltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(Kind.NEIGHBOUR_ALLTOALL, in, inOffset, out, outOffset, count, null, 0);
    }

    /**
     * Starts {@link #neighbourAlltoall(Object, long, long, Datatype, Object, long, long, Datatype)} and returns at
     * once; await the request.
     */
    public Request ineighbourAlltoall(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return start(Kind.NEIGHBOUR_ALLTOALL, side(in, inOffset, inCount, inType), side(out, outOffset, outCount,
                outType), null, 0);
    }

    /**
     * A persistent {@link #neighbourAlltoall(Object, int, Object, int, int)}: each {@link Request#start} starts the
     * call once more.
     */
    public Request neighbourAlltoallInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(Kind.NEIGHBOUR_ALLTOALL, in, inOffset, out, outOffset, count, null, 0);
    }

    /**
     * A persistent {@link #neighbourAlltoall(Object, long, long, Datatype, Object, long, long, Datatype)}: each
     * {@link Request#start} starts the call once more.
     */
    public Request neighbourAlltoallInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType) {
        return persistent(Kind.NEIGHBOUR_ALLTOALL, side(in, inOffset, inCount, inType), side(out, outOffset, outCount,
                outType), null, 0);
    }

    /** As neighbourAllgather, with blocks of different lengths at places that each rank names. */
    public void neighbourAllgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        run(Kind.NEIGHBOUR_ALLGATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, 0);
    }

    /** Displacements are in extents of the datatype. */
    public void neighbourAllgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(Kind.NEIGHBOUR_ALLGATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, 0);
    }

    /**
     * Starts {@link #neighbourAllgatherv(Object, int, int, Object, int[], int[])} and returns at once; await the
     * request.
     */
    public Request ineighbourAllgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return start(Kind.NEIGHBOUR_ALLGATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, 0);
    }

    /**
     * Starts {@link #neighbourAllgatherv(Object, long, long, Datatype, Object, long, int[], int[], Datatype)} and
     * returns at once; await the request.
     */
    public Request ineighbourAllgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(Kind.NEIGHBOUR_ALLGATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, 0);
    }

    /**
     * A persistent {@link #neighbourAllgatherv(Object, int, int, Object, int[], int[])}: each {@link Request#start}
     * starts the call once more.
     */
    public Request neighbourAllgathervInit(Object in, int inOffset, int inCount, Object out, int[] counts,
            int[] offsets) {
        return persistent(Kind.NEIGHBOUR_ALLGATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets),
                null, 0);
    }

    /**
     * A persistent {@link #neighbourAllgatherv(Object, long, long, Datatype, Object, long, int[], int[], Datatype)}:
     * each {@link Request#start} starts the call once more.
     */
    public Request neighbourAllgathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(Kind.NEIGHBOUR_ALLGATHERV, side(in, inOffset, inCount, inType), side(out, outOffset,
                outCounts, outDisplacements, outType), null, 0);
    }

    /** As neighbourAlltoall, with blocks of different lengths at places that each rank names. */
    public void neighbourAlltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        run(Kind.NEIGHBOUR_ALLTOALLV, Side.of(in, inCounts, inOffsets), Side.of(out, outCounts, outOffsets), null, 0);
    }

    /** Displacements are in extents of the datatype. */
    public void neighbourAlltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(Kind.NEIGHBOUR_ALLTOALLV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset,
                outCounts, outDisplacements, outType), null, 0);
    }

    /**
     * Starts {@link #neighbourAlltoallv(Object, int[], int[], Object, int[], int[])} and returns at once; await the
     * request.
     */
    public Request ineighbourAlltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return start(Kind.NEIGHBOUR_ALLTOALLV, Side.of(in, inCounts, inOffsets), Side.of(out, outCounts, outOffsets),
                null, 0);
    }

    /**
     * Starts {@link #neighbourAlltoallv(Object, long, int[], int[], Datatype, Object, long, int[], int[], Datatype)}
     * and returns at once; await the request.
     */
    public Request ineighbourAlltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(Kind.NEIGHBOUR_ALLTOALLV, side(in, inOffset, inCounts, inDisplacements, inType), side(out,
                outOffset, outCounts, outDisplacements, outType), null, 0);
    }

    /**
     * A persistent {@link #neighbourAlltoallv(Object, int[], int[], Object, int[], int[])}: each {@link Request#start}
     * starts the call once more.
     */
    public Request neighbourAlltoallvInit(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return persistent(Kind.NEIGHBOUR_ALLTOALLV, Side.of(in, inCounts, inOffsets), Side.of(out, outCounts,
                outOffsets), null, 0);
    }

    /**
     * A persistent
     * {@link #neighbourAlltoallv(Object, long, int[], int[], Datatype, Object, long, int[], int[], Datatype)}: each
     * {@link Request#start} starts the call once more.
     */
    public Request neighbourAlltoallvInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements,
            Datatype inType, Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(Kind.NEIGHBOUR_ALLTOALLV, side(in, inOffset, inCounts, inDisplacements, inType), side(out,
                outOffset, outCounts, outDisplacements, outType), null, 0);
    }

    /** As neighbourAlltoallv, with a datatype for each block; displacements are in bytes from the buffer's start. */
    public void neighbourAlltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        run(Kind.NEIGHBOUR_ALLTOALLW, side(in, inCounts, inDisplacements, inTypes), side(out, outCounts,
                outDisplacements, outTypes), null, 0);
    }

    /**
     * Starts {@link #neighbourAlltoallw(Object, int[], long[], Datatype[], Object, int[], long[], Datatype[])} and
     * returns at once; await the request.
     */
    public Request ineighbourAlltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes,
            Object out, int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return start(Kind.NEIGHBOUR_ALLTOALLW, side(in, inCounts, inDisplacements, inTypes), side(out, outCounts,
                outDisplacements, outTypes), null, 0);
    }

    /**
     * A persistent {@link #neighbourAlltoallw(Object, int[], long[], Datatype[], Object, int[], long[], Datatype[])}:
     * each {@link Request#start} starts the call once more.
     */
    public Request neighbourAlltoallwInit(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes,
            Object out, int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return persistent(Kind.NEIGHBOUR_ALLTOALLW, side(in, inCounts, inDisplacements, inTypes), side(out, outCounts,
                outDisplacements, outTypes), null, 0);
    }
}
