package io.rankwire;

/**
 * Collective calls between the two sides of an {@link Intercommunicator}, in the same three forms as those within one
 * group ({@link Collectives}): what one side gives, the other gets. All ranks of both sides call them, in the same
 * order.
 *
 * <p>In calls with a root, data goes from the root to all of the other side, or from all of the other side to the root.
 * The root says {@link #ROOT}, the other ranks of its side {@link #NONE} (their buffers may be null), and the ranks of
 * the other side the root's rank. In calls without, both sides give and get at once, and each may give blocks of a
 * length of its own. A buffer cannot be both read and written.
 */
public abstract sealed class InterCollectives extends TypedCollectives permits Intercommunicator {
    /** What the root of a call gives for it. */
    public static final int ROOT = -3;

    private InterCalls calls;
    private TypedCalls typed;

    InterCollectives(World world, Group group, Group peers, int context, String name) {
        super(world, group, peers, context, name);
    }

    /** Returns when all ranks of both sides have come here. */
    public void barrier() {
        run(calls().barrier(false));
    }

    public Request ibarrier() {
        return start(calls().barrier(false));
    }

    public Request barrierInit() {
        return persistent(calls().barrier(true));
    }

    /** The root's buffer goes to all of the other side. */
    public void broadcast(Object buffer, int root) {
        broadcast(buffer, 0, all(buffer, root), root);
    }

    public void broadcast(Object buffer, int offset, int count, int root) {
        run(calls().broadcast(buffer, offset, count, root, false));
    }

    public Request ibroadcast(Object buffer, int root) {
        return ibroadcast(buffer, 0, all(buffer, root), root);
    }

    public Request ibroadcast(Object buffer, int offset, int count, int root) {
        return start(calls().broadcast(buffer, offset, count, root, false));
    }

    public Request broadcastInit(Object buffer, int offset, int count, int root) {
        return persistent(calls().broadcast(buffer, offset, count, root, true));
    }

    /** Blocks of all ranks of the other side come together at the root, in their order. */
    public void gather(Object in, Object out, int root) {
        gather(in, 0, out, 0, block(out, in, root), root);
    }

    public void gather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(calls().rooted(CollectiveKind.GATHER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request igather(Object in, Object out, int root) {
        return igather(in, 0, out, 0, block(out, in, root), root);
    }

    public Request igather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return start(calls().rooted(CollectiveKind.GATHER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request gatherInit(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return persistent(calls().rooted(CollectiveKind.GATHER, in, inOffset, out, outOffset, count, root, true));
    }

    /** The root's blocks go one to each rank of the other side. */
    public void scatter(Object in, Object out, int root) {
        scatter(in, 0, out, 0, block(in, out, root), root);
    }

    public void scatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(calls().rooted(CollectiveKind.SCATTER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request iscatter(Object in, Object out, int root) {
        return iscatter(in, 0, out, 0, block(in, out, root), root);
    }

    public Request iscatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return start(calls().rooted(CollectiveKind.SCATTER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request scatterInit(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return persistent(calls().rooted(CollectiveKind.SCATTER, in, inOffset, out, outOffset, count, root, true));
    }

    /** The vectors of all ranks of the other side are combined, element by element, at the root. */
    public void reduce(Object in, Object out, Op op, int root) {
        reduce(in, 0, out, 0, all(root == ROOT ? out : in, root), op, root);
    }

    public void reduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        run(calls().reduce(in, inOffset, out, outOffset, count, op, root, false));
    }

    public Request ireduce(Object in, Object out, Op op, int root) {
        return ireduce(in, 0, out, 0, all(root == ROOT ? out : in, root), op, root);
    }

    public Request ireduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        return start(calls().reduce(in, inOffset, out, outOffset, count, op, root, false));
    }

    public Request reduceInit(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        return persistent(calls().reduce(in, inOffset, out, outOffset, count, op, root, true));
    }

    /**
     * The blocks of each side come together at every rank of the other. The lengths of the two sides' blocks may
     * differ.
     */
    public void allgather(Object in, Object out) {
        allgather(in, 0, all(in), out, 0, block(out));
    }

    public void allgather(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        run(calls().allgather(in, inOffset, inCount, out, outOffset, outCount));
    }

    public Request iallgather(Object in, Object out) {
        return iallgather(in, 0, all(in), out, 0, block(out));
    }

    public Request iallgather(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return start(calls().allgather(in, inOffset, inCount, out, outOffset, outCount));
    }

    public Request allgatherInit(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return persistent(calls().allgather(in, inOffset, inCount, out, outOffset, outCount));
    }

    /**
     * Block i goes to rank i of the other side, and the block of its rank i comes to place i. The lengths of the two
     * sides' blocks may differ.
     */
    public void alltoall(Object in, Object out) {
        alltoall(in, 0, block(in), out, 0, block(out));
    }

    public void alltoall(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        run(calls().alltoall(in, inOffset, inCount, out, outOffset, outCount));
    }

    public Request ialltoall(Object in, Object out) {
        return ialltoall(in, 0, block(in), out, 0, block(out));
    }

    public Request ialltoall(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return start(calls().alltoall(in, inOffset, inCount, out, outOffset, outCount));
    }

    public Request alltoallInit(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return persistent(calls().alltoall(in, inOffset, inCount, out, outOffset, outCount));
    }

    /** The vectors of each side are combined, element by element, for all ranks of the other. */
    public void allreduce(Object in, Object out, Op op) {
        allreduce(in, 0, out, 0, all(in), op);
    }

    public void allreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(calls().allreduce(in, inOffset, out, outOffset, count, op, false));
    }

    public Request iallreduce(Object in, Object out, Op op) {
        return iallreduce(in, 0, out, 0, all(in), op);
    }

    public Request iallreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(calls().allreduce(in, inOffset, out, outOffset, count, op, false));
    }

    public Request allreduceInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(calls().allreduce(in, inOffset, out, outOffset, count, op, true));
    }

    /**
     * The vectors of each side are combined, and block i goes to rank i of the other. The vectors of both sides are of
     * one length, and each side cuts it into as many blocks as it has ranks.
     */
    public void reduceScatterBlock(Object in, Object out, Op op) {
        reduceScatterBlock(in, 0, out, 0, all(out), op);
    }

    public void reduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(calls().reduceScatterBlock(in, inOffset, out, outOffset, count, op, false));
    }

    public Request ireduceScatterBlock(Object in, Object out, Op op) {
        return ireduceScatterBlock(in, 0, out, 0, all(out), op);
    }

    public Request ireduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(calls().reduceScatterBlock(in, inOffset, out, outOffset, count, op, false));
    }

    public Request reduceScatterBlockInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(calls().reduceScatterBlock(in, inOffset, out, outOffset, count, op, true));
    }

    /** As reduceScatterBlock, with blocks of different lengths, one for each rank of this side. */
    public void reduceScatter(Object in, Object out, int[] counts, Op op) {
        run(calls().reduceScatter(in, out, counts, op));
    }

    public Request ireduceScatter(Object in, Object out, int[] counts, Op op) {
        return start(calls().reduceScatter(in, out, counts, op));
    }

    public Request reduceScatterInit(Object in, Object out, int[] counts, Op op) {
        return persistent(calls().reduceScatter(in, out, counts, op));
    }

    /** As gather, with blocks of different lengths; the root says how long each is and where it goes. */
    public void gatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets, int root) {
        run(calls().gatherv(in, inOffset, inCount, out, counts, offsets, root));
    }

    public Request igatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets, int root) {
        return start(calls().gatherv(in, inOffset, inCount, out, counts, offsets, root));
    }

    public Request gathervInit(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets,
            int root) {
        return persistent(calls().gatherv(in, inOffset, inCount, out, counts, offsets, root));
    }

    /** As scatter, with blocks of different lengths; the root says how long each is and where it lies. */
    public void scatterv(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount, int root) {
        run(calls().scatterv(in, counts, offsets, out, outOffset, outCount, root));
    }

    public Request iscatterv(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount,
            int root) {
        return start(calls().scatterv(in, counts, offsets, out, outOffset, outCount, root));
    }

    public Request scattervInit(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount,
            int root) {
        return persistent(calls().scatterv(in, counts, offsets, out, outOffset, outCount, root));
    }

    /** As allgather, with blocks of different lengths; each rank says where they go. */
    public void allgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        run(calls().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    public Request iallgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return start(calls().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    public Request allgathervInit(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return persistent(calls().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    /** As alltoall, with blocks of different lengths. */
    public void alltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts, int[] outOffsets) {
        run(calls().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    public Request ialltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return start(calls().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    public Request alltoallvInit(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return persistent(calls().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    private int all(Object buffer) {
        typeOf(buffer);
        return Math.toIntExact(Buffers.length(buffer));
    }

    /** A rank that has nothing to do may give anything. */
    private int all(Object buffer, int root) {
        return root == NONE ? 0 : all(buffer);
    }

    /** A part of the buffer that holds one for each of the other side. */
    private int block(Object whole) {
        int length = all(whole);
        if (length % peers().size() != 0) {
            throw error(ErrorClass.COUNT, "a " + Buffers.describe(whole) + " of length " + length
                    + " cannot be cut into " + peers().size() + " blocks of one length");
        }
        return length / peers().size();
    }

    private int block(Object whole, Object one, int root) {
        return root == ROOT ? block(whole) : all(one, root);
    }

    final InterCalls calls() {
        checkUsable();
        if (calls == null) {
            calls = new InterCalls(this);
        }
        return calls;
    }

    @Override
    final TypedCalls typed() {
        InterCalls plain = calls();
        if (typed == null) {
            typed = new TypedInterCalls(this, plain);
        }
        return typed;
    }

    @Override
    final CollectivePrograms programs() {
        return calls.programs;
    }

    @Override
    final LineCalls lines() {
        throw new AssertionError("calls between groups are made with messages");
    }
}
